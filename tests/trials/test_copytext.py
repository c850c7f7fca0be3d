"""COPY text to Arrow against PostgreSQL's own description of the format."""

import io

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from etl.sources.trials import copytext

ESCAPES = {
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}
# what no PostgreSQL text can hold: the byte 0 and lone surrogates
TEXT = st.text(
    st.one_of(
        st.sampled_from("\\nrtbfvN.\n\r\t\b\f\v\"'|~ "),
        st.characters(exclude_characters="\0", exclude_categories=["Cs"]),
    ),
    max_size=12,
)
CELL = st.one_of(st.none(), TEXT)


def written(value: str | None) -> str:
    """One cell as COPY TO writes it."""
    return "\\N" if value is None else "".join(ESCAPES.get(c, c) for c in value)


def copy_text(rows: list[tuple[str | None, ...]]) -> bytes:
    lines = ["\t".join(map(written, row)) + "\n" for row in rows]
    return "".join([*lines, "\\.\n", "\n--\n-- PostgreSQL database dump complete\n"]).encode()


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(CELL, CELL, CELL), max_size=8), st.integers(1, 40))
def test_every_text_comes_back(rows: list[tuple[str | None, ...]], size: int) -> None:
    parts = copytext.blocks(io.BytesIO(copy_text(rows)), size)
    tables = [copytext.parse_block(part, ["a", "b", "c"], ["a", "b", "c"]) for part in parts]
    back = [tuple(row.values()) for table in tables for row in table.to_pylist()]
    assert back == rows


@given(st.lists(CELL, min_size=1, max_size=8))
def test_a_table_of_one_column(cells: list[str | None]) -> None:
    [table] = copytext.parse(io.BytesIO(copy_text([(c,) for c in cells])), ["a"], ["a"])
    assert table.column("a").to_pylist() == cells


def test_only_the_wanted_columns_in_the_wanted_order() -> None:
    [table] = copytext.parse(io.BytesIO(copy_text([("1", None, "x")])), ["a", "b", "c"], ["c", "b"])
    assert table.to_pylist() == [{"c": "x", "b": None}]


def test_an_empty_table_has_no_batches() -> None:
    assert list(copytext.parse(io.BytesIO(b"\\.\n"), ["a"], ["a"])) == []


@pytest.mark.parametrize("text", [b"", b"1\t2\n", b"1\t2\n\\.", b"1\t"])
def test_a_stream_without_its_end_mark_is_refused(text: bytes) -> None:
    with pytest.raises(copytext.CutShortError):
        list(copytext.parse(io.BytesIO(text), ["a", "b"], ["a", "b"]))


def test_a_line_with_too_few_columns_is_refused() -> None:
    with pytest.raises(pa.ArrowInvalid):
        list(copytext.parse(io.BytesIO(b"1\t2\n1\n\\.\n"), ["a", "b"], ["a", "b"]))
