-- Citations whose preprint or journal version can be another than it was.
-- Grain: one PMID, held by the warehouse or not. Inputs: own(pmid): the day's records, relation,
-- citation_links of the last commit, own_key (rows of title_keys of the day's records),
-- preprint_key(pmid, year, key); $year_span.
-- Output: pmid.
SELECT pmid FROM own
UNION
SELECT related_pmid FROM relation
WHERE link_type IN ('update_in', 'update_of') AND related_pmid IS NOT NULL
    AND pmid IN (SELECT pmid FROM own)
UNION
SELECT pmid FROM relation
WHERE link_type IN ('update_in', 'update_of') AND related_pmid IN (SELECT pmid FROM own)
UNION
SELECT related_pmid FROM before.citation_links
WHERE link_type IN ('update_in', 'update_of', 'preprint_of', 'has_preprint')
    AND related_pmid IS NOT NULL AND pmid IN (SELECT pmid FROM own)
UNION
SELECT pmid FROM before.citation_links
WHERE link_type = 'preprint_of' AND related_pmid IN (SELECT pmid FROM own)
UNION
-- Preprints that share the first author and a long word with one of the day's articles.
SELECT p.pmid
FROM preprint_key AS p
JOIN (
    SELECT year, unnest([key_1, key_2, key_3]) AS key
    FROM own_key
    WHERE NOT is_preprint
) AS a ON a.key = p.key
WHERE abs(p.year - a.year) <= $year_span
