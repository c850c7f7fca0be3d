-- Question: which keys do preprints have?
-- Grain:    one key of one preprint.
-- Inputs:   title_keys.
-- Output:   pmid, year, key.
SELECT pmid, year, unnest([key_1, key_2, key_3]) AS key
FROM title_keys
WHERE is_preprint AND key_1 IS NOT NULL
