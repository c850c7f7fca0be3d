-- Question: whose facts may differ though their own record did not change?
-- Grain:    one PMID outside changed.
-- Inputs:   citations, citation_links, citation_trials, changed(pmid); $guideline_uis,
--           $guideline_names.
-- Output:   pmid.
WITH own AS (
    SELECT publication_types, publication_type_uis, cited_pmids, comments_corrections
    FROM citations
    WHERE pmid IN (SELECT pmid FROM changed)
),
other AS (
    SELECT unnest(cited_pmids) AS pmid
    FROM own
    WHERE list_has_any(publication_type_uis, $guideline_uis)
        OR list_has_any(list_transform(publication_types, lambda x: lower(x)), $guideline_names)
    UNION ALL
    SELECT item.pmid
    FROM (SELECT unnest(comments_corrections) AS item FROM own)
    WHERE item.ref_type IS DISTINCT FROM 'Cites'
    UNION ALL
    -- Links that the last snapshot holds from or to a record that changed or went.
    SELECT related_pmid FROM citation_links WHERE pmid IN (SELECT pmid FROM changed)
    UNION ALL
    SELECT pmid FROM citation_links WHERE related_pmid IN (SELECT pmid FROM changed)
)
SELECT DISTINCT o.pmid
FROM other AS o
WHERE o.pmid IN (SELECT pmid FROM citations) AND o.pmid NOT IN (SELECT pmid FROM changed)
