-- PMIDs whose visible rows are others than before.
-- grain: one PMID
-- in:  held(pmid, file, visible), folded(pmid, file, visible)
-- out: pmid
with
before as (select pmid, file from held where visible),
after as (select pmid, file from folded where visible)
select pmid
from before
full join after using (pmid)
where before.file is distinct from after.file
order by pmid
