-- What a keyed table holds now about each PMID that changes touch.
-- grain: one operation held for one PMID (a put whose rows are kept, or a tombstone)
-- in:  latest(pmid, seq, op, version, file, visible, hides), base_found(pmid, seq, version, n),
--      touched(pmid, ...)
-- out: pmid, seq, op, version, arrival (0: held before anything new), file (-1: base), visible
select l.pmid, l.seq, l.op, l.version, 0 as arrival, l.file, l.visible
from latest as l
semi join touched using (pmid)
union all
-- A PMID that latest says nothing of rests in the base with its origin written in its rows.
select b.pmid, b.seq, 'put' as op, b.version, 0, -1, true
from base_found as b
anti join (select pmid from latest where hides or file = -1) as known using (pmid)
