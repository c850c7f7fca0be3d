-- All citations of one range of PMIDs, as the set to work out.
-- Grain: one PMID. Inputs: citations, $low, $high (exclusive). Output: temporary table changed(pmid).
CREATE OR REPLACE TEMP TABLE changed AS
SELECT pmid FROM citations WHERE pmid >= $low AND pmid < $high
