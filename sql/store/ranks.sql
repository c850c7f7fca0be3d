-- Numbers the puts of each PMID whose rows are kept: 0 is the visible one, then those that wait.
-- grain: one put
-- in:  latest(pmid, seq, op, version, file, visible)
-- out: pmid, seq, version, file, rank
with puts as (
    select pmid, seq, version, file, visible from latest where op = 'put'
),
waiting as (
    select distinct pmid from puts where not visible
)
select
    pmid, seq, version, file,
    (row_number() over (partition by pmid order by visible desc, version desc, seq desc) - 1)::int
        as rank
from puts
semi join waiting using (pmid)
union all
select pmid, seq, version, file, 0 as rank
from puts
anti join waiting using (pmid)
