-- The words of one range of citations.
-- Grain: one PMID. Inputs: citations, $low, $high (exclusive). Output: what the extractors read.
SELECT pmid, version, seq, title, abstract, abstract_sections, languages
FROM citations
WHERE pmid >= $low AND pmid < $high
