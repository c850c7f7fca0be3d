"""Facts from invented records: types, headings, sizes, links, guidelines, what is missing."""

from itertools import permutations

import pytest

from etl.jobs.facts import mesh_in_use
from tests.grade.build import citation, correction, facts_of, row, signals, warehouse

REAL_TREE = [
    ("D016449", "V03.175.250.500.500"),
    ("D000073843", "V03.175.250.500.500.125"),
    ("D065007", "V03.175.250.500.500.500"),
    ("D999991", "V03.175.250.500.500.750"),
    ("D015331", "E05.318.372.500.750"),
    ("D012189", "E05.318.372.500.750.750"),
    ("D012189", "E05.318.372.500.500.500"),
    ("D016022", "E05.318.372.500.500"),
    ("D999992", "E05.318.372.500.750.999"),
    ("D999993", "E05.318.372.500.500.999"),
]


def test_ui_wins_over_the_name() -> None:
    con = warehouse(
        [
            citation(1, ["Clinical Trial, Phase IV"], publication_type_uis=["D013485"]),
            citation(2, ["Some new name"], publication_type_uis=["D016449"]),
            citation(3, ["Network Meta-Analysis"], publication_type_uis=["D000999999"]),
            citation(4, ["Meta-Analysis"], publication_type_uis=[""]),
        ]
    )
    found = facts_of(con)
    assert not found[1]["is_trial_other"] and found[1]["types_silent"]
    assert found[2]["is_rct"]
    assert found[3]["is_meta_analysis"]
    assert found[4]["is_meta_analysis"]


def test_names_are_folded_and_whole() -> None:
    con = warehouse(
        [
            citation(1, ["JOURNAL ARTICLE", "  randomized   controlled trial "]),
            citation(2, ["Commentary"]),
            citation(3, ["Systematic Review"]),
            citation(4, ["Clinical Trial, Phase II"]),
        ]
    )
    found = facts_of(con)
    assert found[1]["is_rct"]
    assert found[2]["excluded_type"] is None
    assert (found[3]["is_systematic_review"], found[3]["is_review"]) == (True, False)
    assert (found[4]["is_phase_1"], found[4]["is_phase_2"]) == (False, True)


def test_built_in_headings_without_a_tree() -> None:
    con = warehouse([citation(1, headings=[("D012189", "Retrospective Studies")])])
    assert mesh_in_use(con) == "built-in"
    found = facts_of(con)[1]
    assert found["has_cohort_heading"]
    assert not found["has_case_control_heading"]


def test_children_come_from_the_tree() -> None:
    con = warehouse(
        [
            citation(1, ["A later kind of RCT"], publication_type_uis=["D999991"]),
            citation(2, headings=[("D999992", "A later kind of cohort")]),
            citation(3, headings=[("D999993", "A later kind of case-control study")]),
            citation(4, headings=[("D012189", "Retrospective Studies")]),
        ],
        tree=REAL_TREE,
    )
    assert mesh_in_use(con) == "loaded"
    found = facts_of(con)
    assert found[1]["is_rct"]
    assert found[2]["has_cohort_heading"] and not found[2]["has_case_control_heading"]
    assert found[3]["has_case_control_heading"] and not found[3]["has_cohort_heading"]
    assert found[4]["has_cohort_heading"] and not found[4]["has_case_control_heading"]


def test_headings_without_ui_count_by_name() -> None:
    con = warehouse(
        [
            citation(1, headings=[(None, "Cohort Studies"), (None, "prospective studies")]),
            citation(2, headings=[("D000001", "Cohort Studies")]),
        ]
    )
    found = facts_of(con)
    assert found[1]["has_cohort_heading"] and found[1]["has_prospective_heading"]
    assert not found[2]["has_cohort_heading"]


