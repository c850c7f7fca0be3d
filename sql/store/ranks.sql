-- Numbers the puts of each PMID whose rows are kept: 0 is the visible one, then those that wait.
-- grain: one put
-- in:  latest(pmid, seq, op, version, file, visible)
-- out: pmid, seq, version, file, rank
-- A PMID whose visible rows rest in the base may have none of rank 0.
select pmid, seq, version, file, 0 as rank
from latest
where op = 'put' and visible
union all
select
    pmid, seq, version, file,
    row_number() over (partition by pmid order by version desc, seq desc)::int as rank
from latest
where op = 'put' and not visible
