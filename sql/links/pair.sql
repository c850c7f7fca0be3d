-- Question: which article is the journal version of a preprint, as stated or probably?
-- Grain:    one asked preprint with one article (or several that records state).
-- Inputs:   relation(pmid, link_type, related_pmid, source_text), preprint(pmid),
--           asked_preprint(pmid), probable_pairs(preprint, article).
-- Output:   preprint, article, certainty, source_text.
-- PubMed ties a preprint to its article with UpdateIn (on the preprint) and UpdateOf (on the
-- article); either record may lack its half.
WITH stated_pair AS (
    SELECT pmid AS preprint, related_pmid AS article, source_text
    FROM relation
    WHERE link_type = 'update_in' AND related_pmid IS NOT NULL
        AND pmid IN (SELECT pmid FROM asked_preprint)
    UNION ALL
    SELECT related_pmid, pmid, source_text
    FROM relation
    WHERE link_type = 'update_of' AND related_pmid IN (SELECT pmid FROM asked_preprint)
),
stated AS (
    SELECT preprint, article, min(source_text) AS source_text
    FROM stated_pair
    WHERE article NOT IN (SELECT pmid FROM preprint)
    GROUP BY preprint, article
)
SELECT preprint, article, 'stated' AS certainty, source_text
FROM stated
UNION ALL
SELECT preprint, article, 'probable', NULL
FROM probable_pairs
WHERE preprint NOT IN (SELECT preprint FROM stated)
