-- Citations whose facts are worked out from their records.
-- Grain: one PMID. Inputs: own(pmid): the day's records, registry(pmid): named by changed registry
-- entries, citation_trials and citation_links now and of the last commit. Output: pmid.
-- A paper derived from a trial is its result only as long as it is the only one: another paper
-- that comes or goes counts. So does the type of a republication for the original.
WITH tied_before AS (
    SELECT nct_id, pmid FROM before.citation_trials
    WHERE source IN ('registry_result', 'registry_derived') AND pmid IN (SELECT pmid FROM own)
),
tied_now AS (
    SELECT nct_id, pmid FROM citation_trials
    WHERE source IN ('registry_result', 'registry_derived') AND pmid IN (SELECT pmid FROM own)
),
moved AS (
    (FROM tied_before EXCEPT FROM tied_now) UNION (FROM tied_now EXCEPT FROM tied_before)
)
SELECT pmid FROM own
UNION
SELECT pmid FROM registry
UNION
SELECT pmid FROM citation_trials
WHERE source = 'registry_derived' AND nct_id IN (SELECT nct_id FROM moved)
UNION
SELECT pmid FROM citation_links
WHERE link_type = 'republished_in' AND related_pmid IN (SELECT pmid FROM own)
