"""Invented strategies of every kind people type, and every kind of fault."""

from pathlib import Path

import pytest

from etl.errors import EvidenceError, QueryError
from etl.store.index_fields import schema
from warehouse.query.compile import compile_plan
from warehouse.query.expand import expand
from warehouse.query.parse import DEPTH, TERMS, parse
from warehouse.query.plan import says
from warehouse.query.tree import canonical

LINES = (Path(__file__).parent / "strategies.txt").read_text(encoding="utf-8").splitlines()
TABLE = [
    line.replace("\\n", "\n").replace("\\t", "\t").split(" ⟹ ") for line in LINES if line[:1] != "#"
]


def test_the_table_is_as_long_as_promised() -> None:
    assert len(TABLE) >= 150


@pytest.mark.parametrize(("query", "expected"), TABLE)
def test_strategies(query: str, expected: str) -> None:
    assert canonical(parse(query)[0]) == expected
    try:
        plan, _ = expand(query)
    except QueryError as error:  # a strategy of nothing but what cannot be searched here
        assert "nothing is left to search" in str(error)
        return
    assert says(plan)
    compile_plan(plan, schema())


# query, what the message says, and the column the caret stands under
FAULTS = [
    ("", "empty", 1),
    ("   ", "empty", 1),
    ("()", "nothing stands between", 2),
    ("(asthma", "'(' without ')'", 1),
    ("asthma)", "')' without '('", 7),
    ("((asthma) AND copd", "'(' without ')'", 1),
    ("asthma[foo]", "unknown field tag [foo]", 7),
    ("asthma[tiabb]", "did you mean [tiab]", 7),
    ("asthma [mesh:foo]", "not noexp, exp or ~N", 8),
    ("asthma[", "'[' without ']'", 7),
    ("asthma]", "']' without '['", 7),
    ("asthma[]", "no field tag", 7),
    ("[tiab]", "nothing stands before the tag", 1),
    ('"asthma', "quotation mark is missing", 1),
    ('asthma" AND copd', "quotation mark is missing", 7),
    ('"asthma[ti] AND "copd"[ti]', "quotation mark is missing", 1),
    ('""', "nothing stands between these quotation marks", 1),
    ("AND asthma", "nothing stands before this AND", 1),
    ("asthma AND", "a term is missing after AND", 11),
    ("asthma OR OR copd", "a term is missing between", 11),
    ("asthma OR AND copd", "a term is missing between", 11),
    ("asthma OR NOT copd", "a term is missing between", 11),
    ("(asthma OR ) copd", "a term is missing after OR", 12),
    ("asthma NOT", "a term is missing after NOT", 11),
    ("a\x00b", "control character U+0000", 2),
    ("asthma\x1b[31m", "control character U+001B", 7),
    ("asthma \ud800", "control character U+D800", 8),
    ("#3", "no line #3", 1),
    ("asthma\n#1 AND #2", "no line #2", 8),
    ("1 Index test: red flags\n2 asthma[mh]", "reads as a title", 3),
    ("1. asthma\n2. 1-4/OR", "names lines that are not before", 4),
    ("*itis", "beginning of a word", 1),
    ("ab*", "four characters", 1),
    ("as*[mh]", "four characters", 1),
    ("ast*ma[mh]", "only at its end", 1),
    ("asthma/foo[mh]", '"foo" is no MeSH qualifier', 1),
    ("/drug therapy[mh]", "no heading stands before", 1),
    ("foo[sh]", "no MeSH qualifier", 1),
    ("klingon[la]", "no language", 1),
    ("202x[dp]", "is no date", 1),
    ("2020/13[dp]", "is no date", 1),
    ("2021/02/30[dp]", "is no date", 1),
    ("2024:2020[dp]", "runs backwards", 1),
    ("2020:abc[dp]", "is no date", 1),
    ("abc[pmid]", "is no PMID", 1),
    ("asthma AND foobar[sb]", 'unknown filter "foobar"', 12),
    ("asthma[tiab:~3]", "two or more words", 1),
    ('"asthma"[tiab:~3]', "two or more words", 1),
    ('"a b"[mh:~3]', "not in [mh]", 6),
    ('"a b"[tw:~3]', "not in [tw]", 6),
    ('"a b"[tiab:~x]', "not a number", 6),
    ('"a b"[tiab:~0.5]', "not a number", 6),
    ('"knee pain*"[tiab:~3]', "does not work together", 1),
    ('"a b c d e f g"[tiab:~3]', "use fewer words", 1),
    ("stanford[ad]", "nothing is left to search", 1),
    ("...", "nothing is left to search", 1),
]


@pytest.mark.parametrize(("query", "message", "column"), FAULTS)
def test_faults_are_named_at_their_place(query: str, message: str, column: int) -> None:
    with pytest.raises(QueryError) as caught:
        expand(query)
    said = str(caught.value)
    assert message in said
    assert f"column {column})" in said
    lines = said.split("\n")
    assert len(lines) == 3 and lines[2].strip() == "^"


