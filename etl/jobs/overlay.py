"""Records that the warehouse does not hold, graded through the same SQL in memory.

For what cannot be kept (a locked, read-only or full home) and for what has no PMID (preprints
of Europe PMC, works of OpenAlex). Links are those that the records say themselves and those
between them.
"""

from collections.abc import Callable

import duckdb
import pyarrow as pa

import sql
from etl.jobs.facts import facts_of_changed, guideline_references, prepare_facts
from etl.jobs.grade import grade_rows, load_profile
from etl.jobs.links import citation_trials, find_pairs, links_of_changed, title_keys
from etl.store.home import Home
from etl.store.schema import TABLES, conform
from etl.store.snapshot import EMPTY, Snapshot
from etl.store.views import connect
from etl.text.extract import extract

Compute = Callable[[duckdb.DuckDBPyConnection], pa.Table | pa.RecordBatchReader]


def overlay(
    home: Home, snapshot: Snapshot | None, citations: pa.Table, as_of_year: int
) -> duckdb.DuckDBPyConnection:
    """A connection where ``citations`` stand in place of the warehouse's, with their grades.

    ``citations`` are rows of that table, one a PMID; a negative PMID stands for a record without
    one. The views citations, citation_signals, citation_trials, citation_links, title_keys,
    evidence_facts and graded hold these records alone; trials, MeSH and journals are those of
    ``snapshot`` (None: empty); guideline_references are theirs and what of its own concerns them.
    """
    con = connect(home, snapshot or EMPTY)
    rows = conform(TABLES["citations"], citations)
    stand(con, "citations", rows)
    stand(con, "citation_signals", conform(TABLES["citation_signals"], extract(rows)))
    con.execute("CREATE TEMP TABLE changed AS SELECT pmid FROM citations")
    own: dict[str, Compute] = {
        "citation_trials": citation_trials,
        "title_keys": title_keys,
        "guideline_references": lambda c: _references(c, as_of_year),
        "citation_links": _links,
        "evidence_facts": lambda c: _facts(c, as_of_year),
    }
    for table, compute in own.items():
        stand(con, table, _whole(table, compute(con)))
    graded = grade_rows(_read(con, "evidence_facts"), load_profile("default"), as_of_year)
    stand(con, "graded", conform(TABLES["graded"], graded))
    return con


def _references(con: duckdb.DuckDBPyConnection, as_of_year: int) -> pa.Table:
    """Of these records and of the warehouse: S-4 asks what any guideline held here cites."""
    bound = {"as_of_year": as_of_year}
    held = con.sql(sql.load("derive/held_references"), params=bound).to_arrow_table()
    own = _whole("guideline_references", guideline_references(con))
    return pa.concat_tables([own, conform(TABLES["guideline_references"], held)])


def _links(con: duckdb.DuckDBPyConnection) -> pa.RecordBatchReader:
    find_pairs(con)
    return links_of_changed(con)


def _facts(con: duckdb.DuckDBPyConnection, as_of_year: int) -> pa.RecordBatchReader:
    prepare_facts(con)
    return facts_of_changed(con, as_of_year)


def _whole(table: str, rows: pa.Table | pa.RecordBatchReader) -> pa.Table:
    return conform(TABLES[table], rows if isinstance(rows, pa.Table) else rows.read_all())


def _read(con: duckdb.DuckDBPyConnection, table: str) -> pa.Table:
    return con.sql(f"FROM {table}").to_arrow_table()


def stand(con: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    """Let ``rows`` stand in place of the view ``table``: a temporary table comes first."""
    con.register("standing", rows)
    con.execute(f"CREATE TEMP TABLE {table} AS FROM standing")
    con.unregister("standing")
