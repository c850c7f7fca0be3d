-- Citations that the links of these citations name.
-- Grain: one PMID. Inputs: changed(pmid), citation_links. Output: pmid.
SELECT DISTINCT l.related_pmid AS pmid
FROM citation_links AS l
SEMI JOIN changed AS c ON l.pmid = c.pmid
WHERE l.related_pmid IS NOT NULL
