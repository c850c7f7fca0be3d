-- The latest of a keyed table after its deltas were merged, one file a rank.
-- grain: one operation
-- in:  latest, ranks(pmid, seq, version, file, rank)
-- out: pmid, seq, op, version, file, visible, hides
select
    l.pmid, l.seq, l.op, l.version,
    case when l.op = 'put' and l.file >= 0 then r.rank else l.file end::int as file,
    l.visible, l.hides
from latest as l
left join ranks as r
    on l.op = 'put' and l.pmid = r.pmid and l.seq = r.seq and l.version = r.version
    and l.file = r.file
order by l.pmid, l.seq
