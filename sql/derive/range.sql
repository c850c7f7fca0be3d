-- One range of PMIDs: the tables that are as long as the corpus show only it.
-- Grain: as the tables. Inputs: citations, citation_signals, evidence_facts; variables low and high
-- (exclusive). Output: temporary views of the same names, temporary table changed(pmid).
CREATE OR REPLACE TEMP VIEW citations AS
FROM memory.main.citations WHERE pmid >= getvariable('low') AND pmid < getvariable('high');
CREATE OR REPLACE TEMP VIEW citation_signals AS
FROM memory.main.citation_signals
WHERE pmid >= getvariable('low') AND pmid < getvariable('high');
CREATE OR REPLACE TEMP VIEW evidence_facts AS
FROM memory.main.evidence_facts
WHERE pmid >= getvariable('low') AND pmid < getvariable('high');
CREATE OR REPLACE TEMP TABLE changed AS
SELECT pmid FROM citations
