-- Question: how does a citation relate to others: retraction, erratum, comment, update, preprint?
-- Grain:    one relation of one changed citation, stated or probable.
-- Inputs:   citations, changed(pmid), preprint(pmid), probable_pairs(preprint, article).
-- Output:   the rows of citation_links.
-- Reference lists (Cites) are not relations; they stay in citations.cited_pmids.
WITH correction AS (
    SELECT c.pmid, unnest(c.comments_corrections) AS item
    FROM citations AS c
    WHERE len(c.comments_corrections) > 0
),
relation AS (
    SELECT
        pmid,
        -- CorrectedandRepublishedIn is the one RefType whose words are not all capitalised.
        lower(
            regexp_replace(
                replace(item.ref_type, 'andRepublished', 'AndRepublished'),
                '([a-z])([A-Z])', '\1_\2', 'g'
            )
        ) AS link_type,
        item.pmid AS related_pmid,
        item.source AS source_text
    FROM correction
    WHERE item.ref_type IS NOT NULL AND item.ref_type <> 'Cites'
),
-- PubMed ties a preprint to its article with UpdateIn (on the preprint) and UpdateOf (on the
-- article); either record may lack its half.
stated_pair AS (
    SELECT pmid AS preprint, related_pmid AS article, source_text
    FROM relation
    WHERE link_type = 'update_in' AND related_pmid IS NOT NULL
        AND pmid IN (SELECT pmid FROM preprint)
        AND related_pmid NOT IN (SELECT pmid FROM preprint)
    UNION ALL
    SELECT related_pmid, pmid, source_text
    FROM relation
    WHERE link_type = 'update_of' AND related_pmid IN (SELECT pmid FROM preprint)
        AND pmid NOT IN (SELECT pmid FROM preprint)
),
pair AS (
    SELECT preprint, article, 'stated' AS certainty, any_value(source_text) AS source_text
    FROM stated_pair
    GROUP BY preprint, article
    UNION ALL
    SELECT preprint, article, 'probable', NULL
    FROM probable_pairs
    WHERE preprint NOT IN (SELECT preprint FROM stated_pair)
)
SELECT DISTINCT pmid, link_type, related_pmid, 'stated' AS certainty, source_text
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
