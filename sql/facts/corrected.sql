-- Question: which citations are corrected republications of others?
-- Grain:    one citation.
-- Inputs:   citations.
-- Output:   pmid.
SELECT pmid
FROM citations
WHERE list_contains(publication_type_uis, 'D016439')
    OR list_contains(
        list_transform(publication_types, lambda x: lower(x)), 'corrected and republished article'
    )
