-- Question: how often do a year's records cite a journal's records of the two years before?
-- Grain:    one journal in one year.
-- Inputs:   citations of the whole warehouse, document(pmid, code, year).
-- Output:   code, year, cites.
-- Documents are looked up in memory while references stream by; the other way round the
-- references (20 a record) would have to be held.
SELECT d.code, r.citing_year AS year, count(*) AS cites
FROM (
    SELECT year AS citing_year, unnest(cited_pmids) AS pmid
    FROM citations
    WHERE journal_nlm_id IS NOT NULL AND year IS NOT NULL
) AS r
JOIN document AS d ON d.pmid = r.pmid
WHERE r.citing_year - d.year IN (1, 2)
GROUP BY ALL
