-- Question: how does a citation relate to others: retraction, erratum, comment, update, preprint?
-- Grain:    one relation of one changed citation, stated or probable.
-- Inputs:   relation(pmid, link_type, related_pmid, source_text), pair(preprint, article,
--           certainty, source_text), changed(pmid): PMIDs that the warehouse holds.
-- Output:   the rows of citation_links.
SELECT pmid, link_type, related_pmid, 'stated' AS certainty, source_text
FROM relation
WHERE pmid IN (SELECT pmid FROM changed)
UNION ALL
SELECT preprint, 'preprint_of', article, certainty, source_text
FROM pair
WHERE preprint IN (SELECT pmid FROM changed)
UNION ALL
SELECT article, 'has_preprint', preprint, certainty, source_text
FROM pair
WHERE article IN (SELECT pmid FROM changed)
