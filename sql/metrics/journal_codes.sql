-- Question: which small number stands for a journal here?
-- Grain:    one journal.
-- Inputs:   journal_year(journal_nlm_id, year, documents, coi_share).
-- Output:   journal_nlm_id, code.
SELECT journal_nlm_id, row_number() OVER ()::INTEGER AS code
FROM (SELECT DISTINCT journal_nlm_id FROM journal_year)
