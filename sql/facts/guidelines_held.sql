-- Question: does the warehouse hold a guideline of the last ten years that has references?
-- Grain:    one row.
-- Inputs:   guideline_references, $as_of_year.
-- Output:   held. Where it is false, nobody can say that no guideline cites a paper (S-4).
SELECT count(*) > 0 AS held
FROM (FROM guideline_references WHERE year BETWEEN $as_of_year - 10 AND $as_of_year LIMIT 1)
