"""The tables of one snapshot as DuckDB views over explicit file lists.

The same text serves an in-memory connection, ``warehouse.duckdb`` and ``views.sql``. A glob
is never used: it could see files of two snapshots.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyarrow as pa

from etl.errors import StoreError
from etl.store.duck import open_duckdb
from etl.store.duck_types import duck_type, literal, quoted
from etl.store.home import Home, write_text, writing
from etl.store.schema import TABLES, Table
from etl.store.snapshot import DataFile, Snapshot, TableState, committed

HIDDEN = "evidence_snapshot"  # the one view that is not a table: which snapshot this is


def connect(
    home: Home, snapshot: Snapshot | None = None, *, memory_limit: str | None = None
) -> duckdb.DuckDBPyConnection:
    """An in-memory connection with one view a declared table, all of one snapshot.

    ``snapshot`` may be one that is not committed yet; None is the committed one. Tables
    without files are empty views of the declared types. ``memory_limit`` as DuckDB writes it
    (``"4GB"``). Raises ``NoSnapshotError`` when nothing has been committed.
    """
    chosen = snapshot or committed(home)
    con = bare(home, memory_limit)
    with reading(home):
        define(con, home, chosen, comments=False)
    return con


def bare(home: Home, memory_limit: str | None = None) -> duckdb.DuckDBPyConnection:
    """An in-memory connection that spills into the home and fetches nothing from the network."""
    con = open_duckdb(
        config={
            "temp_directory": str(home.staging / "duckdb"),
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "python_enable_replacements": False,
        }
    )
    con.execute("set parquet_metadata_cache = true")
    if memory_limit:
        con.execute(f"set memory_limit = {literal(memory_limit)}")
    return con


@contextmanager
def scratch(home: Home, memory_limit: str | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A bare connection for one piece of work on the store, closed after it."""
    with bare(home, memory_limit) as con, reading(home):
        yield con


@contextmanager
def reading(home: Home) -> Iterator[None]:
    """Turns DuckDB's input and output failures in the block into one-line ``StoreError``s."""
    try:
        yield
    except duckdb.Error as error:
        damaged = damage(error)
        if damaged is not None:
            raise damaged from error
        if not isinstance(error, duckdb.IOException | duckdb.OutOfMemoryException):
            raise
        text = " ".join(str(error).split())
        raise StoreError(
            f"the warehouse in {home.root} cannot be read or written: {text}; see evidence doctor"
        ) from error


def damage(error: duckdb.Error) -> StoreError | None:
    """The error that names the Parquet file that ``error`` is about; None when it is about none.

    DuckDB does not name a file whose inner parts are overwritten; the error has no class then.
    """
    text = " ".join(str(error).split())
    named = re.search(r"""(['"])([^'"]+\.parquet)\1""", text)
    mend = "names every damaged file; restore it from a backup, or load all into a new home"
    if type(error) is duckdb.Error:
        return StoreError(
            f"a stored file cannot be read ({text[:200]}): evidence doctor --deep {mend}"
        )
    if named is None or isinstance(error, duckdb.ParserException | duckdb.BinderException):
        return None
    why = text.replace(named[0], "it").partition(" LINE ")[0].partition(": value ")[0][:200]
    return StoreError(f"{named[2]} cannot be read ({why}): evidence doctor --deep {mend}")


def define(
    con: duckdb.DuckDBPyConnection, home: Home, snapshot: Snapshot, *, comments: bool = True
) -> None:
    """Define every view of ``snapshot``; a column that its files are too old to have is null.

    An earlier program wrote such files. Its warehouse can be read until the next refresh, which
    works out anew what the present rules look at.
    """
    try:
        con.execute(definitions(home, snapshot, comments=comments))
    except duckdb.BinderException:
        con.execute("rollback")
        con.execute(definitions(home, snapshot, comments=comments, older=True))


def definitions(
    home: Home, snapshot: Snapshot, *, comments: bool = True, older: bool = False
) -> str:
    """The SQL text that defines, and unless told otherwise comments, every view of ``snapshot``.

    Comments are for people who browse the DuckDB file; they take most of the time to define.
    ``older``: files may lack declared columns.
    """
    head = (
        f"-- Views of snapshot {snapshot.id} ({snapshot.created_at}) in {home.root}.\n"
        "-- Remade at every refresh; the files named here stay for the time of grace.\n"
        "begin transaction;\n"
        f"create or replace view {HIDDEN} as select {snapshot.id} as id, "
        f"{literal(snapshot.created_at)} as created_at;\n"
    )
    parts = []
    for name, table in TABLES.items():
        parts.append(_define(home, table, snapshot.tables.get(name, TableState()), older))
        parts += [_comment(table)] if comments else []
    return head + "\n".join(parts) + "commit;\n"


def _define(home: Home, table: Table, state: TableState, older: bool) -> str:
    body = visible(home, table, state, older=older)
    return f"create or replace view {quoted(table.name)} as\n{body};\n"


def _comment(table: Table) -> str:
    about = f"One row is {table.grain}."
    lines = [f"comment on view {quoted(table.name)} is {literal(about)};"]
    lines += [
        f"comment on column {quoted(table.name)}.{quoted(c.name)} is {literal(c.about)};"
        for c in table.columns
    ]
    return "\n".join(lines) + "\n"


