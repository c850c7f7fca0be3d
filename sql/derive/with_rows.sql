-- PMIDs whose rows of a table are put anew: they have some, or had.
-- Grain: one PMID. Inputs: changed(pmid), rows_now, rows_before (the table as it stands).
-- Output: pmid, ascending.
SELECT pmid FROM rows_now
UNION
SELECT pmid FROM rows_before WHERE pmid IN (SELECT pmid FROM changed)
ORDER BY pmid
