-- Question: which journal article stands for a preprint now?
-- Grain:    one changed preprint with a journal version.
-- Inputs:   citation_links, changed(pmid).
-- Output:   pmid, superseded_by: a stated link before a probable one, then the lowest PMID.
SELECT pmid, arg_min(related_pmid, (certainty <> 'stated', related_pmid)) AS superseded_by
FROM citation_links
WHERE link_type = 'preprint_of' AND related_pmid IS NOT NULL
    AND pmid IN (SELECT pmid FROM changed)
GROUP BY pmid
