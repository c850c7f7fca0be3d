"""The rule table of docs/grading.md, case by case: in bulk and one by one, through the same SQL."""

from itertools import groupby

import pytest

from etl.jobs.grade import grade_rows, load_profile
from tests.grade.build import YEAR, Row, facts_table, grades_of
from tests.grade.truth import Case, cases, warehouse_of

CASES = cases()
KEEP = {
    None: {},
    "retracted": {"retracted": True},
    "letters": {"research_letters": True},
}


def _way(case: Case) -> tuple[str, str, bool]:
    return case.profile, case.more.get("keep", ""), "unheld" in case.more


@pytest.fixture(scope="module")
def in_bulk() -> dict[int, Row]:
    graded: dict[int, Row] = {}
    for (profile, keep, _), chosen in groupby(sorted(CASES, key=_way), key=_way):
        some = list(chosen)
        found = grades_of(warehouse_of(some), profile, **KEEP[keep or None])
        graded |= {c.pmid: found[c.pmid] for c in some}
    return graded


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"line{c.line}")
def test_case(case: Case, in_bulk: dict[int, Row]) -> None:
    got = in_bulk[case.pmid]
    summary = (got["grade"], got["grade_label"], got["grade_base"], got["rules"])
    assert summary == (case.grade, case.label, case.base, case.rules), case.text


def test_table_is_whole() -> None:
    deciding = {case.rules[0] for case in CASES}
    fired = {rule for case in CASES for rule in case.rules}
    classes = {"X1", "X2", *(f"A{i}" for i in range(1, 6)), *(f"B{i}" for i in range(1, 5))}
    classes |= {*(f"C{i}" for i in range(1, 7)), *(f"D{i}" for i in range(1, 5)), "U1", "U2"}
    signals = {"S-1", "S-2", "S-3", "S-4", "S-5", "S+1", "S+2"}
    assert len(CASES) >= 80
    assert deciding == classes
    assert signals <= fired
    assert {case.profile for case in CASES} == {"default", "strict", "rare_disease", "device"}


def test_one_by_one_is_the_same(in_bulk: dict[int, Row]) -> None:
    for (profile, keep, _), chosen in groupby(sorted(CASES, key=_way), key=_way):
        rules = load_profile(profile).keeping(**KEEP[keep or None])
        facts = facts_table(warehouse_of(list(chosen)))
        for i in range(0, facts.num_rows, 2):
            alone = grade_rows(facts.slice(i, 1), rules, YEAR).to_pylist()[0]
            if alone["pmid"] in in_bulk:
                assert alone == in_bulk[alone["pmid"]]


@pytest.mark.parametrize("case", CASES[::25], ids=lambda c: f"line{c.line}")
def test_alone_in_a_warehouse_is_the_same(case: Case, in_bulk: dict[int, Row]) -> None:
    alone = grades_of(warehouse_of([case]), case.profile, **KEEP[case.more.get("keep")])
    assert alone[case.pmid] == in_bulk[case.pmid], case.text
