-- The new latest of a keyed table: what was known of untouched PMIDs, and what was folded.
-- grain: one operation that still matters for one PMID
-- in:  latest, touched, folded
-- out: pmid, seq, op, version, file, visible, hides
select pmid, seq, op, version, file, visible, hides from latest anti join touched using (pmid)
union all
select pmid, seq, op, version, file, visible, hides from folded
