-- What grading reads of a trial.
-- Grain: one trial. Inputs: trials. Output: nct_id, enrollment, enrollment_type, facilities, results.
SELECT
    nct_id,
    enrollment,
    enrollment_type,
    number_of_facilities AS facilities,
    were_results_reported AS results
FROM trials
