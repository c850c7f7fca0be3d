-- Citations whose titles are compared.
-- Grain: one PMID. Input: candidates(preprint, article). Output: pmid.
SELECT preprint AS pmid FROM candidates
UNION
SELECT article FROM candidates
