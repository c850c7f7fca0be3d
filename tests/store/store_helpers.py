"""Short ways to make changes to keyed tables: a link-like one and citations."""

from collections.abc import Sequence

import pyarrow as pa

from etl.store.home import Home
from etl.store.schema import TABLES
from etl.store.snapshot import Snapshot, TableState
from etl.store.tables import Change, write_file
from etl.store.views import connect

LINKS = "citation_trials"  # several rows a PMID, no version and no seq of its own
CITED = "citations"  # one row a PMID, with both


def links(
    pmids: Sequence[int], token: int, repeat: int = 1, version: int = 1, seq: int = 0
) -> pa.Table:
    """``repeat`` rows a PMID, told apart by trial; ``token`` says which change made them.

    ``version`` and ``seq`` are not in such rows: they stand here for ``citations``.
    """
    each = [(p, f"NCT{token:06d}{n:02d}") for p in pmids for n in range(repeat)]
    return pa.table(
        {
            "pmid": pa.array([p for p, _ in each], pa.int64()),
            "nct_id": pa.array([n for _, n in each], pa.string()),
            "source": pa.array(["databank"] * len(each), pa.string()),
        }
    )


def citations(
    pmids: Sequence[int], token: int, repeat: int = 1, version: int = 1, seq: int = 0
) -> pa.Table:
    """One bare citation a PMID; its title is ``token``."""
    said = {"pmid": 0, "version": version, "record_type": "article", "title": str(token)}
    said |= {"seq": seq, "source_file": "x", "publication_date_precision": "unknown"}
    said |= {"reference_count": 0}
    empty = {
        c.name: [] if pa.types.is_list(c.type) and not c.nullable else None
        for c in TABLES[CITED].columns
    }
    rows = [{**empty, **said, "pmid": p} for p in pmids]
    return pa.Table.from_pylist(rows, schema=TABLES[CITED].arrow)


def touched(ops: Sequence[tuple[int, str, int | None]]) -> pa.Table:
    """``touched`` of a change from (pmid, op, version)."""
    return pa.table(
        {
            "pmid": pa.array([o[0] for o in ops], pa.int64()),
            "op": pa.array([o[1] for o in ops], pa.string()),
            "version": pa.array([o[2] for o in ops], pa.int16()),
        }
    )


def put(home: Home, seq: int, pmids: Sequence[int], token: int | None = None) -> Change:
    """A change that puts one row for each PMID."""
    rows = links(pmids, seq if token is None else token)
    file = write_file(home, LINKS, rows, seq, f"u{seq}")
    return Change(seq, file, touched([(p, "put", 1) for p in pmids]))


def visible(home: Home, state: TableState, table: str = LINKS) -> list[tuple[object, ...]]:
    """Visible rows of ``table`` in order; checks that the state counts them right."""
    with connect(home, Snapshot(1, "", {table: state})) as con:
        rows = con.execute(f"select * from {table} order by all").fetchall()
    assert state.rows == len(rows)
    return rows
