-- Which MeSH headings have this term as an entry term?
-- Grain: one heading. Inputs: mesh_descriptors; parameter $term (lower case). Output: name.
SELECT name FROM mesh_descriptors
WHERE lower(name) <> $term
    AND list_contains(list_transform(entry_terms, lambda t: lower(t)), $term)
ORDER BY ui
