-- Facts of asked PMIDs, to be graded again under another profile.
-- Grain: one PMID. Inputs: asked(place, pmid), evidence_facts. Output: all of evidence_facts.
FROM evidence_facts
WHERE pmid IN (SELECT pmid FROM asked)
