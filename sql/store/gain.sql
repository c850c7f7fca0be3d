-- How many more visible rows a keyed table has after changes than before.
-- grain: one number
-- in:  held(pmid, file, visible), folded(pmid, file, visible), base_found(pmid, seq, version, n),
--      delta_origin(pmid, file)
-- out: gain
with stored as (
    select pmid, -1 as file, n from base_found
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
