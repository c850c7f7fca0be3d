"""``latest``: which operations on which PMIDs still matter, and where their rows lie."""

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from etl.store.duck_types import quoted
from etl.store.home import Home
from etl.store.schema import Column, Layout, Table
from etl.store.snapshot import DataFile, TableState
from etl.store.views import scan

SEQ = "_seq"  # written into merged files of tables whose rows do not carry their own seq

LATEST = Table(
    name="latest",
    grain="one operation on one PMID of a keyed table that still matters",
    layout=Layout.WHOLE,
    sort=("pmid", "seq"),
    columns=(
        Column("pmid", pa.int64(), "PubMed identifier", nullable=False),
        Column("seq", pa.int64(), "Place of its delivery in the order", nullable=False),
        Column("op", pa.string(), "What it did", nullable=False, codes=("put", "delete")),
        Column("version", pa.int16(), "Version of the record put", nullable=False),
        Column(
            "file",
            pa.int32(),
            "Where its rows lie: position in the deltas, -1 the base, -2 nowhere",
            nullable=False,
        ),
        Column("visible", pa.bool_(), "Its rows are the visible ones", nullable=False),
        Column("hides", pa.bool_(), "Base rows of this PMID do not count", nullable=False),
    ),
)


def register(con: duckdb.DuckDBPyConnection, home: Home, table: Table, state: TableState) -> None:
    """Makes ``latest``, ``base_origin`` and ``delta_origin`` of ``state`` visible to SQL."""
    known = f"select * from {scan(home, [state.latest])}" if state.latest else _NOTHING_KNOWN
    con.execute(f"create table latest as {known}")
    con.execute(f"create view base_origin as {_base_origin(home, table, state.base)}")
    con.execute(f"create view delta_origin as {_delta_origin(home, state.deltas)}")


_NOTHING_KNOWN = """
    select null::bigint as pmid, null::bigint as seq, null::varchar as op,
        null::smallint as version, null::int as file, null::bool as visible, null::bool as hides
    where false"""


def base_seq(home: Home, table: Table, base: tuple[DataFile, ...]) -> str:
    """The SQL expression for the sequence number of a base row (alias ``b``, with file_index)."""
    own = carried_seq(home, table, base)
    if own:
        return f"b.{quoted(own)}"
    numbers = ", ".join(str(-1 if f.seq is None else f.seq) for f in base)
    return f"([{numbers}]::bigint[])[b.file_index::bigint + 1]"


def carried_seq(home: Home, table: Table, base: tuple[DataFile, ...]) -> str | None:
    """Name of the column of the base files that holds each row's sequence number, if any."""
    if any(c.name == "seq" for c in table.columns):
        return "seq"
    stored = pq.read_schema(home.root / base[0].path).names if base else []
    return SEQ if SEQ in stored else None


def carries_version(table: Table) -> bool:
    """Whether the rows say their record's version themselves."""
    return any(c.name == "version" for c in table.columns)


def _base_origin(home: Home, table: Table, base: tuple[DataFile, ...]) -> str:
    if not base:
        return "select 0::bigint as pmid, 0::bigint as seq, 0::smallint as version where false"
    version = "b.version" if carries_version(table) else "1::smallint"
    return (
        f"select b.pmid, {base_seq(home, table, base)} as seq, {version} as version "
        f"from (select *, file_index from {scan(home, base)}) as b"
    )


def _delta_origin(home: Home, deltas: tuple[DataFile, ...]) -> str:
    if not deltas:
        return "select null::bigint as pmid, null::int as file where false"
    return f"select pmid, file_index::int as file from {scan(home, deltas)}"
