-- Papers that the registry names as a trial's own results.
-- Grain: one (pmid, nct_id, reference_type). Inputs: trial_references. Output: those three.
SELECT DISTINCT pmid, nct_id, reference_type
FROM trial_references
WHERE pmid IS NOT NULL AND upper(reference_type) IN ('RESULT', 'RESULTS_REFERENCE', 'DERIVED')
