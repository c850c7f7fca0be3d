"""The seven synthetic studies of the snapshot, and what each of them has broken elsewhere."""

import datetime as dt

import pytest

from tests.trials.conftest import Loaded, Row


def rows(loaded: Loaded, table: str, nct_id: str) -> list[dict]:
    return [row for row in loaded.tables[table].to_pylist() if row["nct_id"] == nct_id]


def test_pipes_and_doubled_quotes_in_texts(trial: Row, from_dump: Loaded) -> None:
    row = trial("NCT99999901")
    assert row["acronym"] == "PIPE|1"
    assert row["brief_title"] == "Synthetic: pipe | inside | title"
    assert row["official_title"] == 'Synthetic "official" title with pipe | and ""doubled"" quotes'
    assert row["phase"] == "PHASE1/PHASE2"
    assert (row["enrollment"], row["enrollment_type"]) == (120, "ACTUAL")
    assert (row["allocation"], row["masking"], row["subject_masked"]) == (
        "RANDOMIZED",
        "QUADRUPLE",
        True,
    )
    assert row["caregiver_masked"] is None
    assert (row["number_of_facilities"], row["has_single_facility"]) == (1, True)
    assert row["were_results_reported"] is True
    [summary] = rows(from_dump, "trial_brief_summaries", "NCT99999901")
    assert summary["description"] == 'A | B | C "quoted" text, comma'


def test_flat_export_of_pipes(from_flat: Loaded) -> None:
    [row] = rows(from_flat, "trials", "NCT99999901")
    assert row["acronym"] == "PIPE|1"
    assert row["official_title"] == "Synthetic official title with pipe | and doubled quotes"


def test_line_ends_and_enrolment_zero(trial: Row, from_dump: Loaded) -> None:
    row = trial("NCT99999902")
    assert row["official_title"] == "Line one\nLine two\n\n  - indented bullet\r\nCRLF line"
    assert (row["enrollment"], row["overall_status"]) == (0, "WITHDRAWN")
    assert row["phase"] == "PHASE2/PHASE3"
    assert row["source"] == ""
    assert row["why_stopped"] == 'No participants enrolled; "funding" withdrawn'
    [summary] = rows(from_dump, "trial_brief_summaries", "NCT99999902")
    assert summary["description"] == (
        "First paragraph.\n\nSecond paragraph with \\ backslash.\n* bullet | pipe\n"
    )


def test_missing_enrolment_and_empty_text_against_null(trial: Row, from_dump: Loaded) -> None:
    row = trial("NCT99999903")
    assert row["enrollment"] is None
    assert row["enrollment_type"] is None
    assert row["start_date"] == dt.date(1985, 1, 31)
    assert row["start_month_year"] == "1985-01"
    assert row["number_of_facilities"] is None
    [summary] = rows(from_dump, "trial_brief_summaries", "NCT99999903")
    assert summary["description"] == ""
    [reference] = rows(from_dump, "trial_references", "NCT99999903")
    assert (reference["pmid"], reference["pmid_text"]) == (None, "")


def test_literal_null_mark_backslashes_and_non_ascii(trial: Row, from_dump: Loaded) -> None:
    row = trial("NCT99999904")
    assert row["acronym"] == "\\N"
    assert row["plan_to_share_ipd_description"] == "backslash C:\\temp\\new and \\N literal"
    assert row["brief_title"].endswith("non-ASCII 试验 – β‑blocker ≥ 5 µg/kg 🧪")
    assert (row["enrollment"], row["enrollment_type"]) == (1_000_000, "ESTIMATED")
    [summary] = rows(from_dump, "trial_brief_summaries", "NCT99999904")
    assert "zero\u200bwidth" in summary["description"]


def test_end_of_data_mark_as_a_text_and_largest_integer(trial: Row, from_dump: Loaded) -> None:
    row = trial("NCT99999905")
    assert row["brief_title"] == "\\."
    assert row["acronym"] == ""
    assert row["source"] == '"'
    assert row["enrollment"] == 2_147_483_647
    [summary] = rows(from_dump, "trial_brief_summaries", "NCT99999905")
    assert summary["description"] == '"'