def test_the_caret_stands_under_the_fault_in_a_long_line() -> None:
    query = "asthma[ti] OR " * 50 + "copd[oops] OR " + "x[ti] OR " * 50 + "y"
    with pytest.raises(QueryError) as caught:
        parse(query)
    _, shown, caret = str(caught.value).split("\n")
    assert shown[caret.index("^") :].startswith("[oops]") and len(shown) < 80


def test_a_fault_in_a_line_of_several_is_shown_with_its_line() -> None:
    with pytest.raises(QueryError, match=r"line 3, column 7"):
        parse("asthma\ncopd\n#1 AND\n")


def test_one_megabyte_is_refused_at_once() -> None:
    with pytest.raises(QueryError, match="characters, more than"):
        parse("asthma OR " * 100_000)


def test_two_thousand_terms_are_searched() -> None:
    plan, _ = expand(" OR ".join(f"word{n}[tiab]" for n in range(2000)))
    compile_plan(plan, schema())


def test_too_many_terms_are_refused() -> None:
    with pytest.raises(QueryError, match=r"more than 5,000 terms"):
        parse(" OR ".join(["a[ti]"] * (TERMS + 1)))


@pytest.mark.parametrize("count", [DEPTH + 1, 50_000])
def test_deep_nesting_is_refused(count: int) -> None:
    with pytest.raises(QueryError, match="nested deeper"):
        parse("(" * count + "asthma" + ")" * count)


def test_nesting_up_to_the_limit_works() -> None:
    parse("(" * DEPTH + "asthma" + ")" * DEPTH)


def test_a_chain_of_changing_operators_is_refused_beyond_the_limit() -> None:
    with pytest.raises(QueryError, match="use brackets"):
        parse("a OR b AND " * 200 + "c")


NOTICES = [
    ("asthma AND NOT copd", "AND NOT was read as NOT"),
    ("NOT asthma", "begins with NOT"),
    ("asthma[mh] and copd[mh]", '"and" between two terms was read as AND'),
    ("(asthma OR copd)[tiab]", "PubMed ignores it"),
    ("emergente∗[ti]", "no truncation sign"),
    ("asthma &amp; copd[ta]", "&amp; was read as &"),
    ("1. asthma\n2. copd\n3. 1 AND 2", "numbers without # were read as line numbers"),
    ("asthma\ncopd\n#1 AND #1", "does not use: #2"),
    ("stanford[ad] AND asthma", "affiliations are not in the search index"),
    ("free full text[sb] AND asthma", "which articles are free to read"),
    ("asthma AND /", "neither letter nor digit"),
    ("asthma[mh]", "MeSH is not loaded"),
    ("2020[crdt]", "creation date is not stored"),
    ("*Asthma[mh]", "for a major topic write [majr]"),
    ("diet or exercise", "write OR in capitals"),
    ("肺癌", '肺癌 was read as "lung cancer"'),
    ("阿霉素", "not known here are searched as written: 阿霉素"),
    ("the", "too common"),
]


@pytest.mark.parametrize(("query", "notice"), NOTICES)
def test_what_was_read_differently_is_said(query: str, notice: str) -> None:
    _, context = expand(query)
    assert any(notice in said for said in context.notices), context.notices


@pytest.mark.parametrize(
    "query",
    [
        "'; drop table citations; --",
        "../../etc/passwd",
        "asthma' OR '1'='1",
        "<script>alert(1)</script>",
        "$(rm -rf /)",
        "%s%n{0}",
        "\\x00\\u0000",
        "asthma\r\nOR copd",
        "ꙮ asthma",
        "a" * 60_000,
        "🫀 heart",
    ],
)
def test_tricks_are_words_or_a_clear_error(query: str) -> None:
    try:
        compile_plan(expand(query)[0], schema())
    except EvidenceError as error:
        assert str(error)


CHINESE = [
    ("肺癌[tiab]", '"lung cancer"[Title/Abstract] OR "肺 癌"[Title/Abstract]'),
    ('"房颤"', '"atrial fibrillation"[All Fields] OR "房 颤"[All Fields]'),
    ("肺癌[mh]", '"lung cancer"[MeSH Terms]'),
    ("死亡[mh]", '"mortality"[MeSH Terms] OR "death"[MeSH Terms]'),
    ("2型糖尿病[ti]", '"type 2 diabetes"[Title] OR "2 型 糖 尿 病"[Title]'),
    ("阿霉素[tiab]", '"阿 霉 素"[Title/Abstract]'),
    ("阿霉素和肺癌[tiab]", '"阿 霉 素 和 肺 癌"[Title/Abstract]'),
    ("疼痛 AND 2020[dp]", '(("pain"[All Fields] OR "pains"[All Fields]) OR "疼 痛"[All Fields])'),
    ("阿司匹林对卒中的作用", '"aspirin"[All Fields]'),
]


@pytest.mark.parametrize(("query", "translation"), CHINESE)
def test_chinese_words(query: str, translation: str) -> None:
    plan, context = expand(query)
    assert says(plan).startswith(translation) or translation in says(plan)
    assert any("was read as" in said or "not known" in said for said in context.notices)
    assert ("阿霉素" in query) == any("not known" in said for said in context.notices)
