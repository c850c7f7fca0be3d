-- Question: which citations are preprints, by type or by their server?
-- Grain:    one citation of the whole warehouse.
-- Inputs:   citations; $preprint_ids and $preprint_names from sql/facts/preprint_servers.csv.
-- Output:   pmid.
SELECT pmid
FROM citations
WHERE journal_nlm_id IN $preprint_ids
    OR lower(journal) IN $preprint_names
    OR lower(journal_abbreviation) IN $preprint_names
    OR list_contains(publication_type_uis, 'D000076942')
    OR list_contains(list_transform(publication_types, lambda x: lower(x)), 'preprint')
