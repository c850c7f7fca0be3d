"""Writing one immutable Parquet file: checked, sorted, on disk, then named."""

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from etl.errors import StoreError
from etl.store.duck_types import quoted
from etl.store.home import Home, sync_file, sync_folder, writing
from etl.store.schema import TABLES, Table, conform
from etl.store.snapshot import DataFile

Rows: TypeAlias = "pa.Table | pa.RecordBatchReader | Iterable[pa.Table]"

IN_MEMORY = 512 << 20  # Arrow bytes that are sorted in memory; more is sorted on disk by DuckDB
GROUP_BYTES = 32 << 20  # Arrow bytes a row group aims at
GROUP_ROWS = 122_880  # DuckDB reads row groups in parallel up to this size
GROUP_ROWS_LEAST = 8_192
PAGE_ROWS = (
    1_024  # look-ups of some PMIDs read the pages they need: 100 of 300,000 in half the time
)


def write_file(home: Home, table: str, rows: Rows, seq: int | None, name: str) -> DataFile:
    """Writes ``rows`` of the declared ``table`` as a new file and returns what it is.

    Rows are checked against the declaration and sorted by its key; a stream that does not
    fit in memory is sorted on disk. The file gets a name of its own that starts with ``name``
    and never replaces another. Once this returns the file is on disk for good, but part of no
    snapshot yet.

    Raises ``SchemaError`` when rows do not fit, ``StoreError`` when it cannot be written.
    """
    return write_declared(home, declared(table), rows, f"{table}/{name}", seq)


def declared(table: str) -> Table:
    """The declaration of ``table``; ``StoreError`` when there is none."""
    if table not in TABLES:
        raise StoreError(f"no table {table!r} is declared; there are: {', '.join(sorted(TABLES))}")
    return TABLES[table]


def write_declared(
    home: Home, shape: Table, rows: Rows, name: str, seq: int | None = None
) -> DataFile:
    """As ``write_file``, for rows of ``shape``; ``name`` is the table's folder and the stem."""
    path = home.tables / f"{name}.{secrets.token_hex(4)}.parquet"
    folder = path.parent
    temp = folder / f".{path.stem}.tmp"
    with writing(path):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            count, low, high = _write(home, shape, rows, temp)
            checksum, size = _digest(temp), temp.stat().st_size
            sync_file(temp)
            temp.replace(path)
        finally:
            temp.unlink(missing_ok=True)
        sync_folder(folder)
    relative = path.relative_to(home.root).as_posix()
    return DataFile(relative, count, size, checksum, low, high, seq)


Span = tuple[int, int | None, int | None]


def _write(home: Home, shape: Table, rows: Rows, temp: Path) -> Span:
    stream = (conform(shape, part) for part in _parts(rows))
    first, whole = _take(stream, IN_MEMORY)
    if whole:
        table = pa.concat_tables([shape.arrow.empty_table(), *first]).combine_chunks()
        return _write_sorted(shape, [table.take(_order(shape, table))], temp)
    unsorted = temp.with_name(f"{temp.name}.unsorted")
    try:
        with _Writer(unsorted, shape) as out:
            for part in (*first, *stream):
                out.add(part)
        if out.ordered:
            unsorted.replace(temp)
            return out.span
        return _sort_on_disk(home, shape, unsorted, temp)
    finally:
        unsorted.unlink(missing_ok=True)


def _sort_on_disk(home: Home, shape: Table, unsorted: Path, temp: Path) -> Span:
    from etl.store.views import scratch

    keys = ", ".join(quoted(k) for k in shape.sort)
    with scratch(home) as con:
        ask = f"select * from read_parquet($path) order by {keys}"
        reader = con.sql(ask, params={"path": str(unsorted)}).to_arrow_reader(GROUP_ROWS)
        return _write_sorted(shape, (conform(shape, part) for part in _parts(reader)), temp)


