"""From what the sources say to what it is worth: links, facts, grades.

A day recomputes only the PMIDs that the day can have changed; a new rule version, a new year,
MeSH or month, or a first load recomputes all, in ranges of PMIDs so that memory stays flat.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import duckdb
import pyarrow as pa

import sql
from etl.jobs.facts import facts
from etl.jobs.grade import grade, load_profile
from etl.jobs.ingest import unique_name
from etl.jobs.links import citation_links, citation_trials
from etl.jobs.metrics import journal_metrics
from etl.store import tables as store
from etl.store.home import Home
from etl.store.snapshot import DataFile, Snapshot, TableState
from etl.store.views import connect

RANGE_ROWS = 1_000_000
PMID = pa.schema([("pmid", pa.int64())])


@dataclass
class Working:
    """The snapshot being built: the last one with the tables that have been replaced so far."""

    home: Home
    before: Snapshot
    as_of_year: int
    tables: dict[str, TableState] = field(default_factory=dict)

    @property
    def snapshot(self) -> Snapshot:
        """What would be committed now."""
        return replace(self.before, tables={**self.before.tables, **self.tables})

    @property
    def next_id(self) -> int:
        """Id of the snapshot that this work will become; also the place of derived changes."""
        return self.before.id + 1


Compute = Callable[[duckdb.DuckDBPyConnection], pa.Table | pa.RecordBatchReader]


def derive_all(work: Working, step: Callable[[str], None]) -> None:
    """Recompute every derived table for every citation."""
    step("citation links")
    _rewrite(work, {"citation_trials": citation_trials, "citation_links": citation_links})
    step("journal metrics")
    with connect(work.home, work.snapshot) as con:
        file = store.write_file(
            work.home,
            "journal_metrics",
            _table(journal_metrics(con)),
            None,
            unique_name("metrics", work.next_id),
        )
    work.tables["journal_metrics"] = store.replace(work.home, "journal_metrics", [file])
    step("evidence facts")
    _rewrite(work, {"evidence_facts": lambda con: facts(con, work.as_of_year)})
    step("grades")
    _rewrite(work, {"graded": _grader(work)})


def derive_changed(work: Working, changed: pa.Array, step: Callable[[str], None]) -> pa.Array:
    """Recompute what the changed citations and trials touch; returns the PMIDs graded again."""
    step("citation links")
    linked = _union(changed, _related(work, changed), _registry_changed(work))
    _apply(work, linked, {"citation_trials": citation_trials, "citation_links": citation_links})
    step("evidence facts")
    touched = _union(linked, _related(work, linked))
    touched = _union(touched, _cited_by_guidelines(work, touched))
    _apply(work, touched, {"evidence_facts": lambda con: facts(con, work.as_of_year)})
    step("grades")
    _apply(work, touched, {"graded": _grader(work)})
    return touched


def _grader(work: Working) -> Compute:
    profile = load_profile("default")
    return lambda con: grade(con, profile, work.as_of_year)


def ranges(work: Working) -> list[tuple[int, int]]:
    """PMID ranges [low, high) that cut the citations into parts of about RANGE_ROWS records."""
    total = work.snapshot.tables["citations"].rows if "citations" in work.snapshot.tables else 0
    parts = -(-total // RANGE_ROWS)
    borders: list[int] = []
    if parts > 1:
        with connect(work.home, work.snapshot) as con:
            found = con.execute(sql.load("derive/bounds"), {"parts": parts}).fetchall()
        borders = sorted(set(found[0][0]))
    edges = [0, *borders, 2**62]
    return list(zip(edges, edges[1:], strict=False))


def _rewrite(work: Working, jobs: Mapping[str, Compute]) -> None:
    files: dict[str, list[DataFile]] = {name: [] for name in jobs}
    for low, high in ranges(work):
        with connect(work.home, work.snapshot) as con:
            con.execute(sql.load("derive/changed_range"), {"low": low, "high": high})
            for name, compute in jobs.items():
                rows = _table(compute(con))
                if rows.num_rows:
                    unique = unique_name("all", work.next_id)
                    files[name].append(
                        store.write_file(work.home, name, rows, work.next_id, unique)
                    )
    for name, written in files.items():
        work.tables[name] = store.replace(work.home, name, written)


def _apply(work: Working, touched: pa.Array, jobs: Mapping[str, Compute]) -> None:
    marks = pa.table(
        {
            "pmid": touched,
            "op": pa.repeat(pa.scalar("put"), len(touched)),
            "version": pa.repeat(pa.scalar(1, pa.int16()), len(touched)),
        }
    )
    with connect(work.home, work.snapshot) as con:
        con.register("changed", marks.select(["pmid"]))
        results = {name: _table(compute(con)) for name, compute in jobs.items()}
    for name, rows in results.items():
        file = None
        if rows.num_rows:
            unique = unique_name("changed", work.next_id)
            file = store.write_file(work.home, name, rows, work.next_id, unique)
        change = store.Change(work.next_id, file, marks)
        state, _ = store.apply(work.home, name, work.snapshot.tables[name], [change])
        work.tables[name] = store.compact(work.home, name, state)


def _related(work: Working, changed: pa.Array) -> pa.Array:
    return _union(
        *(
            _pmids(work.home, snapshot, "derive/related", changed)
            for snapshot in (work.before, work.snapshot)
        )
    )


def _cited_by_guidelines(work: Working, changed: pa.Array) -> pa.Array:
    """What the changed guidelines cite, as they were and as they are now."""
    with connect(work.home, work.before) as con:
        con.register("changed", pa.table({"pmid": changed}))
        con.register("guidelines", _table(con.execute(sql.load("derive/guidelines"))))
        before = _column(con.execute(sql.load("derive/guideline_cited")))
    with connect(work.home, work.snapshot) as con:
        con.register("changed", pa.table({"pmid": changed}))
        con.register("evidence_facts", _table(facts(con, work.as_of_year)))
        con.register("guidelines", _table(con.execute(sql.load("derive/guidelines"))))
        return _union(before, _column(con.execute(sql.load("derive/guideline_cited"))))


def _pmids(home: Home, snapshot: Snapshot, name: str, changed: pa.Array) -> pa.Array:
    with connect(home, snapshot) as con:
        con.register("changed", pa.table({"pmid": changed}))
        return _column(con.execute(sql.load(name)))


def _registry_changed(work: Working) -> pa.Array:
    if not ({"trials", "trial_references"} & work.tables.keys()):
        return pa.array([], pa.int64())
    inputs: dict[str, pa.Table] = {}
    for when, snapshot in (("before", work.before), ("now", work.snapshot)):
        with connect(work.home, snapshot) as con:
            for what in ("papers", "facts"):
                rows = con.execute(sql.load(f"derive/registry_{what}"))
                inputs[f"{what}_{when}"] = _table(rows.to_arrow_reader())
    with connect(work.home, work.before) as con:
        for name, rows in inputs.items():
            con.register(name, rows)
        return _column(con.execute(sql.load("derive/registry_changed")))


def _column(result: duckdb.DuckDBPyConnection) -> pa.Array:
    return _table(result.to_arrow_reader()).column(0).cast(pa.int64()).combine_chunks()


def _table(rows: pa.Table | pa.RecordBatchReader) -> pa.Table:
    return rows if isinstance(rows, pa.Table) else rows.read_all()


def _union(*arrays: pa.Array) -> pa.Array:
    return pa.chunked_array(list(arrays), pa.int64()).unique().sort()
