-- Question: which stored facts do guidelines and journal versions make others than they were?
-- Grain:    one citation whose own record did not change and whose facts did.
-- Inputs:   stored_facts (rows of evidence_facts), guideline_cited(pmid), guidelines_held(held),
--           superseded(pmid, superseded_by).
-- Output:   the rows of evidence_facts.
SELECT f.* REPLACE (
    CASE WHEN h.held THEN g.pmid IS NOT NULL END AS guideline_cites,
    CASE WHEN f.is_preprint THEN p.superseded_by END AS superseded_by
)
FROM stored_facts AS f
CROSS JOIN guidelines_held AS h
LEFT JOIN guideline_cited AS g ON g.pmid = f.pmid
LEFT JOIN superseded AS p ON p.pmid = f.pmid
WHERE f.guideline_cites IS DISTINCT FROM CASE WHEN h.held THEN g.pmid IS NOT NULL END
    OR f.superseded_by IS DISTINCT FROM CASE WHEN f.is_preprint THEN p.superseded_by END
