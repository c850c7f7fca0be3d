-- Invented citations with the shares and widths of PubMed, enough of each to cost what it costs.
-- Grain:  one citation, PMIDs $low to $high (exclusive) in order.
-- Inputs: $low, $high, $total (PMIDs of the whole warehouse), $width (characters of an abstract),
--         $seq, and the one-row table prose(words): 200,000 characters of words.
-- Output: the columns that are not empty; the caller adds the others.
SELECT
    pmid,
    1::SMALLINT AS version,
    'article' AS record_type,
    'MEDLINE' AS status,
    -- A title of a dozen words of its own; neighbours share none.
    array_to_string(
        list_transform(range(12), lambda k: 'w' || hash(pmid, k) % 40000), ' '
    ) AS title,
    CASE WHEN hash(pmid, 'abs') % 10 < 7
        THEN substr(words, 1 + (hash(pmid, 'a') % (200000 - $width))::BIGINT, $width)
            || CASE WHEN hash(pmid, 'nct') % 100 < 2
                THEN ' ClinicalTrials.gov NCT' || lpad((hash(pmid, 'n') % 500000)::VARCHAR, 8, '0')
                ELSE '' END
    END AS abstract,
    'Invented Journal ' || hash(pmid, 'j') % 30000 AS journal,
    'Inv J ' || hash(pmid, 'j') % 30000 AS journal_abbreviation,
    'J' || lpad((hash(pmid, 'j') % 30000)::VARCHAR, 7, '0') AS journal_nlm_id,
    (1970 + (pmid * 56) // $total)::SMALLINT AS year,
    ((1970 + (pmid * 56) // $total))::VARCHAR AS publication_date,
    'year' AS publication_date_precision,
    CASE
        WHEN is_preprint THEN ['Journal Article', 'Preprint']
        WHEN kind < 20 THEN ['Journal Article', 'Randomized Controlled Trial']
        WHEN kind < 22 THEN ['Practice Guideline']
        WHEN kind < 110 THEN ['Journal Article', 'Review']
        WHEN kind < 150 THEN ['Letter']
        WHEN kind < 210 THEN ['Case Reports', 'Journal Article']
        ELSE ['Journal Article']
    END AS publication_types,
    CASE
        WHEN is_preprint THEN ['D016428', 'D000076942']
        WHEN kind < 20 THEN ['D016428', 'D016449']
        WHEN kind < 22 THEN ['D017065']
        WHEN kind < 110 THEN ['D016428', 'D016454']
        WHEN kind < 150 THEN ['D016422']
        WHEN kind < 210 THEN ['D002363', 'D016428']
        ELSE ['D016428']
    END AS publication_type_uis,
    list_transform(range(12), lambda k: 'Heading ' || hash(pmid, k, 'h') % 30000)
        || CASE WHEN kind % 14 = 0 THEN ['Cohort Studies'] ELSE [] END AS mesh_headings,
    list_transform(range(12), lambda k: 'D9' || lpad((hash(pmid, k, 'h') % 30000)::VARCHAR, 5, '0'))
        || CASE WHEN kind % 14 = 0 THEN ['D015331'] ELSE [] END AS mesh_uis,
    list_transform(
        range(5), lambda k: 'Name' || hash(pmid, k, 'f') % 400000 || ' ' || chr(65 + (hash(pmid, k) % 26)::INTEGER)
    ) AS authors,
    ['eng'] AS languages,
    CASE WHEN hash(pmid, 'cc') % 100 < 6 THEN [{
        'ref_type': (['CommentIn', 'CommentOn', 'ErratumIn', 'UpdateOf', 'UpdateIn', 'RetractionIn'])
            [(hash(pmid, 'ct') % 6 + 1)::INTEGER],
        'pmid': (1 + hash(pmid, 'cp') % $total)::BIGINT,
        'source': 'Invented Journal. ' || hash(pmid, 'cs') % 9999,
        'note': NULL::VARCHAR
    }] ELSE [] END AS comments_corrections,
    list_transform(
        range((hash(pmid, 'refs') % 41)::BIGINT), lambda k: (1 + hash(pmid, k, 'r') % $total)::BIGINT
    ) AS cited_pmids,
    20 AS reference_count,
    CASE WHEN hash(pmid, 'coi') % 5 = 0
        THEN 'The authors declare no competing interests of kind ' || hash(pmid, 'coi') % 99 END
        AS coi_statement,
    '10.1/inv.' || pmid AS doi,
    'ppublish' AS publication_status,
    'synthetic' AS source_file,
    $seq::BIGINT AS seq
FROM (
    -- PubMed has preprints since 2020: 3 % of the records of these years here.
    SELECT r.pmid::BIGINT AS pmid, hash(r.pmid, 'kind') % 1000 AS kind,
        hash(r.pmid, 'pre') % 100 < 3 AND 1970 + (r.pmid * 56) // $total >= 2020 AS is_preprint
    FROM range($low, $high) AS r(pmid)
) CROSS JOIN prose
