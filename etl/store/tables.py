"""Bringing a table up to date: base, deltas, and which of their rows count.

A KEYED table is a large sorted base, one delta a change, and ``latest``: for every PMID that
changed since the base, which operations still matter. What is visible at any time is what a
replay of the changes in the order of their sequence numbers gives, whatever the order in
which they came. A WHOLE table is just its base.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed_to

import duckdb
import pyarrow as pa

import sql
from etl.errors import StoreError
from etl.store.compact import adopt, compact
from etl.store.files import declared, write_declared, write_file
from etl.store.home import Home
from etl.store.latest import LATEST, register
from etl.store.schema import Layout
from etl.store.snapshot import DataFile, TableState
from etl.store.views import scratch

__all__ = ["Change", "apply", "compact", "replace", "write_file"]


@dataclass(frozen=True)
class Change:
    """What one delivery did to one keyed table.

    ``seq`` is its place in the order of application. ``rows`` are the rows that it puts (None
    when it puts none). ``touched`` has one row a PMID: pmid int64, op ('put' replaces all rows
    of the PMID, with none if ``rows`` has none; 'delete'), version int16 (1 when absent). It may
    be a function that gives that table: those of a whole baseline take most of a gigabyte.
    """

    seq: int
    rows: DataFile | None
    touched: pa.Table | Callable[[], pa.Table]


def replace(home: Home, table: str, files: Sequence[DataFile]) -> TableState:
    """The state of a table that consists of ``files`` and nothing else."""
    declared(table)
    return TableState(base=tuple(files), rows=sum(f.rows for f in files))


def apply(
    home: Home, table: str, state: TableState, changes: Sequence[Change]
) -> tuple[TableState, pa.Array]:
    """The state after ``changes``, and the PMIDs (ascending) whose visible rows are others.

    Changes may come in any order and again. Of two with the same ``seq`` the one that comes
    later in the list, or in a later call, counts as later. Nothing is written but the new
    ``latest``, except on the first load: there the files become the base as they are, less
    the rows that lose. Raises ``StoreError`` when a change names a PMID twice.
    """
    if declared(table).layout is not Layout.KEYED:
        raise StoreError(f"table {table} is rewritten as a whole: use replace, not apply")
    if not changes:
        return state, pa.array([], pa.int64())
    new = tuple(c.rows for c in changes if c.rows is not None)
    grown = changed_to(state, deltas=(*state.deltas, *new))
    with scratch(home) as con:
        register(con, home, declared(table), grown)
        _register_touched(con, table, changes, len(state.deltas))
        changed = _fold(con)
        if not state.base and not state.deltas:
            con.execute("create or replace table latest as " + sql.load("store/latest"))
            return adopt(con, home, table, grown), changed
        gain = con.execute(sql.load("store/gain")).fetchall()[0][0]
        rows = con.sql(sql.load("store/latest")).to_arrow_table()
    latest = write_declared(home, LATEST, rows, f"{table}/latest")
    return changed_to(grown, latest=latest, rows=state.rows + gain), changed


def _fold(con: duckdb.DuckDBPyConnection) -> pa.Array:
    con.execute("create table base_found as " + sql.load("store/found"))
    con.execute("create table held as " + sql.load("store/held"))
    con.execute("create table folded as " + sql.load("store/fold"))
    changed = con.sql(sql.load("store/changed")).to_arrow_table()
    return changed.column("pmid").combine_chunks()


def _register_touched(
    con: duckdb.DuckDBPyConnection, table: str, changes: Sequence[Change], first: int
) -> None:
    con.execute(
        "create table touched"
        " (pmid bigint, seq bigint, op varchar, version smallint, arrival int, file int)"
    )
    position = first
    for arrival, change in enumerate(changes, 1):
        con.register("incoming", _checked(table, change))
        file = -2 if change.rows is None else position  # -2: no file has rows of it
        con.execute(
            "insert into touched select pmid, ?, op, coalesce(version, 1), ?, ? from incoming",
            [change.seq, arrival, file],
        )
        con.unregister("incoming")
        position += change.rows is not None


def _checked(table: str, change: Change) -> pa.Table:
    given = change.touched() if callable(change.touched) else change.touched
    touched = given.select(["pmid", "op", "version"])
    pmids = touched.column("pmid")
    if pmids.null_count or len(pmids.unique()) != len(pmids):
        raise StoreError(f"table {table}: change {change.seq} touches a PMID twice or a null one")
    unknown = set(touched.column("op").unique().to_pylist()) - {"put", "delete"}
    if unknown:
        raise StoreError(f"table {table}: change {change.seq} has the operation {unknown.pop()!r}")
    return touched
