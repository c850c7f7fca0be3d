-- Question: which citations does a guideline of the last ten years cite?
-- Grain:    one cited PMID among the changed ones.
-- Inputs:   citations, changed(pmid), guideline_uis and guideline_names (types of A1 and A2),
--           $as_of_year.
-- Output:   pmid.
WITH guideline AS (
    SELECT cited_pmids
    FROM citations
    WHERE year BETWEEN $as_of_year - 10 AND $as_of_year
        AND (
            list_has_any(publication_type_uis, $guideline_uis)
            OR list_has_any(list_transform(publication_types, lambda x: lower(x)), $guideline_names)
        )
)
SELECT DISTINCT cited.pmid
FROM (SELECT unnest(cited_pmids) AS pmid FROM guideline) AS cited
WHERE cited.pmid IN (SELECT pmid FROM changed)
