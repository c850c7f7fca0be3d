-- Pairs of preprint and article that the day cannot have changed.
-- Grain: one pair. Inputs: citation_links of the last commit, named(pmid). Output: preprint,
-- article, certainty, source_text.
SELECT pmid, related_pmid, certainty, source_text
FROM before.citation_links
WHERE link_type = 'preprint_of' AND pmid NOT IN (SELECT pmid FROM named)
