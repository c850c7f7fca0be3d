"""From what the sources say to what it is worth: links, facts, grades.

A day recomputes only the PMIDs that the day can have changed; a first load, new rules, a new
year, month or MeSH recomputes all in one streaming pass.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

import duckdb
import pyarrow as pa

import sql
from etl.jobs.facts import affected, facts
from etl.jobs.grade import grade, grade_rows, load_profile
from etl.jobs.ingest import unique_name
from etl.jobs.links import citation_links, citation_trials
from etl.jobs.metrics import journal_metrics
from etl.store import tables as store
from etl.store.files import Rows
from etl.store.home import Home
from etl.store.snapshot import DataFile, Snapshot, TableState, next_id
from etl.store.views import connect

RANGE_ROWS = 1_000_000

Compute = Callable[[duckdb.DuckDBPyConnection], pa.Table | pa.RecordBatchReader]
LINKS: Mapping[str, Compute] = {
    "citation_trials": citation_trials,
    "citation_links": citation_links,
}


@dataclass
class Working:
    """The snapshot being built: the last one with the tables that have been replaced so far."""

    home: Home
    before: Snapshot
    as_of_year: int
    tables: dict[str, TableState] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # the id that the commit will give; also the place of derived changes in their order
        self.next_id = next_id(self.home)

    @property
    def snapshot(self) -> Snapshot:
        """What would be committed now."""
        return replace(self.before, tables={**self.before.tables, **self.tables})

    def state(self, table: str) -> TableState:
        """The table as it stands now; one without files when it was never written."""
        return self.snapshot.tables.get(table, TableState())

    def write(self, table: str, rows: Rows, seq: int | None = None) -> DataFile:
        """A new file of ``table`` under a name of its own."""
        return store.write_file(self.home, table, rows, seq, unique_name(table, self.next_id))

    def replace(self, table: str, rows: Rows, seq: int | None = None) -> None:
        """``rows`` are the whole table from now on."""
        self.tables[table] = store.replace(self.home, table, [self.write(table, rows, seq)])


def derive_all(work: Working, step: Callable[[str], None]) -> None:
    """Recompute every derived table for every citation."""
    step("links")
    for name, compute in LINKS.items():
        _rewrite(work, name, compute)
    step("journals")
    with connect(work.home, work.snapshot) as con:
        work.replace("journal_metrics", journal_metrics(con))
    step("facts")
    _rewrite(work, "evidence_facts", _facts(work))
    step("grades")
    _rewrite(work, "graded", _grades(work))


def derive_changed(work: Working, changed: pa.Array, step: Callable[[str], None]) -> pa.Array:
    """Recompute what the changed citations and trials touch; returns the PMIDs graded again."""
    step("links")
    linked = _union(_with_partners(work, changed), _registry_changed(work))
    for name, compute in LINKS.items():
        _put(work, name, linked, _compute(work, linked, compute))
    step("facts")
    reached = (_affected(work.home, s, linked) for s in (work.before, work.snapshot))
    touched = _union(linked, *reached)
    looked_at = _compute(work, touched, _facts(work))
    _put(work, "evidence_facts", touched, looked_at)
    step("grades")
    profile = load_profile("default")
    _put(work, "graded", touched, grade_rows(looked_at, profile, work.as_of_year))
    return touched


def ranges(work: Working) -> list[tuple[int, int]]:
    """PMID ranges [low, high) that cut the citations into parts of about RANGE_ROWS records."""
    parts = -(-work.state("citations").rows // RANGE_ROWS)
    borders: list[int] = []
    if parts > 1:
        with connect(work.home, work.snapshot) as con:
            found = con.execute(sql.load("derive/bounds"), {"parts": parts}).fetchall()
        borders = sorted(set(found[0][0]))
    edges = [0, *borders, 2**62]
    return list(pairwise(edges))


def _facts(work: Working) -> Compute:
    return lambda con: facts(con, work.as_of_year)


def _grades(work: Working) -> Compute:
    profile = load_profile("default")
    return lambda con: grade(con, profile, work.as_of_year)


def _rewrite(work: Working, table: str, compute: Compute) -> None:
    with connect(work.home, work.snapshot) as con:
        con.execute(sql.load("derive/changed_all"))
        work.replace(table, compute(con), work.next_id)


def _compute(work: Working, touched: pa.Array, compute: Compute) -> pa.Table:
    with connect(work.home, work.snapshot) as con:
        con.register("changed", pa.table({"pmid": touched}))
        return _table(compute(con))


def _put(work: Working, table: str, touched: pa.Array, rows: pa.Table) -> None:
    """``rows`` replace all rows of the touched PMIDs; a PMID without rows has none any more."""
    file = work.write(table, rows, work.next_id) if rows.num_rows else None
    marks = pa.table(
        {
            "pmid": touched,
            "op": pa.repeat(pa.scalar("put"), len(touched)),
            "version": pa.repeat(pa.scalar(1, pa.int16()), len(touched)),
        }
    )
    change = store.Change(work.next_id, file, marks)
    state, _ = store.apply(work.home, table, work.state(table), [change])
    work.tables[table] = store.compact(work.home, table, state)


def _with_partners(work: Working, changed: pa.Array) -> pa.Array:
    """``changed`` and what its links name, now and before; a pair is always worked out together."""
    found = _compute(work, changed, citation_links)
    named = found["related_pmid"].drop_null().combine_chunks()
    both = _union(changed, named)
    with connect(work.home, work.before) as con:
        con.register("changed", pa.table({"pmid": both}))
        return _union(both, _column(con.sql(sql.load("derive/related"))))


def _affected(home: Home, snapshot: Snapshot, changed: pa.Array) -> pa.Array:
    with connect(home, snapshot) as con:
        con.register("changed", pa.table({"pmid": changed}))
        return affected(con)


def _registry_changed(work: Working) -> pa.Array:
    if not ({"trials", "trial_references"} & work.tables.keys()):
        return pa.array([], pa.int64())
    inputs: dict[str, pa.Table] = {}
    for when, snapshot in (("before", work.before), ("now", work.snapshot)):
        with connect(work.home, snapshot) as con:
            for what in ("papers", "facts"):
                rows = con.sql(sql.load(f"derive/registry_{what}"))
                inputs[f"{what}_{when}"] = rows.to_arrow_table()
    with connect(work.home, work.before) as con:
        for name, rows in inputs.items():
            con.register(name, rows)
        return _column(con.sql(sql.load("derive/registry_changed")))


def _column(result: duckdb.DuckDBPyRelation) -> pa.Array:
    return result.to_arrow_table().column(0).cast(pa.int64()).combine_chunks()


def _table(rows: pa.Table | pa.RecordBatchReader) -> pa.Table:
    return rows if isinstance(rows, pa.Table) else rows.read_all()


def _union(*arrays: pa.Array) -> pa.Array:
    return pa.chunked_array(list(arrays), pa.int64()).unique().sort()
