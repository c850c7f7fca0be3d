"""The one line that says why."""

import pytest

from tests.grade.build import grades_of
from tests.grade.test_truth import KEEP
from tests.grade.truth import read_case, warehouse_of

LINES = [
    (
        "Clinical Trial, Phase III + Multicenter Study + Randomized Controlled Trial",
        "journal=NEJM year=2020",
        "431",
        "Phase 3 multicenter RCT, n=431, NEJM",
    ),
    ("Randomized Controlled Trial + Multicenter Study", "", "1450", "RCT n>=1000"),
    ("Randomized Controlled Trial", "", "", "RCT, n unknown"),
    ("Clinical Trial, Phase III", "", "300", "Phase 3 trial, n=300"),
    (
        "Randomized Controlled Trial",
        "",
        "60",
        "RCT, n=60; n<100 without a rare disease heading (one step down)",
    ),
    (
        "Randomized Controlled Trial",
        "journal=BMJ",
        "60",
        "RCT, n=60, BMJ; n<100 without a rare disease heading (up and down cancel)",
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
        "says=registry_data",
        "20000",
        "Observational study, n=20000, registry n>10000 by its words",
    ),
    (
        "JA",
        "word=secondary_analysis",
        "119",
        "Secondary analysis, n=119; design inferred from words",
    ),
    (
        "Randomized Controlled Trial",
        "facilities=1",
        "300",
        "RCT, n=300; single centre by its registry entry (one step down)",
    ),
    (
        "Observational Study",
        "year=2010 says=single_centre",
        "300",
        "Observational study, n=300; single centre by its words; older than 10 years and cited by"
        " no guideline held here (one step down)",
    ),
    ("Clinical Trial, Phase I", "", "12", "Phase 1 trial, n=12"),
]


@pytest.mark.parametrize("keep", ["", "letters", "retracted"])
def test_rationales(keep: str) -> None:
    chosen = [line for line in LINES if ("keep=" + keep if keep else "") in line[1]]
    chosen = [line for line in chosen if keep or "keep=" not in line[1]]
    cases = [
        read_case(i, f"{types} | | {n} | {more} | default | | | |")
        for i, (types, more, n, _) in enumerate(chosen, start=1)
    ]
    found = grades_of(warehouse_of(cases), "default", **KEEP[keep or None])
    got = [found[case.pmid]["grade_rationale"] for case in cases]
    assert got == [line for *_, line in chosen]
