-- What the base holds of the PMIDs that changes touch.
-- grain: one touched PMID with rows in the base
-- in:  base_origin(pmid, seq, version), touched(pmid, ...)
-- out: pmid, seq, version, n (rows)
select b.pmid, max(b.seq) as seq, max(b.version) as version, count(*) as n
from base_origin as b
semi join touched using (pmid)
group by b.pmid
