-- Citations whose links may change because a changed citation names them, or named them.
-- Grain: one PMID. Inputs: changed(pmid), citations, citation_links. Output: pmid.
-- Run on the snapshot before (what was named) and on the new one (what is named now).
SELECT DISTINCT l.related_pmid AS pmid
FROM citation_links AS l
SEMI JOIN changed AS c ON l.pmid = c.pmid
WHERE l.related_pmid IS NOT NULL
UNION
SELECT DISTINCT correction.pmid
FROM (
    SELECT unnest(r.comments_corrections) AS correction
    FROM citations AS r
    SEMI JOIN changed AS c ON r.pmid = c.pmid
)
WHERE correction.pmid IS NOT NULL
