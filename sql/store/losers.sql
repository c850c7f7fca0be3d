-- Delta files that hold rows which no longer count.
-- grain: one file
-- in:  delta_origin(pmid, file), latest(pmid, file, visible)
-- out: file
select distinct file
from delta_origin
anti join (select pmid, file from latest where visible) as live using (pmid, file)
order by file
