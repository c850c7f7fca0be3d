-- Identifiers and title of asked PMIDs, for services that know a paper by another one.
-- Grain: one PMID of asked(pmid) that is there. Inputs: asked, citations.
-- Output: pmid (text), pmcid, doi, title.
SELECT
    pmid::varchar AS pmid,
    pmcid,
    doi,
    title
FROM citations
WHERE pmid IN (SELECT pmid FROM asked)
