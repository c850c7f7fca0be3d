-- Replays what is held and what is new in the order of the files.
-- grain: one operation that still matters for one touched PMID
-- in:  held(pmid, seq, op, version, arrival, file), touched(same columns; arrival from 1 up)
-- out: pmid, seq, op, version, file, visible, hides
-- A delete ends all before it and stays as a tombstone. After it a put counts unless a later
-- one has the same or a higher version; the highest version is visible. A lower version that
-- came later waits: it is visible if a late file brings a delete between the two.
with operations as (
    select pmid, seq, op, version, arrival, file from held
    union all
    select pmid, seq, op, version, arrival, file from touched
),
-- Most PMIDs have one operation, which needs no order: sorting those of a whole first load
-- would cost minutes.
contested as (
    select pmid from operations group by pmid having count(*) > 1
),
placed as (
    select
        *,
        row_number() over (
            partition by pmid order by seq, arrival, op = 'put', version
        ) as place
    from operations
    semi join contested using (pmid)
),
judged as (
    select
        *,
        coalesce(max(place) filter (where op = 'delete') over (partition by pmid), 0) as cut,
        max(version) filter (where op = 'put') over (
            partition by pmid order by place rows between 1 following and unbounded following
        ) as later
    from placed
),
kept as (
    select * from judged
    where place = cut or (op = 'put' and place > cut and (later is null or later < version))
),
chosen as (
    select
        *,
        op = 'put' and place = min(place) filter (where op = 'put') over (partition by pmid)
            as visible
    from kept
)
select
    pmid, seq, op, version, case when op = 'put' then file else -2 end as file, visible,
    -- the rows of this PMID in the base, if any, are not the visible ones
    not bool_or(visible and file = -1) over (partition by pmid) as hides
from chosen
union all
select
    pmid, seq, op, version, case when op = 'put' then file else -2 end as file,
    op = 'put' as visible,
    op = 'delete' or file <> -1 as hides
from operations
anti join contested using (pmid)
