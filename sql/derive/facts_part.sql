-- Citations of whose facts only the guidelines that cite them and their journal version can differ.
-- Grain: one PMID. Inputs: own(pmid), linked(pmid), whole(pmid), evidence_facts of the last commit,
-- guideline_references now and of the last commit; $as_of_year. Output: pmid.
-- The first recent guideline that has references makes known, for all citations, what was not.
WITH held AS (
    SELECT
        EXISTS (
            FROM guideline_references WHERE year BETWEEN $as_of_year - 10 AND $as_of_year
        ) AS now,
        EXISTS (
            FROM before.guideline_references WHERE year BETWEEN $as_of_year - 10 AND $as_of_year
        ) AS earlier
)
SELECT pmid
FROM (
    SELECT cited_pmid AS pmid FROM guideline_references WHERE pmid IN (SELECT pmid FROM own)
    UNION
    SELECT cited_pmid FROM before.guideline_references WHERE pmid IN (SELECT pmid FROM own)
    UNION
    SELECT pmid FROM linked
    UNION
    SELECT pmid FROM before.evidence_facts WHERE (SELECT now <> earlier FROM held)
)
WHERE pmid NOT IN (SELECT pmid FROM whole)
