-- Citations whose trials are worked out: the day's records and those that the registry names anew.
-- Grain: one PMID that the warehouse holds. Inputs: citations (the day's), the whole citations,
-- registry(pmid). Output: pmid.
SELECT pmid FROM citations
UNION
SELECT pmid FROM memory.main.citations WHERE pmid IN (SELECT pmid FROM registry)