def _write_sorted(shape: Table, parts: Iterable[pa.Table], temp: Path) -> Span:
    with _Writer(temp, shape) as out:
        for part in parts:
            out.add(part)
    return out.span


def _parts(rows: Rows) -> Iterator[pa.Table]:
    if isinstance(rows, pa.Table):
        yield rows
    elif isinstance(rows, pa.RecordBatchReader):
        for batch in rows:
            yield pa.Table.from_batches([batch])
    else:
        yield from rows


def _take(stream: Iterator[pa.Table], limit: int) -> tuple[list[pa.Table], bool]:
    taken, size = [], 0
    for part in stream:
        taken.append(part)
        size += part.nbytes
        if size > limit:
            return taken, False
    return taken, True


def _order(shape: Table, table: pa.Table) -> pa.Array:
    return pc.sort_indices(table, sort_keys=[(k, "ascending") for k in shape.sort])


@dataclass
class _Edge:
    """Sort key of a row, nulls last as both Arrow and DuckDB sort them."""

    key: tuple[tuple[bool, object], ...]

    @classmethod
    def of(cls, shape: Table, table: pa.Table, row: int) -> "_Edge":
        values = [table.column(k)[row].as_py() for k in shape.sort]
        return cls(tuple((v is None, 0 if v is None else v) for v in values))


class _Writer:
    """Appends tables to one Parquet file in row groups of an even size and watches their order."""

    def __init__(self, path: Path, shape: Table) -> None:
        self._shape = shape
        self._out = pq.ParquetWriter(
            path,
            shape.arrow,
            compression="zstd",
            write_page_index=True,
            max_rows_per_page=PAGE_ROWS,
        )
        self._pending: list[pa.Table] = []
        self._waiting = 0
        self._group = 0
        self._last: _Edge | None = None
        self._rows = 0
        self._low: int | None = None
        self._high: int | None = None
        self.ordered = True

    def __enter__(self) -> "_Writer":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._flush(0)
        finally:
            self._out.close()

    @property
    def span(self) -> Span:
        """Rows, least and greatest first key (None unless it is an integer)."""
        return self._rows, self._low, self._high

    def add(self, part: pa.Table) -> None:
        """Appends ``part``."""
        if not part.num_rows:
            return
        self._watch(part)
        self._group = self._group or _group_rows(part)
        self._pending.append(part)
        self._waiting += part.num_rows
        if self._waiting >= self._group:
            self._flush(self._waiting % self._group)

    def _flush(self, keep: int) -> None:
        if self._waiting > keep:
            ready = pa.concat_tables(self._pending)
            write = ready.slice(0, self._waiting - keep)
            self._out.write_table(write, row_group_size=self._group)
            self._pending = [ready.slice(self._waiting - keep)] if keep else []
            self._waiting = keep

    def _watch(self, part: pa.Table) -> None:
        self._rows += part.num_rows
        self._note_span(part.column(self._shape.sort[0]))
        first, last = (_Edge.of(self._shape, part, i) for i in (0, part.num_rows - 1))
        if self.ordered:
            joins = self._last is None or self._last.key <= first.key
            self.ordered = joins and _ascending(_order(self._shape, part))
        self._last = last

    def _note_span(self, keys: pa.ChunkedArray) -> None:
        if pa.types.is_integer(keys.type):
            span = pc.min_max(keys).as_py()
            low, high = span["min"], span["max"]
            if low is not None:
                self._low = low if self._low is None else min(self._low, low)
                self._high = high if self._high is None else max(self._high, high)


def _ascending(order: pa.Array) -> bool:
    # a stable sort of rows that are in order already moves none of them
    return bool(pc.all(pc.less(order[:-1], order[1:])).as_py())


def _group_rows(part: pa.Table) -> int:
    by_size: int = GROUP_BYTES * part.num_rows // max(1, part.nbytes)
    return max(GROUP_ROWS_LEAST, min(GROUP_ROWS, by_size))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
