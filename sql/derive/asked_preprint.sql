-- Preprints whose journal version is looked for anew.
-- Grain: one PMID. Inputs: named(pmid), preprint(pmid). Output: pmid.
SELECT pmid FROM preprint WHERE pmid IN (SELECT pmid FROM named)
