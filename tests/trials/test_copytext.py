"""COPY text to Arrow against PostgreSQL's own description of the format."""

import io
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from etl.sources.trials.copytext import CopyScript, CutShortError, ReadAhead, parse_block

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


def copy_text(rows: list[tuple[str | None, ...]], table: str = "t", columns: str = "a, b") -> bytes:
    """One table as pg_restore writes it."""
    lines = ["\t".join(map(written, row)) + "\n" for row in rows]
    start = f"--\n-- Data for Name: {table}\n--\n\nCOPY ctgov.{table} ({columns}) FROM stdin;\n"
    return "".join([start, *lines, "\\.\n", "\n\n"]).encode()


def read(script: bytes, size: int = 1 << 20) -> dict[str, list[tuple]]:
    stream = CopyScript(io.BytesIO(b"\\restrict x\nSET a = 'b';\n" + script), size)
    tables = {}
    while (found := stream.next_table()) is not None:
        name, columns = found
        parts = [parse_block(block, columns, columns) for block in stream.blocks()]
        tables[name] = [tuple(row.values()) for part in parts for row in part.to_pylist()]
    return tables


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(CELL, CELL, CELL), max_size=8),
    st.lists(st.tuples(CELL), max_size=4),
    st.integers(1, 40),
)
def test_every_text_comes_back(
    three: list[tuple[str | None, ...]], one: list[tuple[str | None, ...]], size: int
) -> None:
    script = copy_text(three, "three", 'a, "group", c') + copy_text(one, "one", "a")
    assert read(script, size) == {"three": three, "one": one}


def test_only_the_wanted_columns_in_the_wanted_order() -> None:
    table = parse_block(b"1\t\\N\tx\n", ["a", "b", "c"], ["c", "b"])
    assert table.to_pylist() == [{"c": "x", "b": None}]


def test_a_table_that_is_not_used_up_is_skipped() -> None:
    script = CopyScript(io.BytesIO(copy_text([("1", "2")] * 9, "x") + copy_text([], "y")), 8)
    assert script.next_table() == ("x", ["a", "b"])
    assert script.next_table() == ("y", ["a", "b"])
    assert list(script.blocks()) == []
    assert script.next_table() is None


@pytest.mark.parametrize("text", [b"", b"1\t2\n", b"1\t2\n\\.", b"1\t"])
def test_a_table_without_its_end_mark_is_refused(text: bytes) -> None:
    script = CopyScript(io.BytesIO(b"COPY ctgov.x (a, b) FROM stdin;\n" + text))
    assert script.next_table() == ("x", ["a", "b"])
    with pytest.raises(CutShortError):
        list(script.blocks())


def test_a_line_with_too_few_columns_is_refused() -> None:
    with pytest.raises(pa.ArrowInvalid):
        parse_block(b"1\t2\n1\n", ["a", "b"], ["a", "b"])


def test_parts_are_read_ahead_in_order() -> None:
    with ThreadPoolExecutor(1) as pool:
        ahead = ReadAhead(io.BytesIO(b"abcde"), pool, 2)
        assert [ahead.read(99) for _ in range(5)] == [b"ab", b"cd", b"e", b"", b""]