@pytest.mark.parametrize(
    ("types", "silent"),
    [
        ([], True),
        (["Journal Article", "English Abstract", "Multicenter Study"], True),
        (["Journal Article", "Evaluation Studies", "Research Support, Non-U.S. Gov't"], True),
        (["Journal Article", "Preprint"], True),
        (["Journal Article", "A type of next year"], True),
        (["Journal Article", "Review"], False),
        (["Journal Article", "Historical Article"], False),
        (["Randomized Controlled Trial, Veterinary"], False),
    ],
)
def test_silent_types(types: list[str], silent: bool) -> None:
    assert facts_of(warehouse([citation(1, types)]))[1]["types_silent"] is silent


def test_order_and_repeats_of_types_do_not_matter() -> None:
    types = ["Letter", "Comment", "Randomized Controlled Trial"]
    orders = [list(order) for order in permutations(types)] + [types * 2]
    con = warehouse([citation(i, order) for i, order in enumerate(orders, start=1)])
    rows = [{**r, "pmid": 0} for r in facts_of(con).values()]
    assert all(r == rows[0] for r in rows)
    assert rows[0]["excluded_type"] == "Comment"


def _trial(nct: str, **given: object) -> dict[str, object]:
    return {"nct_id": nct, "enrollment": 322, "enrollment_type": "ACTUAL", **given}


def _reference(pmid: int, nct: str, kind: str) -> dict[str, object]:
    return {"pmid": pmid, "nct_id": nct, "reference_type": kind}


def test_sample_size_order() -> None:
    con = warehouse(
        [citation(pmid, ["Randomized Controlled Trial"]) for pmid in (1, 2, 3)],
        signals=[
            signals(1, sample_size=300, sample_size_evidence="We randomised 300 people."),
            signals(2, sample_size=90, sample_size_source="title"),
            signals(3),
        ],
        trials=[_trial(f"NCT0000000{i}") for i in (1, 2, 3)],
        references=[_reference(i, f"NCT0000000{i}", "RESULT") for i in (1, 2, 3)],
    )
    found = facts_of(con)
    sizes = {p: (r["sample_size"], r["sample_size_source"]) for p, r in found.items()}
    assert sizes == {1: (300, "abstract"), 2: (90, "title"), 3: (322, "registry")}
    assert found[3]["sample_size_evidence"] == "NCT00000003: 322 enrolled (ACTUAL)"
    assert found[1]["registered_enrollment"] == 322


@pytest.mark.parametrize(
    ("trial", "references", "size"),
    [
        (_trial("NCT00000001"), [_reference(1, "NCT00000001", "RESULT")], 322),
        (_trial("NCT00000001"), [_reference(1, "NCT00000001", "DERIVED")], 322),
        (_trial("NCT00000001"), [_reference(1, "NCT00000001", "BACKGROUND")], None),
        (
            _trial("NCT00000001"),
            [_reference(1, "NCT00000001", "DERIVED"), _reference(2, "NCT00000001", "DERIVED")],
            None,
        ),
        (
            _trial("NCT00000001"),
            [_reference(1, "NCT00000001", "DERIVED"), _reference(2, "NCT00000001", "RESULT")],
            None,
        ),
        (
            _trial("NCT00000001"),
            [_reference(1, "NCT00000001", "RESULT"), _reference(1, "NCT00000002", "RESULT")],
            None,
        ),
        (
            _trial("NCT00000001", enrollment_type="ESTIMATED"),
            [_reference(1, "NCT00000001", "RESULT")],
            None,
        ),
        (
            _trial("NCT00000001", enrollment_type=None),
            [_reference(1, "NCT00000001", "RESULT")],
            None,
        ),
        (_trial("NCT00000001", enrollment=0), [_reference(1, "NCT00000001", "RESULT")], None),
        (
            _trial("NCT00000001", enrollment=2147483647),
            [_reference(1, "NCT00000001", "RESULT")],
            None,
        ),
    ],
)
def test_registered_enrollment(trial: dict, references: list[dict], size: int | None) -> None:  # type: ignore[type-arg]
    con = warehouse(
        [citation(1, ["Randomized Controlled Trial"]), citation(2)],
        trials=[trial],
        references=references,
    )
    found = facts_of(con)[1]
    assert found["sample_size"] == size
    assert found["registered_enrollment"] == size


