-- Those of them that the warehouse holds.
-- Grain: one PMID. Inputs: linked(pmid), the whole citations. Output: pmid.
SELECT pmid FROM memory.main.citations WHERE pmid IN (SELECT pmid FROM linked)
