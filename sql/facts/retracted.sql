-- Question: which citations were retracted, or replaced by a corrected republication (X2)?
-- Grain:    one changed citation.
-- Inputs:   citation_links, citations, changed(pmid).
-- Output:   pmid.
-- A partial retraction is not one. RepublishedIn marks a plain reprint as well as (in records
-- before 2018) a correction: it counts only when the other record has the type
-- Corrected and Republished Article.
WITH own AS (
    SELECT pmid, link_type, related_pmid
    FROM citation_links
    WHERE link_type IN (
            'retraction_in', 'retracted_and_republished_in',
            'corrected_and_republished_in', 'republished_in'
        )
        AND pmid IN (SELECT pmid FROM changed)
),
corrected AS (
    SELECT c.pmid
    FROM citations AS c
    WHERE c.pmid IN (SELECT related_pmid FROM own WHERE link_type = 'republished_in')
        AND (
            list_contains(c.publication_type_uis, 'D016439')
            OR list_contains(
                list_transform(c.publication_types, lambda x: lower(x)),
                'corrected and republished article'
            )
        )
)
SELECT DISTINCT pmid
FROM own
WHERE link_type <> 'republished_in' OR related_pmid IN (SELECT pmid FROM corrected)
