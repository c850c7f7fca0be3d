-- Guidelines and consensus papers among the changed citations.
-- Grain: one PMID. Inputs: changed(pmid), evidence_facts. Output: pmid.
SELECT f.pmid
FROM evidence_facts AS f
SEMI JOIN changed AS c ON f.pmid = c.pmid
WHERE f.is_guideline OR f.is_consensus
