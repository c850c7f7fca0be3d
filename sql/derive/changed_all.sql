-- Every citation, as the set to work out.
-- Grain: one PMID. Inputs: citations. Output: temporary table changed(pmid).
CREATE OR REPLACE TEMP TABLE changed AS
SELECT pmid FROM citations
