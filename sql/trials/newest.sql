-- newest: rows of studies that were loaded more than once, as one load would have given them.
-- Grain:  one row of the table.
-- Input:  repeated (any table's rows of such studies, with content = all but row numbers as one
--         text, and loaded_row), copies (nct_id, loads).
-- Output: the same columns as repeated. Of m equal rows in n loads the m/n (rounded up) with the
--         highest row numbers stay: they are the newest load's, and join among themselves.
SELECT repeated.*
FROM repeated JOIN copies USING (nct_id)
QUALIFY row_number() OVER (PARTITION BY nct_id, content ORDER BY loaded_row DESC)
    <= ceil(count(*) OVER (PARTITION BY nct_id, content) / loads)
