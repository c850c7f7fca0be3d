"""The one line that says why."""

import pytest

from tests.grade.build import grades_of
from tests.grade.test_truth import KEEP
from tests.grade.truth import _case, warehouse_of


@pytest.mark.parametrize(
    ("types", "more", "n", "line"),
    [
        (
            "Clinical Trial, Phase III + Multicenter Study + Randomized Controlled Trial",
            "journal=NEJM year=2020",
            "431",
            "Phase 3 multicenter RCT, n=431, NEJM",
        ),
        ("Randomized Controlled Trial + Multicenter Study", "", "1450", "RCT n>=1000"),
        ("Randomized Controlled Trial", "", "", "RCT, n unknown"),
        ("Clinical Trial, Phase III", "", "300", "Phase 3 trial, n=300"),
        ("Randomized Controlled Trial", "", "60", "RCT, n=60; n<100 (one step down)"),
        (
            "Randomized Controlled Trial",
            "journal=BMJ",
            "60",
            "RCT, n=60, BMJ; n<100 (up and down cancel)",
        ),
        ("JA", "word=cohort", "120", "Cohort, n=120; design inferred from words"),
        ("Letter + Randomized Controlled Trial", "", "", "Excluded: Letter (also an RCT type)"),
        ("Letter + Equivalence Trial", "keep=letters", "", "RCT, n unknown; research letter"),
        ("Meta-Analysis + Retracted Publication", "", "", "Excluded: retracted meta-analysis"),
        ("Meta-Analysis + Retracted Publication", "keep=retracted", "", "Meta-analysis; RETRACTED"),
        ("Preprint + Randomized Controlled Trial", "", "120", "Preprint: RCT, n=120"),
        ("Preprint", "", "", "Preprint"),
        ("Clinical Trial Protocol", "", "", "Protocol, no results yet"),
        ("JA", "", "", "No clinical study design found"),
        ("Practice Guideline", "", "", "Guideline"),
        (
            "Observational Study",
            "says=registry",
            "20000",
            "Observational study, n=20000, registry n>10000",
        ),
        (
            "Observational Study",
            "year=2010 says=single_centre",
            "300",
            "Observational study, n=300; single centre; older than 10 years and cited by no recent"
            " guideline (one step down)",
        ),
        ("Clinical Trial, Phase I", "", "12", "Phase 1 trial, n=12"),
    ],
)  # fmt: skip
def test_rationale(types: str, more: str, n: str, line: str) -> None:
    case = _case(1, f"{types} | | {n} | {more} | default | | | |")
    found = grades_of(warehouse_of([case]), "default", **KEEP[case.more.get("keep")])
    assert found[case.pmid]["grade_rationale"] == line
