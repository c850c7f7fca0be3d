-- Question: what do guidelines and consensus statements cite?
-- Grain:    one reference of one changed guideline.
-- Inputs:   citations, changed(pmid); $guideline_uis and $guideline_names (types of A1 and A2).
-- Output:   the rows of guideline_references.
WITH guideline AS (
    SELECT pmid, year, cited_pmids
    FROM citations
    WHERE pmid IN (SELECT pmid FROM changed)
        AND (
            list_has_any(publication_type_uis, $guideline_uis)
            OR list_has_any(list_transform(publication_types, lambda x: lower(x)), $guideline_names)
        )
)
SELECT pmid, year, unnest(list_distinct(cited_pmids)) AS cited_pmid
FROM guideline
