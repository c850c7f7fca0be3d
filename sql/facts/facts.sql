-- Question: all that the grading rules look at, citation by citation.
-- Grain:    one changed citation.
-- Inputs:   citations, citation_signals, journal_metrics, changed(pmid); the answers of the other
--           files of this folder as type_flags, linked_trial, guideline_cited, guidelines_held,
--           retracted, superseded; $<kind>_uis and $<kind>_names from heading_sets; $preprint_ids and
--           $preprint_names from preprint_servers.csv.
-- Output:   the rows of evidence_facts.
WITH own AS (
    SELECT
        c.pmid, c.year, c.journal_nlm_id, c.publication_types, c.publication_type_uis, c.mesh_uis,
        -- Names count only for headings that come without a UI (records before about 2013).
        CASE
            WHEN list_count(c.mesh_uis) < len(c.mesh_headings)
            THEN list_transform(
                list_filter(list_zip(c.mesh_headings, c.mesh_uis), lambda x: x[2] IS NULL OR x[2] = ''),
                lambda x: lower(x[1])
            )
            ELSE []
        END AS bare_headings,
        coalesce(c.journal_nlm_id IN $preprint_ids, false)
            OR coalesce(lower(c.journal) IN $preprint_names, false)
            OR coalesce(lower(c.journal_abbreviation) IN $preprint_names, false) AS from_server,
        coalesce(trim(c.coi_statement), '') <> '' AS has_coi_statement
    FROM citations AS c
    WHERE c.pmid IN (SELECT pmid FROM changed)
),
joined AS (
    SELECT
        o.*, t.* EXCLUDE (publication_types, publication_type_uis),
        -- check tags Animals and Humans; records before UIs carry the same words
        (list_contains(o.mesh_uis, 'D000818') OR list_contains(o.bare_headings, 'animals'))
            AND NOT (list_contains(o.mesh_uis, 'D006801') OR list_contains(o.bare_headings, 'humans'))
            AS animal_only,
        list_has_any(o.mesh_uis, $cohort_uis)
            OR list_has_any(o.bare_headings, $cohort_names) AS cohort_heading,
        list_has_any(o.mesh_uis, $prospective_uis)
            OR list_has_any(o.bare_headings, $prospective_names) AS prospective_heading,
        list_has_any(o.mesh_uis, $retrospective_uis)
            OR list_has_any(o.bare_headings, $retrospective_names) AS retrospective_heading,
        list_has_any(o.mesh_uis, $case_control_uis)
            OR list_has_any(o.bare_headings, $case_control_names) AS case_control_heading,
        list_has_any(o.mesh_uis, $cross_sectional_uis)
            OR list_has_any(o.bare_headings, $cross_sectional_names) AS cross_sectional_heading,
        list_has_any(o.mesh_uis, $registry_uis)
            OR list_has_any(o.bare_headings, $registry_names) AS registry_heading,
        list_has_any(o.mesh_uis, $comparative_effectiveness_uis)
            OR list_has_any(o.bare_headings, $comparative_effectiveness_names) AS cer_heading,
        list_has_any(o.mesh_uis, $rare_uis)
            OR list_has_any(o.bare_headings, $rare_names) AS rare_heading,
        -- A synthesis or a protocol has no people of its own, nor has a review that is no trial.
        NOT (
            t.guideline OR t.consensus OR t.meta_analysis OR t.systematic_review OR t.protocol
            OR (
                t.review AND NOT (
                    t.rct OR t.phase_1 OR t.phase_2 OR t.phase_3 OR t.trial_other
                    OR t.case_report OR t.observational
                )
            )
        ) AS has_own_people
    FROM own AS o
    JOIN type_flags AS t
        ON t.publication_types = o.publication_types
        AND t.publication_type_uis = o.publication_type_uis
)
SELECT
    j.pmid,
    j.year,
    j.journal_nlm_id,
    j.excluded_type,
    j.retracted OR r.pmid IS NOT NULL AS is_retracted,
    j.guideline AS is_guideline,
    j.consensus AS is_consensus,
    j.meta_analysis AS is_meta_analysis,
    -- Cochrane Database Syst Rev; the type Systematic Review exists only since 2019.
    j.systematic_review OR (j.plain_review AND coalesce(j.journal_nlm_id = '100909747', false))
        AS is_systematic_review,
    j.rct AS is_rct,
    j.phase_1 AS is_phase_1,
    j.phase_2 AS is_phase_2,
    j.phase_3 AS is_phase_3,
    j.trial_other AS is_trial_other,
    j.multicenter AS is_multicenter,
    j.observational AS is_observational,
    j.comparative_effectiveness OR j.cer_heading AS is_comparative_effectiveness,
    j.case_report AS is_case_report,
    j.review AS is_review,
    j.preprint OR j.from_server AS is_preprint,
    j.protocol AS is_protocol,
    j.animal_only AS is_animal_only,
    j.cohort_heading AS has_cohort_heading,
    j.prospective_heading AS has_prospective_heading,
    j.retrospective_heading AS has_retrospective_heading,
    j.case_control_heading AS has_case_control_heading,
    j.cross_sectional_heading AS has_cross_sectional_heading,
    j.types_silent,
    coalesce(s.design_inferred, 'none') AS design_inferred,
    s.design_probability,
    -- "A retrospective analysis of prospectively collected data" is not prospective.
    coalesce(s.says_prospective AND NOT s.says_retrospective, false) AS says_prospective,
    coalesce(s.says_prospective_data, false) AS says_prospective_data,
    coalesce(s.says_multicentre, false) AS says_multicentre,
    coalesce(s.says_single_centre, false) AS says_single_centre,
    j.registry_heading AS has_registry_heading,
    coalesce(s.says_registry_data, false) AS says_registry_data,
    CASE
        WHEN NOT j.has_own_people THEN NULL
        WHEN s.sample_size > 0 THEN s.sample_size
        ELSE l.enrollment
    END AS sample_size,
    CASE
        WHEN NOT j.has_own_people THEN 'none'
        WHEN s.sample_size > 0 THEN s.sample_size_source
        WHEN l.enrollment IS NOT NULL THEN 'registry'
        ELSE 'none'
    END AS sample_size_source,
    CASE
        WHEN NOT j.has_own_people THEN NULL
        WHEN s.sample_size > 0 THEN s.sample_size_evidence
        WHEN l.enrollment IS NOT NULL
        THEN l.nct_ids[1] || ': ' || l.enrollment || ' enrolled (ACTUAL)'
    END AS sample_size_evidence,
    CASE WHEN j.has_own_people THEN l.enrollment END AS registered_enrollment,
    l.facilities AS registered_facilities,
    coalesce(l.nct_ids, []) AS nct_ids,
    j.rare_heading AS is_rare_disease,
    j.has_coi_statement,
    m.coi_share AS journal_coi_share,
    m.cites_per_document AS journal_cites_per_document,
    CASE WHEN h.held THEN g.pmid IS NOT NULL END AS guideline_cites,
    CASE WHEN j.preprint OR j.from_server THEN p.superseded_by END AS superseded_by
FROM joined AS j
CROSS JOIN guidelines_held AS h
LEFT JOIN citation_signals AS s ON s.pmid = j.pmid
LEFT JOIN linked_trial AS l ON l.pmid = j.pmid
LEFT JOIN retracted AS r ON r.pmid = j.pmid
LEFT JOIN guideline_cited AS g ON g.pmid = j.pmid
LEFT JOIN superseded AS p ON p.pmid = j.pmid
LEFT JOIN journal_metrics AS m ON m.journal_nlm_id = j.journal_nlm_id AND m.year = j.year
