-- Question: which registered trials is a citation tied to, and how do we know?
-- Grain:    one citation, one trial, one way in which they are tied.
-- Inputs:   citations, trial_references, changed(pmid); $nct_pattern (one capture: the digits).
-- Output:   the rows of citation_trials.
-- RESULT references win over DERIVED ones of the same pair; BACKGROUND says nothing about the
-- paper's own trial and is left out.
WITH said AS (
    SELECT c.pmid, 'databank' AS source,
        array_to_string(
            flatten(list_transform(c.data_banks, lambda x: coalesce(x.accession_numbers, []))), ' ; '
        ) AS words
    FROM citations AS c
    WHERE len(c.data_banks) > 0 AND c.pmid IN (SELECT pmid FROM changed)
    UNION ALL
    SELECT c.pmid, 'abstract', c.abstract
    FROM citations AS c
    WHERE contains(lower(c.abstract), 'nct') AND c.pmid IN (SELECT pmid FROM changed)
    UNION ALL
    SELECT c.pmid, 'title', c.title
    FROM citations AS c
    WHERE contains(lower(c.title), 'nct') AND c.pmid IN (SELECT pmid FROM changed)
),
found AS (
    SELECT pmid, source, unnest(regexp_extract_all(words, $nct_pattern, 1)) AS digits
    FROM said
),
referenced AS (
    SELECT r.pmid, upper(trim(r.nct_id)) AS nct_id,
        bool_or(upper(r.reference_type) = 'RESULT') AS is_result
    FROM trial_references AS r
    WHERE upper(r.reference_type) IN ('RESULT', 'DERIVED')
        AND r.pmid IN (SELECT pmid FROM changed)
    GROUP BY ALL
)
SELECT DISTINCT pmid, 'NCT' || regexp_replace(digits, '\D', '', 'g') AS nct_id, source
FROM found
WHERE regexp_replace(digits, '\D', '', 'g') <> '00000000'
UNION ALL
SELECT pmid, nct_id, CASE WHEN is_result THEN 'registry_result' ELSE 'registry_derived' END
FROM referenced
WHERE nct_id IS NOT NULL
