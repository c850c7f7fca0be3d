-- Grades of the day's records, and of others where they are not what they were.
-- Grain: one PMID. Inputs: graded_now (rows worked out), graded_before (rows as they stand),
-- own(pmid): the day's records. Output: the rows of graded.
FROM graded_now WHERE pmid IN (SELECT pmid FROM own)
UNION ALL
(
    FROM graded_now WHERE pmid NOT IN (SELECT pmid FROM own)
    EXCEPT
    FROM graded_before
)
