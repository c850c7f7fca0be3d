"""Fewer files, the same rows: adopting a first load, merging deltas, making a new base."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import duckdb
import pyarrow as pa

import sql
from etl.store.duck_types import quoted
from etl.store.files import declared, write_declared
from etl.store.home import Home
from etl.store.latest import LATEST, SEQ, base_seq, carried_seq, carries_version, register
from etl.store.schema import Column, Layout, Table
from etl.store.snapshot import DataFile, TableState
from etl.store.views import scan, scratch

MOST_DELTAS = 24
FILE_BYTES = 256 << 20  # a merged base is cut into files of about this size
PART_ROWS = 200_000  # rows that are sorted in memory at once
BEYOND = 2**63 - 1  # above every PMID


def compact(home: Home, table: str, state: TableState, *, force: bool = False) -> TableState:
    """The same visible rows in fewer files.

    With more than ``MOST_DELTAS`` deltas they are merged into one and the base is left as it
    is; with ``force`` everything becomes one sorted base. Deletes stay known in either case,
    so that a late file cannot bring a deleted PMID back. Otherwise ``state`` is returned.
    """
    if declared(table).layout is not Layout.KEYED:
        return state
    if not force and len(state.deltas) <= MOST_DELTAS:
        return state
    if force and not state.deltas and not state.latest and len(state.base) < 2:
        return state
    with scratch(home) as con:
        register(con, home, declared(table), state)
        merge = _Merge(con, home, declared(table), state)
        return merge.everything() if force else merge.deltas()


def adopt(con: duckdb.DuckDBPyConnection, home: Home, table: str, state: TableState) -> TableState:
    """Makes the deltas of a first load its base; only files that hold losers are rewritten.

    ``con`` has ``latest`` and ``delta_origin`` of ``state``, which has no base.
    """
    return _Merge(con, home, declared(table), state).adoption()


class _Merge:
    """One merge of one table. ``con`` has ``latest``, ``base_origin`` and ``delta_origin``."""

    def __init__(
        self, con: duckdb.DuckDBPyConnection, home: Home, table: Table, state: TableState
    ) -> None:
        self._con, self._home, self._table, self._state = con, home, table, state
        self._columns = ", ".join(quoted(c.name) for c in table.columns)
        con.execute("create table ranks as " + sql.load("store/ranks"))

    def deltas(self) -> TableState:
        """All deltas as one (and one more for each rank of puts that wait)."""
        ranks = self._ranks(0)
        files = [self._write(self._from_deltas(r), "merged") for r in ranks]
        merged = self._con.sql(sql.load("store/merged")).to_arrow_table()
        latest = write_declared(self._home, LATEST, merged, f"{self._table.name}/latest")
        return replace(self._state, deltas=tuple(files), latest=latest)

    def everything(self) -> TableState:
        """One sorted base of the visible rows."""
        shape = self._base_shape()
        return self._finish(tuple(self._write_base(self._visible(shape), shape)))

    def adoption(self) -> TableState:
        """The deltas as base, less the rows that lose."""
        losing = {n for (n,) in self._con.execute(sql.load("store/losers")).fetchall()}
        base = []
        for position, file in enumerate(self._state.deltas):
            kept = self._keep_winners(position, file) if position in losing else file
            base += [kept] if kept.rows else []
        return self._finish(tuple(base))

    def _finish(self, base: tuple[DataFile, ...]) -> TableState:
        waiting = [self._write(self._waiting(r), "waiting") for r in self._ranks(1)]
        distinct = f"select distinct pmid from {scan(self._home, base)}" if base else _NO_PMID
        self._con.execute(f"create table base_pmids as {distinct}")
        versioned = {"versioned": carries_version(self._table)}
        left = self._con.sql(sql.load("store/residue"), params=versioned).to_arrow_table()
        latest = None
        if left.num_rows:
            latest = write_declared(self._home, LATEST, left, f"{self._table.name}/latest")
        return TableState(base, tuple(waiting), latest, sum(f.rows for f in base))

    def _ranks(self, least: int) -> list[int]:
        ask = "select coalesce(max(rank), -1) from ranks"
        return list(range(least, self._con.execute(ask).fetchall()[0][0] + 1))

    def _keep_winners(self, position: int, file: DataFile) -> DataFile:
        rows = (
            f"select {self._columns} from {scan(self._home, [file])} "
            f"semi join (select pmid from latest where visible and file = {position}) using (pmid)"
        )
        return self._write(rows, "adopted", file.seq)

    def _from_deltas(self, rank: int, extra: str = "") -> str:
        return (
            f"select {self._columns}{extra} "
            f"from (select *, file_index::int as file from {scan(self._home, self._state.deltas)}) "
            f"join (select pmid, file, seq as {SEQ} from ranks where rank = {rank} and file >= 0) "
            "using (pmid, file)"
        )

    def _waiting(self, rank: int) -> str:
        parts = [self._from_deltas(rank)] if self._state.deltas else []
        if self._state.base:
            parts.append(
                f"select {self._columns} from {scan(self._home, self._state.base)} "
                f"semi join (select pmid from ranks where rank = {rank} and file = -1) using (pmid)"
            )
        return " union all ".join(parts)

    def _visible(self, shape: Table) -> str:
        has_seq = shape is not self._table
        parts = [self._from_deltas(0, f", {SEQ}" if has_seq else "")] if self._state.deltas else []
        if self._state.base:
            seq = f", {base_seq(self._home, self._table, self._state.base)} as {SEQ}"
            parts.append(
                f"select {self._columns}{seq if has_seq else ''} "
                f"from (select *, file_index from {scan(self._home, self._state.base)}) as b "
                "anti join (select pmid from latest where hides) using (pmid)"
            )
        return " union all ".join(parts)

    def _base_shape(self) -> Table:
        if carried_seq(self._home, self._table, ()) == "seq":
            return self._table
        seq = Column(SEQ, pa.int64(), "Place of the delivery of this row", nullable=False)
        return replace(self._table, columns=(*self._table.columns, seq))

    def _write(self, query: str, name: str, seq: int | None = None) -> DataFile:
        cuts = self._cuts(query)
        rows = self._parts(self._table, cuts)
        return write_declared(self._home, self._table, rows, f"{self._table.name}/{name}", seq)

    def _write_base(self, query: str, shape: Table) -> Iterator[DataFile]:
        cuts = self._cuts(query)
        step = self._parts_per_file()
        for start in range(0, len(cuts) - 1, step):
            rows = self._parts(shape, cuts[start : start + step + 1])
            yield write_declared(self._home, shape, rows, f"{shape.name}/base")

    def _cuts(self, query: str) -> list[int | None]:
        """PMIDs that cut the rows of ``query`` into parts; the last cut is open (None)."""
        self._con.execute(f"create or replace view wanted as {query}")
        found = self._con.execute(sql.load("store/bounds"), {"rows": PART_ROWS}).fetchall()
        return [*(pmid for (pmid,) in found), None]

    def _parts(self, shape: Table, cuts: list[int | None]) -> Iterator[pa.Table]:
        keys = ", ".join(quoted(k) for k in shape.sort)
        for low, high in pairwise(cuts):
            ask = f"select * from wanted where pmid >= $low and pmid < $high order by {keys}"
            bounds = {"low": low, "high": high if high is not None else BEYOND}
            yield self._con.sql(ask, params=bounds).to_arrow_table()

    def _parts_per_file(self) -> int:
        files = (*self._state.base, *self._state.deltas)
        per_row = sum(f.bytes for f in files) / max(1, sum(f.rows for f in files))
        return max(1, int(FILE_BYTES / max(1.0, per_row * PART_ROWS)))


_NO_PMID = "select null::bigint as pmid where false"
