-- Question: what grade does each citation get, and why? The only place where a grade is decided.
-- Grain:    one row of evidence_facts.
-- Inputs:   evidence_facts; $as_of_year, $rule_version and the profile's values
--           (sql/grade/profiles/*.toml): thresholds, policy switches, the grades that each signal
--           acts on ($s1_grades ... $u2_grades; an empty list is off).
-- Output:   the rows of graded.
-- Rule ids, their order and their words: docs/grading.md. One streaming pass: no join, no sort.
WITH facts AS (
    SELECT
        *,
        CASE WHEN sample_size > 0 THEN sample_size END AS n,
        CASE
            WHEN coalesce(design_probability, 1) >= $inference_probability THEN design_inferred
            ELSE 'none'
        END AS stated,
        -- Words decide only where the publication types are silent.
        CASE WHEN types_silent AND NOT is_animal_only THEN stated ELSE 'none' END AS word,
        -- Of two method headings the weaker one is the design when the words state it too.
        (has_case_control_heading AND stated IN ('case_control', 'nested_case_control', 'case_cohort'))
            OR (has_cross_sectional_heading AND stated = 'cross_sectional') AS is_weaker,
        -- The study itself is: not the database that it reads, nor what an indexer calls
        -- retrospective.
        CASE
            WHEN has_prospective_heading AND NOT has_retrospective_heading
            THEN says_prospective OR NOT says_prospective_data
            ELSE says_prospective AND (has_prospective_heading OR NOT has_retrospective_heading)
        END AS is_prospective,
        excluded_type IS NOT NULL
            AND NOT ($keep_research_letters AND excluded_type = 'Letter' AND is_rct) AS x1,
        is_retracted AND NOT $keep_retracted AS x2
    FROM evidence_facts
),
own AS (
    SELECT
        *,
        -- The heading is a topic, not the design, under a trial or review type (or such words),
        -- and under Case Reports unless the series is large enough.
        has_cohort_heading AND NOT is_animal_only AND NOT is_weaker
            AND NOT (
                is_rct OR is_phase_1 OR is_phase_2 OR is_phase_3 OR is_trial_other
                OR is_guideline OR is_consensus OR is_meta_analysis OR is_systematic_review
                OR is_review OR is_protocol
                OR word IN (
                    'rct', 'cluster_rct', 'crossover_rct', 'phase_1', 'phase_2', 'phase_3',
                    'trial_other', 'guideline', 'consensus', 'meta_analysis', 'systematic_review',
                    'scoping_review', 'review', 'protocol'
                )
            )
            AND (
                NOT (is_case_report OR word = 'case_report')
                OR coalesce(n >= $case_series_min, false)
            ) AS is_cohort,
        coalesce(n >= $rct_large, false) AS rct_is_large,
        coalesce(n >= $cohort_large, false) AND stated <> 'case_series' AS cohort_is_large
    FROM facts
),
-- One bit a class, in the order of the table: the lowest bit is the best class.
matched AS (
    SELECT
        *,
        CASE WHEN is_guideline THEN 1 ELSE 0 END -- A1
        + CASE WHEN is_consensus THEN 2 ELSE 0 END -- A2
        + CASE WHEN is_meta_analysis THEN 4 ELSE 0 END -- A3
        + CASE WHEN is_systematic_review THEN 8 ELSE 0 END -- A4
        + CASE WHEN is_rct AND rct_is_large THEN 16 ELSE 0 END -- A5
        + CASE WHEN is_rct AND NOT rct_is_large THEN 32 ELSE 0 END -- B1
        + CASE WHEN is_phase_3 THEN 64 ELSE 0 END -- B2
        + CASE WHEN is_multicenter AND is_prospective AND NOT is_weaker THEN 128 ELSE 0 END -- B3
        + CASE WHEN is_cohort AND cohort_is_large THEN 256 ELSE 0 END -- B4
        + CASE WHEN is_cohort AND NOT cohort_is_large THEN 512 ELSE 0 END -- C1
        + CASE WHEN has_case_control_heading AND NOT is_animal_only THEN 1024 ELSE 0 END -- C2
        + CASE WHEN has_cross_sectional_heading AND NOT is_animal_only THEN 2048 ELSE 0 END -- C3
        + CASE WHEN is_phase_2 THEN 4096 ELSE 0 END -- C4
        + CASE WHEN is_trial_other AND NOT is_rct THEN 8192 ELSE 0 END -- C5
        + CASE
            WHEN is_observational
                OR ($count_comparative_effectiveness AND is_comparative_effectiveness)
            THEN 16384 ELSE 0
        END -- C6
        + CASE WHEN is_case_report THEN 32768 ELSE 0 END -- D1
        + CASE WHEN is_review THEN 65536 ELSE 0 END -- D2
        + CASE WHEN is_phase_1 THEN 131072 ELSE 0 END -- D3
        AS typed,
        CASE
            WHEN word = 'none' THEN 0
            WHEN word = 'guideline' THEN 1
            WHEN word = 'consensus' THEN 2
            WHEN word = 'meta_analysis' THEN 4
            WHEN word = 'systematic_review' THEN 8
            WHEN word IN ('rct', 'cluster_rct', 'crossover_rct')
            THEN CASE WHEN rct_is_large THEN 16 ELSE 32 END
            WHEN word = 'phase_3' THEN 64
            WHEN says_multicentre AND says_prospective AND is_prospective
                AND word IN ('cohort_prospective', 'cohort', 'trial_other', 'observational')
            THEN 128
            WHEN word IN ('cohort', 'cohort_prospective', 'cohort_retrospective')
            THEN CASE WHEN cohort_is_large THEN 256 ELSE 512 END
            -- A case series without a comparison stays C1 however large it is.
            WHEN word = 'case_series'
            THEN CASE WHEN n < $case_series_min THEN 32768 ELSE 512 END
            WHEN word IN ('case_control', 'nested_case_control', 'case_cohort') THEN 1024
            WHEN word = 'cross_sectional' THEN 2048
            WHEN word = 'phase_2' THEN 4096
            WHEN word = 'trial_other' THEN 8192
            WHEN word IN (
                'observational', 'diagnostic_accuracy', 'secondary_analysis',
                'mendelian_randomisation'
            ) THEN 16384
            WHEN word = 'case_report' THEN 32768
            WHEN word IN ('review', 'scoping_review') THEN 65536
            WHEN word = 'phase_1' THEN 131072
            -- economic_evaluation, qualitative, animal, in_vitro, commentary: no clinical design
            ELSE 0
        END AS worded
    FROM own
),
best AS (
    SELECT
        *,
        typed | worded AS classes,
        (typed | worded) & -(typed | worded) AS class,
        is_protocol
            OR word = 'protocol'
            -- Trials and studies that carry their type before they have results. Words never
            -- overrule a synthesis (A1 to A4), a review or a case report.
            OR (
                design_inferred = 'protocol'
                AND coalesce(design_probability, 1) >= $protocol_probability
                AND typed & (1 + 2 + 4 + 8 + 32768 + 65536) = 0
            ) AS u1
    FROM matched
),
decided AS (
    SELECT
        *,
        CASE class
            WHEN 0 THEN 'U2'
            WHEN 1 THEN 'A1' WHEN 2 THEN 'A2' WHEN 4 THEN 'A3' WHEN 8 THEN 'A4' WHEN 16 THEN 'A5'
            WHEN 32 THEN 'B1' WHEN 64 THEN 'B2' WHEN 128 THEN 'B3' WHEN 256 THEN 'B4'
            WHEN 512 THEN 'C1' WHEN 1024 THEN 'C2' WHEN 2048 THEN 'C3'
            WHEN 4096 THEN 'C4' WHEN 8192 THEN 'C5' WHEN 16384 THEN 'C6'
            WHEN 32768 THEN 'D1' WHEN 65536 THEN 'D2' ELSE 'D3'
        END AS class_rule,
        CASE
            WHEN u1 THEN 'protocol'
            ELSE CASE class
                WHEN 0 THEN 'none'
                WHEN 1 THEN 'guideline'
                WHEN 2 THEN 'consensus'
                WHEN 4 THEN 'meta_analysis'
                WHEN 8 THEN 'systematic_review'
                WHEN 16 THEN 'rct'
                WHEN 32 THEN 'rct'
                WHEN 64 THEN 'phase_3'
                WHEN 128 THEN 'prospective_multicenter'
                WHEN 256 THEN 'cohort'
                WHEN 512 THEN 'cohort'
                WHEN 1024 THEN 'case_control'
                WHEN 2048 THEN 'cross_sectional'
                WHEN 4096 THEN 'phase_2'
                WHEN 8192 THEN 'trial_other'
                WHEN 16384 THEN 'observational'
                WHEN 32768 THEN 'case_report'
                WHEN 65536 THEN 'review'
                ELSE 'phase_1'
            END
        END AS own_design,
        CASE WHEN u1 THEN NOT is_protocol ELSE class & typed = 0 AND class <> 0 END AS by_words
    FROM best
),
based AS (
    SELECT
        *,
        CASE
            WHEN x1 THEN 'X1'
            WHEN x2 THEN 'X2'
            WHEN is_preprint THEN 'D4'
            WHEN u1 THEN 'U1'
            ELSE class_rule
        END AS rule,
        CASE
            WHEN x1 OR x2 THEN 'excluded'
            WHEN is_preprint THEN 'D'
            WHEN u1 OR class = 0 THEN 'ungraded'
            WHEN class <= 16 THEN 'A'
            WHEN class <= 256 THEN 'B'
            WHEN class <= 16384 THEN 'C'
            ELSE 'D'
        END AS base
    FROM decided
),
-- Signals never act on excluded or ungraded: no list of grades may hold those.
signalled AS (
    SELECT
        *,
        list_contains($s1_grades, base) AND (
            says_single_centre
            OR coalesce(
                registered_facilities = 1 AND NOT is_multicenter AND NOT says_multicentre, false
            )
        ) AS s1,
        list_contains($s2_grades, base) AND base <> 'D'
            AND NOT $treat_all_as_rare AND NOT is_rare_disease
            AND coalesce(n < $small, false) AS s2,
        list_contains($s3_grades, base)
            AND coalesce(journal_cites_per_document < $low_impact, false) AS s3,
        list_contains($s4_grades, base)
            AND coalesce($as_of_year - year > $old_years, false)
            -- Null: no guideline is held here, so nobody knows whether one cites it.
            AND NOT coalesce(guideline_cites, true) AS s4,
        list_contains($s5_grades, base)
            AND NOT has_coi_statement AND coalesce(journal_coi_share > $coi_share, false) AS s5,
        list_contains($u1_grades, base)
            AND (has_registry_heading OR says_registry_data)
            AND coalesce(n > $registry_large, false) AS up1,
        list_contains($u2_grades, base) AND rule IN ('B1', 'B2')
            AND coalesce(list_contains($top_journals, journal_nlm_id), false) AS up2
    FROM based
),
stepped AS (
    SELECT
        *,
        s1 OR s2 OR s3 OR s4 OR s5 AS down,
        up1 OR up2 AS up,
        CASE
            WHEN (s1 OR s2 OR s3 OR s4 OR s5) AND NOT (up1 OR up2)
            THEN CASE base WHEN 'A' THEN 'B' WHEN 'B' THEN 'C' ELSE 'D' END
            -- A preprint stays D whatever else it is.
            WHEN (up1 OR up2) AND NOT (s1 OR s2 OR s3 OR s4 OR s5) AND NOT is_preprint
            THEN CASE base WHEN 'D' THEN 'C' WHEN 'C' THEN 'B' ELSE 'A' END
            ELSE base
        END AS final_grade,
        by_words AND NOT x1 AND NOT x2 AS is_inferred
    FROM signalled
),
worded_why AS (
    SELECT
        *,
        concat(
            CASE
                WHEN rule IN ('X1', 'X2', 'D4') THEN ''
                WHEN rule = 'A5' THEN ''
                WHEN is_phase_3 OR word = 'phase_3' THEN 'Phase 3 '
                WHEN is_phase_2 AND class IN (32, 128) THEN 'Phase 2 '
            END,
            CASE
                WHEN rule IN ('B1', 'B2') AND (is_multicenter OR says_multicentre)
                THEN 'multicenter '
            END
        ) AS prefix,
        CASE own_design
            WHEN 'none' THEN 'no clinical study design found'
            WHEN 'protocol' THEN 'protocol, no results yet'
            WHEN 'guideline' THEN 'guideline'
            WHEN 'consensus' THEN 'consensus statement'
            WHEN 'meta_analysis' THEN 'meta-analysis'
            WHEN 'systematic_review' THEN 'systematic review'
            WHEN 'rct' THEN 'RCT'
            WHEN 'phase_3' THEN 'trial'
            WHEN 'prospective_multicenter' THEN 'prospective multicenter study'
            WHEN 'cohort' THEN 'cohort'
            WHEN 'case_control' THEN 'case-control study'
            WHEN 'cross_sectional' THEN 'cross-sectional study'
            WHEN 'phase_2' THEN 'phase 2 trial'
            WHEN 'trial_other' THEN 'clinical trial'
            WHEN 'observational'
            THEN if(by_words AND word = 'secondary_analysis', 'secondary analysis', 'observational study')
            WHEN 'case_report' THEN 'case report'
            WHEN 'review' THEN 'review'
            ELSE 'phase 1 trial'
        END AS noun,
        CASE
            WHEN u1 OR class IN (0, 1, 2, 4, 8, 65536) THEN ''
            WHEN class = 16 THEN ' n>=' || $rct_large
            WHEN class = 256 THEN ' n>=' || $cohort_large
            WHEN n IS NOT NULL THEN ', n=' || n
            WHEN class IN (32, 512) THEN ', n unknown'
            ELSE ''
        END AS size
    FROM stepped
)
SELECT
    pmid,
    year,
    CASE WHEN x1 THEN 'excluded_type' ELSE own_design END AS design,
    sample_size,
    sample_size_source,
    sample_size_evidence,
    CASE
        WHEN n IS NOT NULL AND registered_enrollment IS NOT NULL
            AND abs(n - registered_enrollment) > 0.1 * greatest(n, registered_enrollment)
        THEN registered_enrollment
    END AS registered_enrollment,
    final_grade AS grade,
    concat(
        CASE WHEN is_preprint AND final_grade = 'D' THEN 'D-' ELSE final_grade END,
        CASE WHEN is_inferred THEN '_inferred' END
    ) AS grade_label,
    base AS grade_base,
    -- The commonest answers are constants: half of PubMed has no clinical design.
    CASE
        WHEN rule = 'U2' AND NOT is_retracted AND excluded_type IS NULL
        THEN 'No clinical study design found'
        WHEN x1 AND NOT is_rct AND NOT is_retracted THEN 'Excluded: ' || excluded_type
        ELSE concat(
            CASE
                WHEN x1 THEN
                    concat(
                        'Excluded: ', excluded_type,
                        CASE WHEN is_rct THEN ' (also an RCT type)' END,
                        CASE WHEN is_retracted THEN ', retracted' END
                    )
                WHEN x2 THEN concat('Excluded: retracted ', noun, size)
                WHEN is_preprint THEN
                    concat('Preprint', CASE WHEN own_design <> 'none' THEN ': ' END,
                        CASE WHEN own_design <> 'none' THEN concat(noun, size) END)
                WHEN prefix <> '' THEN concat(upper(prefix[1]), prefix[2:], noun, size)
                ELSE concat(upper(noun[1]), noun[2:], size)
            END,
            CASE WHEN up2 THEN ', ' || $top_journal_names[list_position($top_journals, journal_nlm_id)] END,
            -- A signal says what was looked at.
            CASE WHEN up1 THEN ', registry n>' || $registry_large END,
            CASE WHEN up1 THEN if(has_registry_heading, ' by heading', ' by its words') END,
            CASE WHEN s1 THEN '; single centre by its ' END,
            CASE WHEN s1 THEN if(says_single_centre, 'words', 'registry entry') END,
            CASE WHEN s2 THEN concat('; n<', $small, ' without a rare disease heading') END,
            CASE WHEN s3 THEN concat('; journal cites per document <', $low_impact, ' that year') END,
            CASE WHEN s4 THEN concat('; older than ', $old_years, ' years') END,
            CASE WHEN s4 THEN ' and cited by no guideline held here' END,
            CASE WHEN s5 THEN '; no COI statement, usual in its journal' END,
            CASE
                WHEN up AND down THEN ' (up and down cancel)'
                WHEN down AND final_grade <> base THEN ' (one step down)'
            END,
            CASE WHEN is_inferred THEN '; design inferred from words' END,
            CASE WHEN is_retracted AND NOT x1 AND NOT x2 THEN '; RETRACTED' END,
            CASE WHEN excluded_type IS NOT NULL AND NOT x1 THEN '; research letter' END
        )
    END AS grade_rationale,
    CASE
        -- Most records match one class and no signal: no list to build.
        WHEN rule = class_rule AND class & (class - 1) = 0 AND classes = class
            AND NOT up AND NOT down AND NOT is_retracted AND excluded_type IS NULL
            AND NOT u1 AND NOT is_preprint
        THEN [rule]
        WHEN x1 AND classes = 0 AND NOT is_retracted AND NOT u1 AND NOT is_preprint THEN ['X1']
        ELSE list_prepend(
            rule,
            list_filter(
                [
                    if(excluded_type IS NOT NULL, 'X1', NULL), if(is_retracted, 'X2', NULL),
                    CASE WHEN classes & 1 <> 0 THEN 'A1' END,
                    CASE WHEN classes & 2 <> 0 THEN 'A2' END,
                    CASE WHEN classes & 4 <> 0 THEN 'A3' END,
                    CASE WHEN classes & 8 <> 0 THEN 'A4' END,
                    CASE WHEN classes & 16 <> 0 THEN 'A5' END,
                    CASE WHEN classes & 32 <> 0 THEN 'B1' END,
                    CASE WHEN classes & 64 <> 0 THEN 'B2' END,
                    CASE WHEN classes & 128 <> 0 THEN 'B3' END,
                    CASE WHEN classes & 256 <> 0 THEN 'B4' END,
                    CASE WHEN classes & 512 <> 0 THEN 'C1' END,
                    CASE WHEN classes & 1024 <> 0 THEN 'C2' END,
                    CASE WHEN classes & 2048 <> 0 THEN 'C3' END,
                    CASE WHEN classes & 4096 <> 0 THEN 'C4' END,
                    CASE WHEN classes & 8192 <> 0 THEN 'C5' END,
                    CASE WHEN classes & 16384 <> 0 THEN 'C6' END,
                    CASE WHEN classes & 32768 <> 0 THEN 'D1' END,
                    CASE WHEN classes & 65536 <> 0 THEN 'D2' END,
                    CASE WHEN classes & 131072 <> 0 THEN 'D3' END,
                    if(is_preprint, 'D4', NULL), if(u1, 'U1', NULL),
                    if(s1, 'S-1', NULL), if(s2, 'S-2', NULL), if(s3, 'S-3', NULL),
                    if(s4, 'S-4', NULL), if(s5, 'S-5', NULL),
                    if(up1, 'S+1', NULL), if(up2, 'S+2', NULL)
                ],
                lambda x: x IS NOT NULL AND x <> rule
            )
        )
    END AS rules,
    CASE
        WHEN up THEN list_filter([if(up1, 'S+1', NULL), if(up2, 'S+2', NULL)], lambda x: x IS NOT NULL)
        ELSE []
    END AS signals_up,
    CASE
        WHEN down
        THEN list_filter(
            [if(s1, 'S-1', NULL), if(s2, 'S-2', NULL), if(s3, 'S-3', NULL), if(s4, 'S-4', NULL),
            if(s5, 'S-5', NULL)],
            lambda x: x IS NOT NULL
        )
        ELSE []
    END AS signals_down,
    is_inferred AS inferred,
    is_preprint,
    is_retracted,
    superseded_by,
    nct_ids,
    $rule_version AS rule_version
FROM worded_why
