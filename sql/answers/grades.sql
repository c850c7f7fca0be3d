-- Grades of asked PMIDs under the default profile, as the last refresh committed them.
-- Grain: one asked PMID, in the order asked. Inputs: asked(place, pmid), citations, graded.
-- Output: the columns of `evidence grade`; found is false where the warehouse has no such PMID.
SELECT
    a.pmid,
    c.pmid IS NOT NULL AS found,
    c.title,
    c.journal,
    c.year,
    c.publication_types,
    g.design,
    g.sample_size,
    g.sample_size_source,
    g.sample_size_evidence,
    g.registered_enrollment,
    g.grade,
    g.grade_label,
    g.grade_base,
    g.grade_rationale,
    g.rules,
    g.signals_up,
    g.signals_down,
    g.is_preprint,
    g.is_retracted,
    g.superseded_by,
    g.nct_ids,
    g.inferred,
    g.rule_version
FROM asked AS a
LEFT JOIN (
    SELECT pmid, title, journal, year, publication_types
    FROM citations
    WHERE pmid IN (SELECT pmid FROM asked)
) AS c ON c.pmid = a.pmid
LEFT JOIN (
    FROM graded
    WHERE pmid IN (SELECT pmid FROM asked)
) AS g ON g.pmid = a.pmid
ORDER BY a.place
