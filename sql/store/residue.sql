-- What latest must still say once the visible rows of all PMIDs are the base.
-- grain: one operation
-- in:  latest, ranks(pmid, seq, version, file, rank), base_pmids(pmid): PMIDs with visible rows
-- out: pmid, seq, op, version, file, visible, hides
-- $versioned: rows carry their own version. A visible put is left out when its origin can be
-- read from its rows: the sequence number always, the version when it is a column or is 1.
select pmid, seq, op, version, -2 as file, false as visible, false as hides
from latest
where op = 'delete'
union all
select r.pmid, r.seq, 'put', r.version, r.rank - 1, r.rank = 0, false
from ranks as r
left join base_pmids as b using (pmid)
where r.rank > 0 or b.pmid is null or not ($versioned or r.version = 1)
order by pmid, seq
