-- Question: how often is a journal cited, and how often do its records state interests?
-- Grain:    one journal in one year.
-- Inputs:   journal_year(journal_nlm_id, year, documents, coi_share), journal_code(journal_nlm_id,
--           code), cites(code, year, cites).
-- Output:   the rows of journal_metrics.
-- Cites per document of year y: references in records of y to the journal's records of y-1 and
-- y-2, by the number of those records. Only references with a PMID are counted, so it is lower
-- than an impact factor and comparable only with itself.
-- Documents of a year are the basis of the two years that follow it.
WITH basis AS (
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
