-- Relations that records state: the day's as they say now, all others as they stand stored.
-- Grain: one relation. Inputs: said (of the day's records), citation_links of the last commit,
-- own(pmid): the day's records. Output: view relation(pmid, link_type, related_pmid, source_text).
CREATE OR REPLACE TEMP VIEW relation AS
SELECT pmid, link_type, related_pmid, source_text FROM said
UNION ALL
SELECT pmid, link_type, related_pmid, source_text
FROM before.citation_links
WHERE link_type NOT IN ('preprint_of', 'has_preprint') AND pmid NOT IN (SELECT pmid FROM own)
