-- What a search shows of asked citations: the keys of a result, in the order of the index's cards.
-- Grain: one PMID of asked(place, pmid) that is there, in the order asked.
-- Inputs: asked, citations, graded. Output: the keys of `card` in index/documents.sql.
SELECT
    c.pmid,
    c.pmcid,
    c.doi,
    c.title,
    c.authors,
    c.journal,
    c.year,
    c.publication_types,
    g.sample_size,
    coalesce(g.is_preprint, false) AS is_preprint,
    coalesce(g.grade, 'ungraded') AS grade,
    coalesce(g.grade_rationale, 'not graded yet') AS grade_rationale,
    c.abstract,
    coalesce(g.grade_label, 'ungraded') AS grade_label,
    g.grade_base,
    g.design,
    g.sample_size_source,
    g.sample_size_evidence,
    g.rules,
    g.signals_up,
    g.signals_down,
    g.inferred,
    coalesce(g.is_retracted, false) AS is_retracted,
    g.superseded_by,
    g.nct_ids,
    c.journal_abbreviation,
    c.volume,
    c.issue,
    c.pages,
    c.languages
FROM asked AS a
INNER JOIN (
    FROM citations
    WHERE pmid IN (SELECT pmid FROM asked)
) AS c ON c.pmid = a.pmid
LEFT JOIN (
    FROM graded
    WHERE pmid IN (SELECT pmid FROM asked)
) AS g ON g.pmid = c.pmid
ORDER BY a.place
