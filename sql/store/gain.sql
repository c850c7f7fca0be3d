-- How many more visible rows a keyed table has after changes than before.
-- grain: one number
-- in:  held(pmid, file, visible), folded(pmid, file, visible), base_origin(pmid),
--      delta_origin(pmid, file)
-- out: gain
with stored as (
    select pmid, -1 as file, count(*) as n
    from base_origin semi join touched using (pmid) group by pmid
    union all
    select pmid, file, count(*) as n
    from delta_origin semi join touched using (pmid) group by pmid, file
)
select coalesce(sum(case when side = 'after' then n else -n end), 0)::bigint as gain
from (
    select 'before' as side, pmid, file from held where visible
    union all
    select 'after' as side, pmid, file from folded where visible
) as seen
join stored using (pmid, file)
