-- Question: which articles share a first author and a long word of the title with a preprint?
-- Grain:    one preprint with one article.
-- Inputs:   title_key(pmid, year, is_preprint, key), asked_preprint(pmid); $year_span.
-- Output:   preprint, article.
SELECT DISTINCT p.pmid AS preprint, a.pmid AS article
FROM title_key AS a
JOIN (
    SELECT pmid, year, key FROM title_key
    WHERE is_preprint AND pmid IN (SELECT pmid FROM asked_preprint)
) AS p ON p.key = a.key
WHERE NOT a.is_preprint AND abs(p.year - a.year) <= $year_span
