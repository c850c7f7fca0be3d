-- Citations to read: those whose facts are worked out, and the republications that they name.
-- Grain: one PMID. Inputs: whole(pmid), citation_links. Output: pmid.
SELECT pmid FROM whole
UNION
SELECT related_pmid FROM citation_links
WHERE link_type = 'republished_in' AND related_pmid IS NOT NULL
    AND pmid IN (SELECT pmid FROM whole)
