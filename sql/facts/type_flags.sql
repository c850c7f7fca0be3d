-- Question: what do a record's publication types say?
-- Grain:    one distinct combination of publication types, as the records give them.
-- Inputs:   citations, changed(pmid), publication_type_map(ui, name, flag, place) from
--           sql/grade/types.csv, heading_sets(kind, ui) for the children of RCT.
-- Output:   publication_types, publication_type_uis, one flag a class, excluded_type, types_silent.
-- Matching: by MeSH UI where the record gives one that is known, else by the whole name,
--           case-folded; never by substring.
WITH combination AS (
    SELECT DISTINCT c.publication_types, c.publication_type_uis
    FROM citations AS c
    WHERE c.pmid IN (SELECT pmid FROM changed)
),
item AS (
    SELECT
        publication_types,
        publication_type_uis,
        unnest(list_zip(publication_types, publication_type_uis)) AS pair
    FROM combination
),
keyed AS (
    SELECT
        publication_types,
        publication_type_uis,
        lower(trim(regexp_replace(pair[1], '\s+', ' ', 'g'))) AS name,
        nullif(trim(pair[2]), '') AS ui
    FROM item
),
ui_map AS (
    SELECT ui, any_value(flag) AS flag, min(place) AS place, arg_min(name, place) AS name
    FROM publication_type_map WHERE ui IS NOT NULL GROUP BY ui
),
name_map AS (
    SELECT lower(name) AS key, any_value(flag) AS flag, min(place) AS place, any_value(name) AS name
    FROM publication_type_map GROUP BY key
),
flagged AS (
    SELECT
        k.publication_types,
        k.publication_type_uis,
        CASE
            WHEN u.ui IS NOT NULL THEN u.flag
            WHEN k.ui IN (SELECT ui FROM heading_sets WHERE kind = 'rct') THEN 'rct'
            ELSE n.flag
        END AS flag,
        coalesce(u.place, n.place) AS place,
        coalesce(u.name, n.name) AS type_name
    FROM keyed AS k
    LEFT JOIN ui_map AS u ON u.ui = k.ui
    LEFT JOIN name_map AS n ON n.key = k.name
)
SELECT
    c.publication_types,
    c.publication_type_uis,
    arg_min(f.type_name, f.place) FILTER (f.flag = 'excluded') AS excluded_type,
    coalesce(bool_or(f.flag = 'retracted'), false) AS retracted,
    coalesce(bool_or(f.flag = 'guideline'), false) AS guideline,
    coalesce(bool_or(f.flag = 'consensus'), false) AS consensus,
    coalesce(bool_or(f.flag = 'meta_analysis'), false) AS meta_analysis,
    coalesce(bool_or(f.flag = 'systematic_review'), false) AS systematic_review,
    coalesce(bool_or(f.flag = 'rct'), false) AS rct,
    coalesce(bool_or(f.flag = 'phase_1'), false) AS phase_1,
    coalesce(bool_or(f.flag = 'phase_2'), false) AS phase_2,
    coalesce(bool_or(f.flag = 'phase_3'), false) AS phase_3,
    coalesce(bool_or(f.flag = 'trial_other'), false) AS trial_other,
    coalesce(bool_or(f.flag = 'multicenter'), false) AS multicenter,
    coalesce(bool_or(f.flag = 'observational'), false) AS observational,
    coalesce(bool_or(f.flag = 'comparative_effectiveness'), false) AS comparative_effectiveness,
    coalesce(bool_or(f.flag = 'case_report'), false) AS case_report,
    coalesce(bool_or(f.flag = 'review'), false) AS review,
    -- Not the scoping kinds: only the type Review makes a Cochrane record an A4.
    coalesce(bool_or(f.type_name = 'Review'), false) AS plain_review,
    coalesce(bool_or(f.flag = 'preprint'), false) AS preprint,
    coalesce(bool_or(f.flag = 'protocol'), false) AS protocol,
    coalesce(
        bool_and(
            f.flag IS NULL
            OR f.flag IN ('silent', 'multicenter', 'comparative_effectiveness', 'preprint', 'retracted')
        ),
        true
    ) AS types_silent
FROM combination AS c
LEFT JOIN flagged AS f
    ON f.publication_types = c.publication_types
    AND f.publication_type_uis IS NOT DISTINCT FROM c.publication_type_uis
GROUP BY c.publication_types, c.publication_type_uis
