-- First and last PMID to index, and how many there are.
-- Grain: one row. Input: index_citations. Output: low, high, citations (nulls and 0 when empty).
select min(pmid) as low, max(pmid) as high, count(*) as citations from index_citations;
