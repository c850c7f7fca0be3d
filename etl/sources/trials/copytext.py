"""PostgreSQL's COPY text format to Arrow, without a step per row.

The format (PostgreSQL manual, COPY, "Text Format"): one row a line, tabs between the columns,
``\\N`` for NULL, and backslash escapes for backslash, tab and line ends, so a line end is always
the end of a row. pyarrow's own ``escape_char`` corrupts such text silently (it turns ``\\n`` into
``n``), therefore the text is split without escapes and un-escaped column by column.
"""

import io
from collections.abc import Iterator, Sequence
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

BLOCK = 16 * 1024 * 1024  # bytes: some 20,000 studies; keeps memory flat in the table's size
END = b"\\.\n"

# what COPY TO writes; PostgreSQL text cannot hold the byte 0, so it can stand for a backslash
_ESCAPES = (
    (b"\\n", "\\n", "\n"),
    (b"\\r", "\\r", "\r"),
    (b"\\t", "\\t", "\t"),
    (b"\\b", "\\b", "\b"),
    (b"\\f", "\\f", "\f"),
    (b"\\v", "\\v", "\v"),
)
_STAND_IN = "\0"


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class CutShortError(Exception):
    """The stream ended before the end-of-data mark."""


def parse(stream: Readable, columns: Sequence[str], wanted: Sequence[str]) -> Iterator[pa.Table]:
    """Rows from ``stream`` (just behind the COPY line) up to the end mark, in tables of text.

    ``columns`` are those of the COPY line, ``wanted`` the ones to keep. Raises
    ``CutShortError`` when the mark is missing and ``pyarrow.ArrowInvalid`` on a torn line.
    """
    for block in blocks(stream):
        yield parse_block(block, columns, wanted)


def blocks(stream: Readable, size: int = BLOCK) -> Iterator[bytes]:
    """Whole lines up to the end mark, about ``size`` bytes at a time."""
    rest = b""
    while True:
        read = stream.read(size)
        text = rest + read
        end = _end(text)
        if end is not None:
            if end:
                yield text[:end]
            return
        if not read:
            raise CutShortError
        # the last line is kept back: it may be half of a line or of the end mark
        cut = text.rfind(b"\n") + 1
        if cut:
            yield text[:cut]
        rest = text[cut:]


def _end(text: bytes) -> int | None:
    if text.startswith(END):
        return 0
    at = text.find(b"\n" + END)
    return None if at < 0 else at + 1


def parse_block(block: bytes, columns: Sequence[str], wanted: Sequence[str]) -> pa.Table:
    """One block of whole lines as a table of text columns."""
    split = pacsv.read_csv(
        io.BytesIO(block),
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
    present = [pair for pair in _ESCAPES if pair[0] in block]
    if not present and b"\\\\" not in block:
        return split
    return pa.table({name: _unescape(split.column(name), present) for name in split.column_names})


def _unescape(
    values: pa.ChunkedArray, present: Sequence[tuple[bytes, str, str]]
) -> pa.ChunkedArray:
    flat = values.combine_chunks()
    escaped = pc.fill_null(pc.match_substring(flat, "\\"), False)
    if not pc.any(escaped).as_py():
        return values
    text = pc.replace_substring(flat.filter(escaped), "\\\\", _STAND_IN)
    for _, written, meant in present:
        text = pc.replace_substring(text, written, meant)
    text = pc.replace_substring(text, _STAND_IN, "\\")
    return pa.chunked_array([pc.replace_with_mask(flat, escaped, text)])
