"""Random strategies: they never crash, and the index finds what the slow reference finds."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from etl.errors import QueryError
from tests.query.conftest import Corpus
from warehouse.query.expand import expand
from warehouse.query.parse import parse

_WORDS = """patients study cancer treatment clinical disease therapy cells results children risk
trial randomized surgery infection mice rats protein gene expression blood diabetes heart women
review case the of and a p 0 1 2 α β spine scoliosis breast tumor rate years methods"""
COMMON = _WORDS.split()
_HEADINGS = """Humans|Animals|Neoplasms|Female|Male|Adult|Mice|Rats|Child|Breast Neoplasms|Cells|
Diabetes Mellitus|Heart Diseases|Scoliosis|Risk Factors|Wounds and Injuries|heart attack|Proteins|
Nervous System Diseases|Infant, Newborn|diseases category|Not A Heading"""
HEADINGS = _HEADINGS.replace("\n", "").split("|")
PAIRS = ["drug therapy", "surgery", "metabolism", "dt", "therapy", "blood", "adverse effects"]
WORD_TAGS = ["", "[tiab]", "[ti]", "[ab]", "[tw]", "[all]", "[Title/Abstract]", "[ot]", "[cn]"]
OTHER = [
    "review[pt]", "journal article[pt]", "clinical trial[pt]", "case reports[pt]", "letter[pt]",
    "english[la]", "fre[la]", "spine[ta]", "0362-2436[is]", "smith[au]", "wang y[au]", "li[1au]",
    "lee[lastau]", "hasabstract", "humans[filter]", "medline[sb]", "systematic[sb]", "preprint[sb]",
    "2000:2015[dp]", "2016[dp]", "2015/03[edat]", "1975:1980[dp]", "2010:3000[lr]", "2016[mhda]",
    "therapeutic use[sb]", "therapy/narrow[filter]", "prognosis/broad[filter]", "metabolism[sh]",
    "genetics[sh:noexp]", "0[rn]", "clinicaltrials.gov[si]", "12[vi]", "PMC[pmcid]",
    "10000000:20000000[pmid]", "25998582", "indexingmethod_curated", "united states[pl]",
    "N01 HC*[gr]", "national*[gr]", "neopl*[mh]", "heart*[majr]", "journal*[pt]",
]  # fmt: skip

KINDS = ["word", "word", "phrase", "star", "near", "mesh", "pair", "other"]
STEMS = ["pati*", "canc*r*", "thera*", "the pati*", "random*ed tri*", "stud* of"]
MESH_TAGS = ["[mh]", "[mh:noexp]", "[majr]", "[majr:noexp]", "[Mesh]"]
words = st.sampled_from(COMMON)
spaces = st.sampled_from(["", " ", "  "])


@st.composite
def terms(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(KINDS))
    tag = draw(st.sampled_from(WORD_TAGS))
    if kind == "word":
        return " ".join(draw(st.lists(words, min_size=1, max_size=3))) + draw(spaces) + tag
    if kind == "phrase":
        found = draw(st.lists(words, min_size=1, max_size=4))
        return '"' + draw(st.sampled_from(" -")).join(found) + f'"{tag}'
    if kind == "star":
        return f'"{draw(st.sampled_from(STEMS))}"{tag}'
    if kind == "near":
        together = " ".join(draw(st.lists(words, min_size=2, max_size=3)))
        field = draw(st.sampled_from(["ti", "tiab", "ab"]))
        return f'"{together}"[{field}:~{draw(st.integers(0, 6))}]'
    if kind == "other":
        return draw(st.sampled_from(OTHER))
    pair = "/" + draw(st.sampled_from(PAIRS)) if kind == "pair" else ""
    return draw(st.sampled_from(HEADINGS)) + pair + draw(st.sampled_from(MESH_TAGS))


def joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = st.sampled_from([" AND ", " OR ", " NOT ", " ", "AND ", " AND NOT "])
    return st.builds(
        lambda first, rest, bracket: (
            ("(" if bracket else "")
            + first
            + "".join(op + ("(" + one + ")" if op == "AND " else one) for op, one in rest)
            + (")" if bracket else "")
        ),
        parts,
        st.lists(st.tuples(operators, parts), min_size=1, max_size=3),
        st.booleans(),
    )


strategies = st.recursive(terms(), joined, max_leaves=8)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(query=strategies)
def test_the_index_finds_what_the_reference_finds(corpus: Corpus, query: str) -> None:
    try:
        plan = corpus.plan(query)
    except QueryError:
        return
    assert corpus.found(plan) == corpus.expected(plan)


_PIECES = """( ) [ ] " “ ” | AND OR NOT and or not #1 #2 : / * ~3 [mh] [tiab] [dp] [foo] [tiab:~2]
2020 asthma a 1. 2 , . - 肺 exp [sb] systematic or/1-2 &amp; heart"""
PIECES = st.sampled_from([*_PIECES.split(), "\n", "\x00", " ", " ", " "])


@settings(max_examples=800, deadline=None)
@given(query=st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=60))
def test_anything_typed_is_a_plan_or_a_clear_error(query: str) -> None:
    try:
        parse(query)
        expand(query)
    except QueryError as error:
        assert str(error).count("\n") == 2
