-- Names and entry terms of every descriptor, for looking up what a searcher types.
-- Grain: one term of one descriptor. Input: mesh_descriptors.
-- Output: ui, name, class, term (as written), preferred (its own name, not an entry term).
select ui, name, descriptor_class as class, name as term, true as preferred from mesh_descriptors
union all
select ui, name, descriptor_class, unnest(entry_terms), false from mesh_descriptors;