def visible(home: Home, table: Table, state: TableState, *, older: bool = False) -> str:
    """The query whose rows are the visible rows of ``state``."""
    columns = ", ".join(quoted(c.name) for c in table.columns)
    if older:
        named = ", ".join(literal(c.name) for c in table.columns)
        columns = f"columns(lambda c: c in ({named}))"
    parts = []
    if state.base:
        hidden = ""
        if state.latest:
            latest = scan(home, [state.latest])
            hidden = f"\n  anti join (select pmid from {latest} where hides) as l using (pmid)"
        parts.append(f"select {columns} from {scan(home, state.base)} as b{hidden}")
    if state.deltas and state.latest:
        latest = scan(home, [state.latest])
        parts.append(
            f"select {columns} from (select *, file_index as file\n"
            f"    from {scan(home, state.deltas)}) as d\n"
            f"  semi join (select pmid, file from {latest} where visible) as l using (pmid, file)"
        )
    if older:
        return "\nunion all by name\n".join([_empty(table), *parts])
    return "\nunion all\n".join(parts) if parts else _empty(table)


def keep_rows(  # noqa: PLR0913 - which rows, of what, to where
    con: duckdb.DuckDBPyConnection,
    home: Home,
    snapshot: Snapshot,
    table: str,
    wanted: str,
    *,
    columns: Sequence[str] = (),
    name: str | None = None,
) -> None:
    """Makes the temporary table ``name`` (default: ``table``, instead of its view) of some rows.

    They are the visible rows of the PMIDs of the relation ``wanted``; no ``columns`` is all. The
    view would look for every wanted PMID in the base; here the base is asked only for those
    that rest there, so that rows of a day's deliveries cost the same in any warehouse.
    """
    state = snapshot.tables.get(table, TableState())
    con.execute(f"create or replace temp table resting as {_resting(home, state, wanted)}")
    some = con.execute("select count(*) from resting").fetchall()[0][0]
    parts = [f"select b.* from {scan(home, state.base)} as b semi join resting using (pmid)"]
    parts = parts if some else []
    if state.deltas and state.latest:
        found = (
            f"select pmid, file from {scan(home, [state.latest])} "
            f"semi join (select pmid from {wanted}) using (pmid) where visible"
        )
        parts.append(
            f"select d.* exclude (file) from (select *, file_index as file "
            f"from {scan(home, state.deltas)}) as d semi join ({found}) as l using (pmid, file)"
        )
    listed = ", ".join(quoted(c) for c in columns or [c.name for c in TABLES[table].columns])
    rows = " union all ".join(f"select {listed} from ({part})" for part in parts)
    rows = rows or f"select {listed} from ({_empty(TABLES[table])})"
    con.execute(f"create or replace temp table {quoted(name or table)} as {rows}")


def held(home: Home, snapshot: Snapshot, pmids: Sequence[int]) -> set[int]:
    """Those of ``pmids`` of which ``snapshot`` shows a citation."""
    with scratch(home) as con:
        con.register("wanted", pa.table({"pmid": pa.array(pmids, pa.int64())}))
        keep_rows(con, home, snapshot, "citations", "wanted", columns=("pmid",))
        return {row[0] for row in con.execute("select pmid from citations").fetchall()}


def _resting(home: Home, state: TableState, wanted: str) -> str:
    if not state.base:
        return "select null::bigint as pmid where false"
    hidden = ""
    if state.latest:
        latest = scan(home, [state.latest])
        hidden = f" anti join (select pmid from {latest} where hides) using (pmid)"
    return f"select pmid from {wanted}{hidden}"


def scan(home: Home, files: Sequence[DataFile]) -> str:
    """``read_parquet`` over exactly ``files``, by absolute path."""
    paths = ",\n    ".join(literal(str(home.root / f.path)) for f in files)
    return f"read_parquet([{paths}])"


def _empty(table: Table) -> str:
    nulls = ", ".join(f"null::{duck_type(c.type)} as {quoted(c.name)}" for c in table.columns)
    return f"select {nulls} where false"


def ensure_derived(home: Home, snapshot: Snapshot) -> None:
    """Makes ``warehouse.duckdb`` and ``views.sql`` say what ``snapshot`` says, if they do not.

    ``views.sql`` is written last: where it is right, the DuckDB file was made for it.
    """
    if not derived_is_current(home, snapshot):
        _build(home, snapshot)
        write_text(home.views_sql, definitions(home, snapshot))


def _build(home: Home, snapshot: Snapshot) -> None:
    temp = home.duckdb.with_name(f".{home.duckdb.name}.{os.getpid()}.tmp")
    with writing(home.duckdb):
        try:
            temp.unlink(missing_ok=True)
            _fill(temp, home, snapshot)
            # a journal left beside the old file must not be replayed into the new one
            home.duckdb.with_name(f"{home.duckdb.name}.wal").unlink(missing_ok=True)
            temp.replace(home.duckdb)
        finally:
            for left in (temp, temp.with_name(f"{temp.name}.wal")):
                left.unlink(missing_ok=True)


def _fill(path: Path, home: Home, snapshot: Snapshot) -> None:
    try:
        with open_duckdb(path) as con:
            define(con, home, snapshot)
    except duckdb.IOException as error:
        raise OSError(" ".join(str(error).split())) from error


def _said(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def derived_is_current(home: Home, snapshot: Snapshot) -> bool:
    """Whether ``warehouse.duckdb`` and ``views.sql`` are those of ``snapshot``."""
    text = definitions(home, snapshot)
    return _said(home.views_sql) == text and _opens(home.duckdb, snapshot)


def _opens(path: Path, snapshot: Snapshot) -> bool:
    if not path.is_file():
        return False
    try:
        with open_duckdb(path, read_only=True) as con:
            found = con.execute(f"select id from {HIDDEN}").fetchone()
            return found == (snapshot.id,)
    except duckdb.Error:
        return False
