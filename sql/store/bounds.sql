-- PMIDs at which to cut a keyed table so that each part has about $rows rows.
-- grain: one cut
-- in:  wanted(pmid, ...): one row a stored row
-- out: pmid
select distinct pmid
from (select pmid, row_number() over (order by pmid) as place from wanted)
where place % $rows = 1 or $rows = 1
order by pmid
