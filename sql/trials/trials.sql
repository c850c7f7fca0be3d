-- trials: what the registry says of each study, its design and AACT's computed values.
-- Grain:  one study (nct_id).
-- Input:  delivered_studies, delivered_designs, delivered_calculated (typed, as delivered).
-- Output: the columns of table trials.
-- A study that was loaded more than once keeps its newest row: the latest update of the record,
-- then the latest writing by AACT; of the joined tables the highest row number.
-- Both joined tables have fewer rows than studies, hence the left joins.
WITH study AS (
    SELECT * FROM delivered_studies
    QUALIFY row_number() OVER (
        PARTITION BY nct_id
        ORDER BY last_update_submitted_date DESC NULLS LAST, updated_at DESC NULLS LAST
    ) = 1
),
design AS (
    SELECT * FROM delivered_designs
    QUALIFY row_number() OVER (PARTITION BY nct_id ORDER BY loaded_row DESC) = 1
),
calculated AS (
    SELECT * FROM delivered_calculated
    QUALIFY row_number() OVER (PARTITION BY nct_id ORDER BY loaded_row DESC) = 1
)
SELECT
    study.* EXCLUDE (updated_at),
    design.* EXCLUDE (nct_id, loaded_row),
    calculated.* EXCLUDE (nct_id, loaded_row)
FROM study
LEFT JOIN design USING (nct_id)
LEFT JOIN calculated USING (nct_id)