def test_a_synthesis_has_no_people_of_its_own() -> None:
    con = warehouse(
        [citation(1, ["Meta-Analysis"]), citation(2, ["Review"])],
        signals=[signals(1, sample_size=40_000), signals(2, sample_size=400)],
    )
    for found in facts_of(con).values():
        assert (found["sample_size"], found["sample_size_source"]) == (None, "none")


def test_recent_guidelines_only() -> None:
    con = warehouse(
        [
            citation(1),
            citation(2),
            citation(3),
            citation(10, ["Guideline"], year=2016, cited_pmids=[1]),
            citation(11, ["Practice Guideline"], year=2015, cited_pmids=[2]),
            citation(12, ["Review"], year=2024, cited_pmids=[3]),
        ]
    )
    found = facts_of(con)
    assert [found[p]["guideline_cites"] for p in (1, 2, 3)] == [True, False, False]


def test_republished_only_when_corrected() -> None:
    con = warehouse(
        [
            citation(1, comments_corrections=[correction("RepublishedIn", 3)]),
            citation(2, comments_corrections=[correction("RepublishedIn", 4)]),
            citation(3, ["Corrected and Republished Article"]),
            citation(4),
            citation(5, comments_corrections=[correction("RetractionIn", None)]),
            citation(6, comments_corrections=[correction("PartialRetractionIn", 4)]),
        ]
    )
    found = facts_of(con)
    assert {p for p, r in found.items() if r["is_retracted"]} == {1, 5}


def test_superseded_preprint() -> None:
    citations = [
        citation(1, ["Preprint"], comments_corrections=[correction("UpdateIn", 2)]),
        citation(2, comments_corrections=[correction("UpdateOf", 1)]),
        citation(3, ["Guideline"], cited_pmids=[4, 5, 999]),
        citation(4),
        citation(5),
        citation(6),
    ]
    assert facts_of(warehouse(citations))[1]["superseded_by"] == 2
    assert facts_of(warehouse(citations))[2]["superseded_by"] is None
    con = warehouse(citations, changed=[2, 3])
    assert set(facts_of(con)) == {2, 3}


def test_journal_and_interests() -> None:
    con = warehouse(
        [
            citation(1, journal_nlm_id="J1", coi_statement="  "),
            citation(2, journal_nlm_id="J2", coi_statement="None."),
            citation(3, journal_nlm_id=None, year=None),
        ],
        metrics=[
            row(
                "journal_metrics",
                journal_nlm_id="J1",
                year=2024,
                documents=9,
                coi_share=0.75,
                cites_per_document=1.5,
            )
        ],
    )
    found = facts_of(con)
    assert (found[1]["journal_coi_share"], found[1]["journal_cites_per_document"]) == (0.75, 1.5)
    assert [found[p]["has_coi_statement"] for p in (1, 2)] == [False, True]
    assert (found[3]["year"], found[3]["journal_coi_share"]) == (None, None)


def test_hostile_text_is_text() -> None:
    evil = "'; DROP TABLE citations; -- $cohort_uis {} %s \\"
    con = warehouse(
        [
            citation(
                1, [evil], [(evil, evil)], title=evil, abstract=evil, journal=evil, authors=[evil]
            )
        ],
        signals=[signals(1, sample_size=5, sample_size_evidence=evil)],
    )
    found = facts_of(con)[1]
    assert (found["sample_size_evidence"], found["types_silent"]) == (evil, True)


def test_a_day_equals_a_full_run() -> None:
    citations = [
        citation(1, ["Preprint"], comments_corrections=[correction("UpdateIn", 2)]),
        citation(2, ["Randomized Controlled Trial"], abstract="NCT00000001", year=2023),
        citation(3, ["Guideline"], cited_pmids=[2, 4], year=2020),
        citation(4, comments_corrections=[correction("RetractionIn", 9)]),
        citation(5, headings=[("D015331", "Cohort Studies")]),
    ]
    said = [signals(p, sample_size=p * 100) for p in (1, 2, 5)]
    full = facts_of(warehouse(citations, signals=said))
    for pmid in full:
        day = facts_of(warehouse(citations, signals=said, changed=[pmid, 404]))
        assert day == {pmid: full[pmid]}