def test_tabs_and_a_study_without_enrolment(trial: Row, from_dump: Loaded) -> None:
    row = trial("NCT99999906")
    assert row["study_type"] == "EXPANDED_ACCESS"
    assert row["enrollment"] is None
    assert row["source"] == "Acme\tTab Inc."
    [summary] = rows(from_dump, "trial_brief_summaries", "NCT99999906")
    assert summary["description"] == "tab\there"


def test_blanks_and_tildes_stay(trial: Row, from_dump: Loaded) -> None:
    row = trial("NCT99999907")
    assert row["phase"] == "NA"
    assert row["official_title"] == " leading and trailing blanks "
    assert row["source"] == "Sponsor~with~tilde~"
    assert row["why_stopped"] == "ends with a tilde~"
    [summary] = rows(from_dump, "trial_brief_summaries", "NCT99999907")
    assert summary["description"] == 'ends with quote"'


def test_numbers_of_analyses(from_dump: Loaded) -> None:
    few, tiny, none = sorted(
        rows(from_dump, "trial_outcome_analyses", "NCT99999901"),
        key=lambda row: row["outcome_analysis_id"],
    )
    assert few["param_value"] == pytest.approx(1 / 3)
    assert few["param_value_raw"] == "0.333333333333333333333333"
    assert (few["p_value_modifier"], few["p_value"], few["p_value_raw"]) == ("<", 1e-4, "<0.0001")
    assert (few["ci_upper_limit"], few["ci_upper_limit_raw"]) == (None, "NA")
    assert tiny["param_value"] == 1e-30
    assert tiny["ci_upper_limit_raw"] == "99999999999999999999.99"
    # a plain p has an empty modifier, no p has none: the difference is a result's existence
    assert (tiny["p_value_modifier"], none["p_value_modifier"]) == ("", None)


def test_one_pmid_with_two_reference_types_and_a_pmid_in_words(from_dump: Loaded) -> None:
    twice = rows(from_dump, "trial_references", "NCT99999901")
    types = {(r["pmid"], r["reference_type"]) for r in twice}
    assert types == {(31866464, "RESULT"), (31866464, "DERIVED"), (None, "BACKGROUND")}
    [worded] = rows(from_dump, "trial_references", "NCT99999904")
    assert (worded["pmid"], worded["pmid_text"]) == (123, "PMID: 123")


def test_a_retraction_joins_its_reference(from_dump: Loaded) -> None:
    [retraction] = rows(from_dump, "trial_retractions", "NCT99999902")
    [reference] = rows(from_dump, "trial_references", "NCT99999902")
    assert retraction["reference_id"] == reference["reference_id"]
    assert (reference["pmid"], retraction["pmid"]) == (9500320, 20137807)


def test_age_limits_in_words(from_dump: Loaded) -> None:
    [criteria] = rows(from_dump, "trial_eligibilities", "NCT99999901")
    assert (criteria["minimum_age"], criteria["maximum_age"]) == ("18 Years", "N/A")


@pytest.mark.parametrize(
    ("nct_id", "enrollment", "enrollment_type"),
    [
        ("NCT00000419", 350, None),
        ("NCT00351390", 300, "ESTIMATED"),
        ("NCT00352534", 808, None),
        ("NCT00585195", 600, "ESTIMATED"),
        ("NCT01245062", 322, "ACTUAL"),
        ("NCT01806480", 493, "ACTUAL"),
        ("NCT02024373", 200, None),
    ],
)
def test_trials_of_papers_that_are_here(
    trial: Row, nct_id: str, enrollment: int, enrollment_type: str | None
) -> None:
    row = trial(nct_id)
    assert row["enrollment"] == enrollment
    if enrollment_type == "ESTIMATED":
        assert row["enrollment_type"] == enrollment_type
