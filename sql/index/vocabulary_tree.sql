-- Places of the descriptors in the MeSH tree.
-- Grain: one place. Input: mesh_tree. Output: tree_number, ui.
select tree_number, ui from mesh_tree;
