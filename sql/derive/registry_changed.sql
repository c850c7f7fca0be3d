-- Citations whose registry entries changed between two AACT deliveries.
-- Grain: one PMID. Inputs: the two queries above over the snapshot before (papers_before,
-- facts_before) and the new one (papers_now, facts_now), citation_trials. Output: pmid.
WITH papers AS (
    (FROM papers_before EXCEPT FROM papers_now)
    UNION
    (FROM papers_now EXCEPT FROM papers_before)
),
moved AS (
    (FROM facts_before EXCEPT FROM facts_now)
    UNION
    (FROM facts_now EXCEPT FROM facts_before)
)
SELECT pmid FROM papers
UNION
SELECT l.pmid
FROM citation_trials AS l
WHERE l.nct_id IN (SELECT nct_id FROM moved)
