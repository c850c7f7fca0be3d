"""PostgreSQL's COPY text format to Arrow, without a step per row.

The format (PostgreSQL manual, COPY, "Text Format"): one row a line, tabs between the columns,
``\\N`` for NULL, and backslash escapes for backslash, tab and line ends, so a line end is always
the end of a row. pyarrow's own ``escape_char`` corrupts such text silently (it turns ``\\n`` into
``n``), therefore the text is split without escapes and un-escaped column by column.
"""

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

BLOCK = 4 * 1024 * 1024  # bytes: some 5,000 studies; keeps memory flat in the table's size
END = b"\\.\n"
_COPY = re.compile(rb"^COPY \S+?\.(?P<table>\S+) \((?P<columns>.*)\) FROM stdin;$")

# what COPY TO writes, the frequent one first
_ESCAPES = (
    ("\\n", "\n"),
    ("\\r", "\r"),
    ("\\t", "\t"),
    ("\\b", "\b"),
    ("\\f", "\f"),
    ("\\v", "\v"),
)
# PostgreSQL text cannot hold the character 0, so it can stand for a backslash meanwhile
_STAND_IN = "\0"


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class CutShortError(Exception):
    """The stream ended before the end-of-data mark."""


class CopyScript:
    """The script that pg_restore or pg_dump writes: tables as COPY text, one after the other.

    Call ``next_table`` and then use up ``blocks`` (or call ``next_table`` again, which skips what
    is left of a table).
    """

    def __init__(self, stream: Readable, size: int = BLOCK) -> None:
        self._stream = stream
        self._size = size
        self._text = b""
        self._at = 0  # all before it is used up
        self._inside = False

    def next_table(self) -> tuple[str, list[str]] | None:
        """Name and columns of the next table; None at the end of the script.

        Settings, comments and ``\\restrict`` lines before it are skipped: none of them begins
        with COPY.
        """
        for _ in self.blocks():
            pass
        while (line := self._line()) is not None:
            found = _COPY.match(line)
            if found:
                self._inside = True
                columns = [c.strip(' "') for c in found["columns"].decode().split(",")]
                return found["table"].decode().strip('"'), columns
        return None

    def blocks(self) -> Iterator[bytes]:
        """Whole lines of the table, up to its end mark; ``CutShortError`` when that is missing."""
        while self._inside:
            end = self._end()
            if end is not None:
                block, self._at = self._text[self._at : end], end + len(END)
                self._inside = False
            else:
                # the last line is kept back: it may be half of a line or of the end mark
                cut = max(self._text.rfind(b"\n") + 1, self._at)
                block, self._at = self._text[self._at : cut], cut
                if not self._more():
                    raise CutShortError
            if block:
                yield block

    def _end(self) -> int | None:
        if self._text.startswith(END, self._at):
            return self._at
        found = self._text.find(b"\n" + END, self._at)
        return None if found < 0 else found + 1

    def _line(self) -> bytes | None:
        while (end := self._text.find(b"\n", self._at)) < 0:
            if not self._more():
                return None
        line, self._at = self._text[self._at : end], end + 1
        return line

    def _more(self) -> bool:
        read = self._stream.read(self._size)
        self._text, self._at = self._text[self._at :] + read, 0
        return bool(read)


class ReadAhead:
    """Reads the next part of a stream while the last one is worked on."""

    def __init__(self, stream: Readable, pool: Executor, size: int = BLOCK) -> None:
        self._read = partial(stream.read, size)
        self._pool = pool
        self._next = pool.submit(self._read)

    def read(self, _: int) -> bytes:
        """The next part, of the size given at the start; empty at the end."""
        part = self._next.result()
        if part:
            self._next = self._pool.submit(self._read)
        return part


def parse_block(block: bytes, columns: Sequence[str], wanted: Sequence[str]) -> pa.Table:
    """One block of whole lines as a table of text columns."""
    split = pacsv.read_csv(
        pa.BufferReader(block),
        read_options=pacsv.ReadOptions(column_names=list(columns), block_size=len(block) + 1),
        parse_options=pacsv.ParseOptions(
            delimiter="\t", quote_char=False, escape_char=False, ignore_empty_lines=False
        ),
        convert_options=pacsv.ConvertOptions(
            include_columns=list(wanted),
            column_types={name: pa.string() for name in wanted},
            null_values=["\\N"],
            strings_can_be_null=True,
        ),
    )
    return pa.table({name: _unescape(split.column(name)) for name in split.column_names})


def _unescape(values: pa.ChunkedArray) -> pa.ChunkedArray:
    flat = values.combine_chunks()
    escaped = pc.fill_null(pc.match_substring(flat, "\\"), False)
    if not pc.any(escaped).as_py():
        return values
    text = pc.replace_substring(flat.filter(escaped), "\\\\", _STAND_IN)
    for written, meant in _ESCAPES:
        text = pc.replace_substring(text, written, meant)
        # nearly always the line feeds were all, which saves five passes over the longest texts
        if not pc.any(pc.match_substring(text, "\\")).as_py():
            break
    text = pc.replace_substring(text, _STAND_IN, "\\")
    return pa.chunked_array([pc.replace_with_mask(flat, escaped, text)])
