-- Question: which citations does a guideline of the last ten years cite?
-- Grain:    one cited PMID among the changed ones.
-- Inputs:   guideline_references, changed(pmid), $as_of_year.
-- Output:   pmid.
SELECT DISTINCT cited_pmid AS pmid
FROM guideline_references
WHERE year BETWEEN $as_of_year - 10 AND $as_of_year
    AND cited_pmid IN (SELECT pmid FROM changed)
