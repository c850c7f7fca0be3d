-- Citations that these guidelines cite: signal S-4 looks at them.
-- Grain: one PMID. Inputs: guidelines(pmid), citations. Output: pmid.
SELECT DISTINCT unnest(r.cited_pmids) AS pmid
FROM citations AS r
SEMI JOIN guidelines AS g ON r.pmid = g.pmid
