-- trials: which delivered rows make up each study's row of table trials.
-- Grain:  one study, in the order of nct_id.
-- Input:  delivered_studies, delivered_designs, delivered_calculated (keys of the rows as
--         delivered, and place, their position; the wide texts stay outside, which keeps memory low).
-- Output: study_at, design_at, calculated_at; null where a study has no such row (both joined
--         tables have fewer rows than studies, hence the left joins).
-- A study that was loaded more than once keeps its newest row: the latest update of the record,
-- then the latest writing by AACT; of the joined tables the highest row number.
WITH study AS (
    SELECT * FROM delivered_studies
    QUALIFY row_number() OVER (
        PARTITION BY nct_id
        ORDER BY last_update_submitted_date DESC NULLS LAST, updated_at DESC NULLS LAST, place
    ) = 1
),
design AS (
    SELECT * FROM delivered_designs
    QUALIFY row_number() OVER (PARTITION BY nct_id ORDER BY loaded_row DESC, place) = 1
),
calculated AS (
    SELECT * FROM delivered_calculated
    QUALIFY row_number() OVER (PARTITION BY nct_id ORDER BY loaded_row DESC, place) = 1
)
SELECT study.place AS study_at, design.place AS design_at, calculated.place AS calculated_at
FROM study
LEFT JOIN design USING (nct_id)
LEFT JOIN calculated USING (nct_id)
ORDER BY nct_id
