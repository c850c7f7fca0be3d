-- Question: which keys do preprints have?
-- Grain:    one key of one preprint.
-- Inputs:   preprint(pmid, year, key_1, key_2, key_3).
-- Output:   pmid, year, key.
SELECT pmid, year, unnest([key_1, key_2, key_3]) AS key
FROM preprint
WHERE key_1 IS NOT NULL
