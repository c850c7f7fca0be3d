-- Question: which descriptors count as RCT, cohort, prospective, retrospective, case-control,
--           cross-sectional, registry, comparative effectiveness, rare disease?
-- Grain:    one descriptor in one kind.
-- Inputs:   mesh_tree(ui, tree_number); rare_headings(ui, name) from sql/facts/rare_headings.csv.
-- Output:   kind, ui, name (lower case; only for records whose headings have no UI).
-- When mesh_tree is empty the small part that docs/grading.md names stands in for it.
WITH root(kind, ui) AS (
    VALUES ('rct', 'D016449'), ('cohort', 'D015331'), ('case_control', 'D016022')
),
below AS (
    SELECT DISTINCT r.kind, child.ui
    FROM root AS r
    JOIN mesh_tree AS parent ON parent.ui = r.ui
    JOIN mesh_tree AS child ON starts_with(child.tree_number, parent.tree_number || '.')
    -- MeSH puts Retrospective Studies under both; the rules count it as a cohort.
    WHERE NOT (r.kind = 'case_control' AND child.ui = 'D012189')
),
built_in(kind, ui, name) AS (
    VALUES
    ('rct', 'D016449', 'randomized controlled trial'),
    ('rct', 'D000073843', 'equivalence trial'),
    ('rct', 'D065007', 'pragmatic clinical trial'),
    ('cohort', 'D015331', 'cohort studies'),
    ('cohort', 'D005500', 'follow-up studies'),
    ('cohort', 'D008137', 'longitudinal studies'),
    ('cohort', 'D011446', 'prospective studies'),
    ('cohort', 'D012189', 'retrospective studies'),
    ('prospective', 'D011446', 'prospective studies'),
    ('retrospective', 'D012189', 'retrospective studies'),
    ('case_control', 'D016022', 'case-control studies'),
    ('cross_sectional', 'D003430', 'cross-sectional studies'),
    ('registry', 'D012042', 'registries'),
    ('comparative_effectiveness', 'D057186', 'comparative effectiveness research')
)
SELECT kind, ui, name FROM built_in
UNION
SELECT b.kind, b.ui, NULL FROM below AS b
WHERE NOT EXISTS (FROM built_in AS i WHERE i.kind = b.kind AND i.ui = b.ui)
UNION
SELECT 'rare', ui, lower(name) FROM rare_headings
