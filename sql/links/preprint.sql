-- Question: which citations are preprints, by type or by their server?
-- Grain:    one citation of the whole warehouse.
-- Inputs:   title_keys.
-- Output:   pmid.
SELECT pmid
FROM title_keys
WHERE is_preprint
