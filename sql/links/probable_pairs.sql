-- Question: which article is probably the journal version of a preprint that states none?
-- Grain:    one preprint with its most similar article.
-- Inputs:   candidates(preprint, article), citations (of these), macros of links/macros.sql;
--           $title_overlap (shared words by all words of both titles).
-- Output:   preprint, article.
-- Last resort: same first author, near-equal title, years within the span.
WITH compared AS (
    SELECT c.pmid, pair_author(c.authors) AS author, pair_words(c.title) AS words
    FROM citations AS c
    WHERE c.pmid IN (SELECT preprint FROM candidates UNION ALL SELECT article FROM candidates)
),
alike AS (
    SELECT
        k.preprint,
        k.article,
        len(list_intersect(p.words, a.words))::DOUBLE
            / len(list_distinct(list_concat(p.words, a.words))) AS overlap
    FROM candidates AS k
    JOIN compared AS p ON p.pmid = k.preprint
    JOIN compared AS a ON a.pmid = k.article
    WHERE p.author = a.author
)
SELECT preprint, arg_max(article, (overlap, -article)) AS article
FROM alike
WHERE overlap >= $title_overlap
GROUP BY preprint
