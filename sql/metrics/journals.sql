-- Question: how many records has a journal in a year, and how many of them state interests?
-- Grain:    one journal in one year.
-- Inputs:   citations of the whole warehouse.
-- Output:   journal_nlm_id, year, documents, coi_share.
SELECT journal_nlm_id, year, count(*) AS documents,
    avg(CASE WHEN coalesce(trim(coi_statement), '') <> '' THEN 1.0 ELSE 0.0 END) AS coi_share
FROM citations
WHERE journal_nlm_id IS NOT NULL AND year IS NOT NULL
GROUP BY journal_nlm_id, year
