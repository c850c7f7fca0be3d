-- Question: how often is a journal cited, and how often do its records state interests?
-- Grain:    one journal in one year.
-- Inputs:   citations of the whole warehouse, journal_year(journal_nlm_id, year, documents,
--           coi_share), journal_code(journal_nlm_id, code), document(pmid, code, year).
-- Output:   the rows of journal_metrics.
-- Cites per document of year y: references in records of y to the journal's records of y-1 and
-- y-2, by the number of those records. Only references with a PMID are counted, so it is lower
-- than an impact factor and comparable only with itself.
WITH cites AS (
    SELECT d.code, r.citing_year AS year, count(*) AS cites
    FROM (
        SELECT year AS citing_year, unnest(cited_pmids) AS pmid
        FROM citations
        WHERE journal_nlm_id IS NOT NULL AND year IS NOT NULL
    ) AS r
    JOIN document AS d ON d.pmid = r.pmid
    WHERE r.citing_year - d.year IN (1, 2)
    GROUP BY ALL
),
-- Documents of a year are the basis of the two years that follow it.
basis AS (
    SELECT journal_nlm_id, year + step AS year, sum(documents) AS documents
    FROM journal_year CROSS JOIN (VALUES (1), (2)) AS following(step)
    GROUP BY ALL
)
SELECT
    j.journal_nlm_id,
    j.year,
    j.documents::INTEGER AS documents,
    j.coi_share::FLOAT AS coi_share,
    (coalesce(c.cites, 0) / b.documents)::FLOAT AS cites_per_document
FROM journal_year AS j
JOIN journal_code AS k ON k.journal_nlm_id = j.journal_nlm_id
LEFT JOIN basis AS b ON b.journal_nlm_id = j.journal_nlm_id AND b.year = j.year
LEFT JOIN cites AS c ON c.code = k.code AND c.year = j.year
