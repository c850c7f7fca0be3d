-- Which registered trials fit these limits?
-- Grain: one trial, the largest enrolment first. Inputs: trials, trial_conditions,
--   trial_browse_conditions, trial_interventions, trial_intervention_other_names,
--   trial_browse_interventions, trial_keywords; parameters, each null for "any": $min_enrollment,
--   $max_enrollment, $phases (list), $statuses (list), $study_type, $allocation, $results (boolean),
--   $first, $last (years of the start), $condition and $intervention (lists of texts, any of which
--   is looked for in names; lower case), $most (rows).
-- Output: nct_id, brief_title, overall_status, phase, study_type, allocation, enrollment,
--   enrollment_type, start_date, completion_date, has_results, lead sponsor, conditions,
--   interventions, pmids of results, total (all that fit).
WITH condition_words AS (SELECT unnest($condition::VARCHAR[]) AS word),
intervention_words AS (SELECT unnest($intervention::VARCHAR[]) AS word),
condition_named AS (
    SELECT nct_id FROM trial_conditions, condition_words WHERE contains(lower(name), word)
    UNION
    SELECT nct_id FROM trial_browse_conditions, condition_words WHERE contains(lower(mesh_term), word)
    UNION
    SELECT nct_id FROM trial_keywords, condition_words WHERE contains(lower(name), word)
),
intervention_named AS (
    SELECT nct_id FROM trial_interventions, intervention_words WHERE contains(lower(name), word)
    UNION
    SELECT nct_id FROM trial_intervention_other_names, intervention_words WHERE contains(lower(name), word)
    UNION
    SELECT nct_id FROM trial_browse_interventions, intervention_words WHERE contains(lower(mesh_term), word)
),
fitting AS (
    SELECT
        nct_id, brief_title, overall_status, phase, study_type, allocation, enrollment,
        enrollment_type, start_date, completion_date,
        coalesce(were_results_reported, false) AS has_results,
        count(*) OVER () AS total
    FROM trials
    WHERE ($min_enrollment IS NULL OR enrollment >= $min_enrollment)
        AND ($max_enrollment IS NULL OR enrollment <= $max_enrollment)
        AND ($phases IS NULL OR list_has_any(string_split(phase, '/'), $phases))
        AND ($statuses IS NULL OR list_contains($statuses, overall_status))
        AND ($study_type IS NULL OR study_type = $study_type)
        AND ($allocation IS NULL OR allocation = $allocation)
        AND ($results IS NULL OR coalesce(were_results_reported, false) = $results)
        AND ($first IS NULL OR year(start_date) >= $first)
        AND ($last IS NULL OR year(start_date) <= $last)
        AND ($condition IS NULL OR nct_id IN (SELECT nct_id FROM condition_named))
        AND ($intervention IS NULL OR nct_id IN (SELECT nct_id FROM intervention_named))
    ORDER BY enrollment DESC NULLS LAST, nct_id
    LIMIT $most
)
SELECT
    f.nct_id, f.brief_title, f.overall_status, f.phase, f.study_type, f.allocation,
    f.enrollment, f.enrollment_type, f.start_date, f.completion_date, f.has_results,
    s.sponsor, c.conditions, i.interventions, r.pmids AS result_pmids, f.total
FROM fitting AS f
LEFT JOIN (
    SELECT nct_id, any_value(name) AS sponsor FROM trial_sponsors
    WHERE lead_or_collaborator = 'lead' AND nct_id IN (SELECT nct_id FROM fitting)
    GROUP BY nct_id
) AS s USING (nct_id)
LEFT JOIN (
    SELECT nct_id, list(DISTINCT name ORDER BY name) AS conditions FROM trial_conditions
    WHERE nct_id IN (SELECT nct_id FROM fitting) GROUP BY nct_id
) AS c USING (nct_id)
LEFT JOIN (
    SELECT nct_id, list(DISTINCT name ORDER BY name) AS interventions FROM trial_interventions
    WHERE nct_id IN (SELECT nct_id FROM fitting) GROUP BY nct_id
) AS i USING (nct_id)
LEFT JOIN (
    SELECT nct_id, list(DISTINCT pmid ORDER BY pmid) AS pmids FROM citation_trials
    WHERE source = 'registry_result' AND nct_id IN (SELECT nct_id FROM fitting) GROUP BY nct_id
) AS r USING (nct_id)
ORDER BY f.enrollment DESC NULLS LAST, f.nct_id
