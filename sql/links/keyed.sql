-- The keys of preprints and of possible journal versions, one a row.
-- Grain: one key of one citation. Inputs: title_keys. Output: view title_key(pmid, year,
-- is_preprint, key).
CREATE OR REPLACE TEMP VIEW title_key AS
SELECT pmid, year, is_preprint, key_1 AS key FROM title_keys WHERE key_1 IS NOT NULL
UNION ALL
SELECT pmid, year, is_preprint, key_2 FROM title_keys WHERE key_2 IS NOT NULL
UNION ALL
SELECT pmid, year, is_preprint, key_3 FROM title_keys WHERE key_3 IS NOT NULL
