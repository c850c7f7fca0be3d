-- Question: which citations are preprints, and which records may be their journal versions?
-- Grain:    one changed citation that is a preprint or may be the journal version of one.
-- Inputs:   citations, changed(pmid), macros of links/macros.sql; $preprint_ids and
--           $preprint_names from sql/facts/preprint_servers.csv.
-- Output:   the rows of title_keys.
-- Keys are of the three longest words: two titles that share four fifths of their words share
-- one of these (up to two words on either side may differ), and long words are rare.
WITH own AS (
    SELECT
        c.pmid,
        c.year,
        coalesce(c.journal_nlm_id IN $preprint_ids, false)
            OR coalesce(lower(c.journal) IN $preprint_names, false)
            OR coalesce(lower(c.journal_abbreviation) IN $preprint_names, false)
            OR coalesce(list_contains(c.publication_type_uis, 'D000076942'), false)
            OR coalesce(
                list_contains(list_transform(c.publication_types, lambda x: lower(x)), 'preprint'),
                false
            ) AS is_preprint,
        pair_author(c.authors) AS author,
        pair_words(c.title) AS words,
        NOT list_has_any(
            list_transform(c.publication_types, lambda x: lower(x)),
            [
                'comment', 'letter', 'editorial', 'published erratum', 'retraction of publication',
                'expression of concern', 'news'
            ]
        )
        AND NOT list_has_any(
            list_transform(c.comments_corrections, lambda x: x.ref_type), ['UpdateIn', 'UpdateOf']
        ) AS says_nothing_else
    FROM citations AS c
    WHERE c.pmid IN (SELECT pmid FROM changed)
),
judged AS (
    -- Short titles ("Reply", "COVID-19") match by chance.
    SELECT *, coalesce(year IS NOT NULL AND says_nothing_else AND author <> '' AND len(words) >= 5, false)
        AS may_pair
    FROM own
),
longest AS (
    SELECT pmid, is_preprint, may_pair, year, author,
        list_transform(
            list_reverse_sort(list_transform(words, lambda w: lpad(len(w)::VARCHAR, 5, '0') || w))[:3],
            lambda w: w[6:]
        ) AS words
    FROM judged
    WHERE is_preprint OR may_pair
)
SELECT
    pmid,
    is_preprint,
    CASE WHEN may_pair THEN year END AS year,
    CASE WHEN may_pair THEN pair_key(author, words[1]) END AS key_1,
    CASE WHEN may_pair THEN pair_key(author, words[2]) END AS key_2,
    CASE WHEN may_pair THEN pair_key(author, words[3]) END AS key_3
FROM longest
