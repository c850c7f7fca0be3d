-- One number that changes with the loaded MeSH, so that an unchanged vocabulary is not made again.
-- Grain: one row. Inputs: mesh_descriptors, mesh_tree. Output: descriptors, version (text).
select
    (select count(*) from mesh_descriptors) as descriptors,
    concat_ws('-',
        (select count(*) from mesh_descriptors),
        (select sum(hash(ui, name, entry_terms)::hugeint) from mesh_descriptors),
        (select sum(hash(ui, tree_number)::hugeint) from mesh_tree)) as version;
