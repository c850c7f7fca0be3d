-- Numbers the puts of each PMID whose rows are kept: 0 is the visible one, then those that wait.
-- grain: one put
-- in:  latest(pmid, seq, op, version, file, visible)
-- out: pmid, seq, version, file, rank
select
    pmid, seq, version, file,
    (row_number() over (partition by pmid order by visible desc, version desc, seq desc) - 1)::int
        as rank
from latest
where op = 'put'
