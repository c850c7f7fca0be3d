"""Folding: the tokenizer, Python and SQL say the same."""

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sql
from etl.store.index_text import fold, spell, words


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    made.execute(sql.load("index/macros"))
    return made


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Alzheimer's disease", ["alzheimer", "s", "disease"]),
        ("Alzheimer’s", ["alzheimer", "s"]),
        ("community-based", ["community", "based"]),
        ("naïve Ménière Øresund straße", ["naive", "meniere", "oresund", "strasse"]),
        ("cafe\u0301", ["cafe"]),
        ("TNF-α and IFNγ", ["tnf", "alpha", "and", "ifngamma"]),
        ("10 µg/m²", ["10", "mug", "m2"]),
        ("乳腺癌 trial", ["乳", "腺", "癌", "trial"]),
        ("p<0.05; (n = 1,234)", ["p", "0", "05", "n", "1", "234"]),
        ("co_operation", ["co", "operation"]),
        ("...", []),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Administration & Dosage", "administration and dosage"),
        ("O'Brien K", "o brien k"),
        ("Lancet (London, England)", "lancet london england"),
        ("Neoplasms, Bronchial", "neoplasms bronchial"),
        ("  ", ""),
    ],
)
def test_fold(name: str, expected: str) -> None:
    assert fold(name) == expected


# letters of the scripts that citations are written in, and what stands between them
LETTERS = st.characters(
    max_codepoint=0x24FF, categories=("L", "N", "P", "S", "Zs", "Mn"), exclude_characters="\x00"
)


@settings(max_examples=300, deadline=None)
@given(
    text=st.text(LETTERS | st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), max_size=30)
)
def test_sql_and_python_give_the_same_words(con: duckdb.DuckDBPyConnection, text: str) -> None:
    (said,) = con.execute("select index_text(?)", [text]).fetchall()[0]
    assert words(said) == words(text) or words(spell(said)) == words(text)


@settings(max_examples=300, deadline=None)
@given(
    text=st.text(st.characters(max_codepoint=0x2FF, categories=("L", "Nd", "P", "Zs")), max_size=30)
)
def test_sql_and_python_fold_the_same(con: duckdb.DuckDBPyConnection, text: str) -> None:
    assert con.execute("select index_fold(?)", [text]).fetchall()[0][0] == fold(text)
