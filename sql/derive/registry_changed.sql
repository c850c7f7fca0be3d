-- Citations whose registry entries changed between two AACT deliveries.
-- Grain: one PMID. Inputs: papers and facts of the registry (registry_papers, registry_facts) in
-- the snapshot before (papers_before, facts_before) and the new one (papers_now, facts_now),
-- citation_trials of the snapshot before. Output: pmid.
-- Whether a paper is the only one of its trial counts too: all papers of a moved trial are named.
WITH papers AS (
    (FROM papers_before EXCEPT FROM papers_now)
    UNION
    (FROM papers_now EXCEPT FROM papers_before)
),
moved AS (
    (SELECT nct_id FROM (FROM facts_before EXCEPT FROM facts_now))
    UNION
    (SELECT nct_id FROM (FROM facts_now EXCEPT FROM facts_before))
    UNION
    (SELECT nct_id FROM papers)
)
SELECT pmid FROM papers
UNION
SELECT pmid FROM papers_now WHERE nct_id IN (SELECT nct_id FROM moved)
UNION
SELECT pmid FROM citation_trials WHERE nct_id IN (SELECT nct_id FROM moved)
