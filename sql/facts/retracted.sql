-- Question: which citations were retracted, or replaced by a corrected republication (X2)?
-- Grain:    one changed citation.
-- Inputs:   citation_links, corrected(pmid), changed(pmid).
-- Output:   pmid.
-- A partial retraction is not one. RepublishedIn marks a plain reprint as well as (in records
-- before 2018) a correction: it counts only when the other record has the type
-- Corrected and Republished Article.
SELECT DISTINCT pmid
FROM citation_links
WHERE link_type IN (
        'retraction_in', 'retracted_and_republished_in',
        'corrected_and_republished_in', 'republished_in'
    )
    AND pmid IN (SELECT pmid FROM changed)
    AND (link_type <> 'republished_in' OR related_pmid IN (SELECT pmid FROM corrected))
