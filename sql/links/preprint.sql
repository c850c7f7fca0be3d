-- Question: which citations are preprints, by type or by their server?
-- Grain:    one citation of the whole warehouse.
-- Inputs:   title_keys.
-- Output:   pmid, year and the keys of its title, null where it cannot be paired by words.
SELECT pmid, year, key_1, key_2, key_3
FROM title_keys
WHERE is_preprint
