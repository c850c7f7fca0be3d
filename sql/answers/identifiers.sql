-- Identifiers of asked PMIDs, for services that know a paper by another one.
-- Grain: one PMID of asked(pmid) that is there. Inputs: asked, citations.
-- Output: pmid (text), pmcid, doi.
SELECT
    pmid::varchar AS pmid,
    pmcid,
    doi
FROM citations
WHERE pmid IN (SELECT pmid FROM asked)
