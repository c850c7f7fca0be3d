-- Question: which trials is a citation tied to, and what does the one trial say of its size?
-- Grain:    one changed citation that is tied to at least one trial.
-- Inputs:   citation_trials, trials, changed(pmid).
-- Output:   pmid, nct_ids (sorted), enrollment (ACTUAL enrolment of the one linked trial whose
--           result the paper is, else null), facilities (of the one linked trial, else null).
WITH tie AS (
    SELECT pmid, nct_id, bool_or(source = 'registry_result') AS is_result,
        bool_or(source = 'registry_derived') AS is_derived
    FROM citation_trials
    WHERE pmid IN (SELECT pmid FROM changed)
    GROUP BY pmid, nct_id
),
-- A DERIVED reference counts as the result only when the trial lists no other such paper.
only_paper AS (
    SELECT nct_id
    FROM citation_trials
    WHERE source IN ('registry_result', 'registry_derived')
        AND nct_id IN (SELECT nct_id FROM tie WHERE is_derived)
    GROUP BY nct_id
    HAVING count(DISTINCT pmid) = 1
),
cited AS (
    SELECT pmid, list(nct_id ORDER BY nct_id) AS nct_ids,
        any_value(is_result OR (is_derived AND nct_id IN (SELECT nct_id FROM only_paper)))
            AS reports_result
    FROM tie
    GROUP BY pmid
)
SELECT
    c.pmid,
    c.nct_ids,
    CASE
        -- 2147483647 is the largest value of the registry's column: an overflow, not a count.
        WHEN c.reports_result AND upper(t.enrollment_type) = 'ACTUAL'
            AND t.enrollment > 0 AND t.enrollment < 2147483647
        THEN t.enrollment
    END AS enrollment,
    t.number_of_facilities AS facilities
FROM cited AS c
LEFT JOIN trials AS t ON len(c.nct_ids) = 1 AND t.nct_id = c.nct_ids[1]
