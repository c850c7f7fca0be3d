-- Citations of whose facts only the guidelines that cite them and their journal version can differ.
-- Grain: one PMID. Inputs: own(pmid), linked(pmid), whole(pmid), guideline_references now and of
-- the last commit. Output: pmid.
SELECT pmid
FROM (
    SELECT cited_pmid AS pmid FROM guideline_references WHERE pmid IN (SELECT pmid FROM own)
    UNION
    SELECT cited_pmid FROM before.guideline_references WHERE pmid IN (SELECT pmid FROM own)
    UNION
    SELECT pmid FROM linked
)
WHERE pmid NOT IN (SELECT pmid FROM whole)
