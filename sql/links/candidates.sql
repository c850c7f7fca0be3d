-- Question: which articles share a first author and a long word of the title with a preprint?
-- Grain:    one preprint with one article.
-- Inputs:   title_keys, asked_key(pmid, year, key) of the preprints; $year_span, $first_year and
--           $last_year: those of the preprints, wider by the span.
-- Output:   preprint, article.
-- Articles are read once, those of other years (older PMIDs) not at all, and most are dropped
-- before their keys are set out in rows.
WITH article AS (
    SELECT pmid, year, unnest([key_1, key_2, key_3]) AS key
    FROM title_keys
    WHERE NOT is_preprint
        AND year BETWEEN $first_year AND $last_year
        AND (
            key_1 IN (SELECT key FROM asked_key)
            OR key_2 IN (SELECT key FROM asked_key)
            OR key_3 IN (SELECT key FROM asked_key)
        )
)
SELECT DISTINCT p.pmid AS preprint, a.pmid AS article
FROM article AS a
JOIN asked_key AS p ON p.key = a.key
WHERE abs(p.year - a.year) <= $year_span
