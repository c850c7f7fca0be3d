-- Question: which keys do the preprints have whose journal version is looked for?
-- Grain:    one key of one preprint.
-- Inputs:   preprint_key(pmid, year, key), asked_preprint(pmid).
-- Output:   pmid, year, key.
SELECT pmid, year, key
FROM preprint_key
WHERE pmid IN (SELECT pmid FROM asked_preprint)
