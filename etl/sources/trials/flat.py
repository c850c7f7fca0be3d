"""The pipe-delimited delivery: a zip of ``.txt`` files, or the folder it unpacks to.

AACT makes these files with COPY … CSV HEADER, then deletes every ``""`` and writes one ``~`` for
each line feed together with the white space character behind it. So an empty text cannot be told
from NULL, quotes inside a text are gone, and so are line ends; a text that is nothing but quotes
becomes NULL. A carriage return before a line feed stays.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pyarrow as pa
import pyarrow.csv as pacsv

from etl.errors import SourceError
from etl.sources.trials import archive
from etl.sources.trials.delivery import Rows

BLOCK = 16 * 1024 * 1024  # bytes; a row is never longer (the longest text is some 40 kB)
LOSSES = (
    "the pipe-delimited export has no empty texts (they are null), no quotes inside a text that "
    "was quoted, and ~ for line ends; load the dump for the exact texts",
)


class FlatDelivery:
    """The ``.txt`` tables of a zip or folder."""

    kind = "flat"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.label = str(path)

    @property
    def snapshot_date(self) -> str | None:
        """Date in the name of the zip or folder."""
        return archive.snapshot_date(self.path.name)

    def tables(self) -> frozenset[str]:
        """The delivered files, without ``.txt``."""
        if self.path.is_dir():
            return frozenset(p.stem for p in self.path.glob("*.txt"))
        with archive.open_zip(self.path) as opened:
            return frozenset(archive.flat_members(opened))

    def losses(self) -> Sequence[str]:
        """What the format cannot say."""
        return LOSSES

    def read(self, wanted: Mapping[str, Sequence[str]]) -> Generator[Rows]:
        """The files, streamed; columns are matched by the names in each header."""
        for table, columns in wanted.items():
            with self._open(table) as file:
                header = file.readline().decode("utf-8-sig").rstrip("\r\n")
                delivered = [name.strip('"') for name in header.split("|")]
                yield Rows(table, delivered, self._batches(table, file, delivered, columns))

    @contextmanager
    def _open(self, table: str) -> Iterator[IO[bytes]]:
        if self.path.is_dir():
            path = self.path / f"{table}.txt"
            _refuse_cut(path)
            with path.open("rb") as file:
                yield file
            return
        with archive.open_zip(self.path) as opened:
            member = archive.flat_members(opened)[table]
            with opened.open(member) as file:
                yield file

    def _batches(
        self, table: str, file: IO[bytes], columns: Sequence[str], wanted: Sequence[str]
    ) -> Iterator[pa.Table]:
        start = file.read(1)
        if not start:  # a header and nothing more is an empty table, which pyarrow refuses
            return
        try:
            with _csv(_Joined(start, file), columns, wanted) as rows:
                for batch in rows:
                    yield pa.Table.from_batches([batch])
        except pa.ArrowInvalid as error:
            why = str(error).splitlines()[0]
            raise SourceError(
                f"{self.label}: {table}.txt is damaged ({why}); download it again"
            ) from error


def _refuse_cut(path: Path) -> None:
    """A zip has a checksum; of an unpacked file only the missing last line end tells."""
    with path.open("rb") as file:
        file.seek(0, 2)
        if file.tell():
            file.seek(-1, 2)
            if file.read(1) == b"\n":
                return
    raise SourceError(f"{path}: ends in the middle of a line; unpack the zip again")


class _Joined:
    """A file whose first byte was already read."""

    closed = False

    def __init__(self, start: bytes, rest: IO[bytes]) -> None:
        self._start = start
        self._rest = rest

    def read(self, size: int = -1) -> bytes:
        if self._start:
            start, self._start = self._start, b""
            return start + self._rest.read(max(size - 1, 0))
        return self._rest.read(size)

    def close(self) -> None:
        """The file is closed by its owner."""


def _csv(file: _Joined, columns: Sequence[str], wanted: Sequence[str]) -> pacsv.CSVStreamingReader:
    keep = [name for name in wanted if name in columns]
    return pacsv.open_csv(
        pa.PythonFile(file, mode="r"),
        read_options=pacsv.ReadOptions(column_names=list(columns), block_size=BLOCK),
        parse_options=pacsv.ParseOptions(
            delimiter="|", quote_char='"', double_quote=False, newlines_in_values=True
        ),
        convert_options=pacsv.ConvertOptions(
            include_columns=keep,
            column_types={name: pa.string() for name in keep},
            null_values=[""],
            strings_can_be_null=True,
        ),
    )
