-- Question: which article is probably the journal version of a preprint that states none?
-- Grain:    one preprint with its most similar article.
-- Inputs:   citations, preprint(pmid), changed(pmid); $year_span, $title_overlap (shared words /
--           all words of both titles).
-- Output:   preprint, article.
-- Last resort: same first author, near-equal title, years within the span. Compared only inside
-- blocks of first author and one of the title's three rarest-hashed words, from preprints out.
WITH candidate AS (
    SELECT
        c.pmid,
        c.year,
        c.pmid IN (SELECT pmid FROM preprint) AS is_preprint,
        c.pmid IN (SELECT pmid FROM changed) AS is_changed,
        -- 'Smith JA' and 'Smith J' are one author here.
        regexp_extract(lower(strip_accents(c.authors[1])), '^(.* [a-z])[a-z]*$', 1) AS author,
        list_distinct(regexp_extract_all(lower(strip_accents(c.title)), '[a-z0-9]+')) AS words
    FROM citations AS c
    WHERE c.year IS NOT NULL AND c.title IS NOT NULL AND len(c.authors) > 0
        AND NOT list_has_any(
            list_transform(c.publication_types, lambda x: lower(x)),
            [
                'comment', 'letter', 'editorial', 'published erratum', 'retraction of publication',
                'expression of concern', 'news'
            ]
        )
        AND NOT list_has_any(
            list_transform(c.comments_corrections, lambda x: x.ref_type), ['UpdateIn', 'UpdateOf']
        )
),
-- Short titles ("Reply", "COVID-19") match by chance.
titled AS (
    SELECT *, list_sort(list_transform(words, lambda x: hash(x)))[:3] AS sketch
    FROM candidate
    WHERE len(words) >= 5 AND author <> ''
),
preprint_block AS (
    SELECT pmid, year, is_changed, words, author, unnest(sketch) AS word
    FROM titled
    WHERE is_preprint
),
article_block AS (
    SELECT pmid, year, is_changed, words, author, unnest(sketch) AS word
    FROM titled
    WHERE NOT is_preprint AND author IN (SELECT author FROM titled WHERE is_preprint)
),
alike AS (
    SELECT DISTINCT
        p.pmid AS preprint,
        a.pmid AS article,
        len(list_intersect(p.words, a.words))::DOUBLE
            / len(list_distinct(list_concat(p.words, a.words))) AS overlap
    FROM article_block AS a
    JOIN preprint_block AS p ON p.author = a.author AND p.word = a.word
    WHERE abs(p.year - a.year) <= $year_span AND (p.is_changed OR a.is_changed)
)
SELECT preprint, arg_max(article, (overlap, -article)) AS article
FROM alike
WHERE overlap >= $title_overlap
GROUP BY preprint
