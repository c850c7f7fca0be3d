-- Trials of the day's citations and of those that the registry names anew.
-- Grain: one way in which a citation is tied to a trial. Inputs: said (citation_trials worked out
-- from the day's records and the registry), citation_trials of the last commit, own(pmid): the
-- day's records, changed(pmid): those and what the registry names. Output: rows of citation_trials.
-- What unchanged records say of trials stands as it was.
SELECT pmid, nct_id, source FROM said
UNION ALL
SELECT pmid, nct_id, source
FROM before.citation_trials
WHERE source IN ('databank', 'abstract', 'title')
    AND pmid IN (SELECT pmid FROM changed)
    AND pmid NOT IN (SELECT pmid FROM own)
