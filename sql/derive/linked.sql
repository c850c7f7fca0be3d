-- Citations whose links are put anew: those named, and their partners before and now.
-- Grain: one PMID. Inputs: named(pmid), pair(preprint, article), citation_links of the last
-- commit. Output: pmid.
SELECT pmid FROM named
UNION
SELECT article FROM pair WHERE preprint IN (SELECT pmid FROM named)
UNION
SELECT related_pmid FROM before.citation_links
WHERE link_type = 'preprint_of' AND pmid IN (SELECT pmid FROM named)
