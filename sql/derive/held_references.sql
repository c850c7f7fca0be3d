-- What the guidelines of the warehouse say of the changed citations, and that there are any.
-- Grain: one reference. Inputs: the whole guideline_references, changed(pmid); $as_of_year.
-- Output: the rows of guideline_references that cite a changed citation, and one of the newest.
SELECT * FROM memory.main.guideline_references
WHERE cited_pmid IN (SELECT pmid FROM changed)
UNION
(SELECT * FROM memory.main.guideline_references WHERE year <= $as_of_year ORDER BY year DESC LIMIT 1)
