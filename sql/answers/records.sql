-- Everything that a reference or an evidence file shows of asked PMIDs.
-- Grain: one PMID of asked(pmid) that the warehouse holds. Inputs: asked, citations, graded.
-- Output: the keys of a search result and what a full reference needs.
SELECT
    'PMID:' || c.pmid AS evidence_id,
    c.pmid::varchar AS pmid,
    c.pmcid,
    c.doi,
    c.title,
    c.vernacular_title,
    c.book_title,
    c.authors,
    c.author_details,
    c.authors_complete,
    c.journal,
    c.journal_abbreviation,
    c.journal_nlm_id,
    c.year,
    c.publication_date,
    c.volume,
    c.issue,
    c.pages,
    c.publication_types,
    c.mesh_headings,
    c.keywords,
    c.languages,
    c.country,
    c.abstract,
    c.abstract_sections,
    c.coi_statement,
    c.source_file,
    g.design,
    g.sample_size,
    coalesce(g.sample_size_source, 'none') AS sample_size_source,
    g.sample_size_evidence,
    g.registered_enrollment,
    coalesce(g.grade, 'ungraded') AS grade,
    coalesce(g.grade_label, 'ungraded') AS grade_label,
    g.grade_base,
    coalesce(g.grade_rationale, 'not graded yet') AS grade_rationale,
    g.rules,
    g.signals_up,
    g.signals_down,
    g.inferred,
    coalesce(g.is_preprint, false) AS is_preprint,
    coalesce(g.is_retracted, false) AS is_retracted,
    g.superseded_by::varchar AS superseded_by,
    g.nct_ids,
    g.rule_version
FROM citations AS c
LEFT JOIN (
    FROM graded
    WHERE pmid IN (SELECT pmid FROM asked)
) AS g ON g.pmid = c.pmid
WHERE c.pmid IN (SELECT pmid FROM asked)
