-- Question: in which journal and year does a PMID lie?
-- Grain:    one citation with a journal and a year.
-- Inputs:   citations, journal_code(journal_nlm_id, code).
-- Output:   pmid, code, year: as small as a look-up of all of PubMed must be.
SELECT c.pmid, j.code, c.year
FROM citations AS c
JOIN journal_code AS j ON j.journal_nlm_id = c.journal_nlm_id
WHERE c.year IS NOT NULL
