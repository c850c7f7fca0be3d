"""Older spellings, values nobody knows, PMIDs in words, repeated loads, other columns."""

from pathlib import Path

import pytest

from etl.errors import SourceError, UsageError
from etl.sources.trials.values import code
from tests.trials.conftest import Loaded, load_all
from tests.trials.invented import COLUMNS, Tables, fill, flat_zip

STUDY = {"nct_id": "NCT90000001", "brief_title": "Invented", "study_type": "INTERVENTIONAL"}


def study(**values: str) -> dict[str, str]:
    return {**STUDY, **values}


def load_flat(tmp_path: Path, tables: Tables, columns: dict | None = None) -> Loaded:
    return load_all(flat_zip(tmp_path / "20260101_export_ctgov.zip", tables, columns))


@pytest.mark.parametrize(
    ("column", "old", "today"),
    [
        ("phase", "Phase 2/Phase 3", "PHASE2/PHASE3"),
        ("phase", "Phase 1/Phase 2", "PHASE1/PHASE2"),
        ("phase", "Phase 3", "PHASE3"),
        ("phase", "Early Phase 1", "EARLY_PHASE1"),
        ("phase", "Phase 0", "EARLY_PHASE1"),
        ("phase", "N/A", "NA"),
        ("phase", "Not Applicable", None),
        ("enrollment_type", "Actual", "ACTUAL"),
        ("enrollment_type", "Anticipated", "ESTIMATED"),
        ("completion_date_type", "Anticipated", "ESTIMATED"),
        ("study_first_posted_date_type", "Estimate", "ESTIMATED"),
        ("overall_status", "Completed", "COMPLETED"),
        ("overall_status", "Active, not recruiting", "ACTIVE_NOT_RECRUITING"),
        ("overall_status", "Unknown status", "UNKNOWN"),
        ("overall_status", "No longer available", "NO_LONGER_AVAILABLE"),
        ("study_type", "Interventional", "INTERVENTIONAL"),
        ("study_type", "Observational", "OBSERVATIONAL"),
        ("study_type", "Observational [Patient Registry]", "OBSERVATIONAL"),
        ("study_type", "Expanded Access", "EXPANDED_ACCESS"),
        ("allocation", "Non-Randomized", "NON_RANDOMIZED"),
        ("allocation", "N/A", "NA"),
        ("intervention_model", "Crossover Assignment", "CROSSOVER"),
        ("masking", "None (Open Label)", "NONE"),
        ("masking", "Double (Participant, Investigator)", "DOUBLE"),
        ("masking", "Double-Blind", "DOUBLE"),
        ("primary_purpose", "Health Services Research", "HEALTH_SERVICES_RESEARCH"),
        ("source_class", "U.S. Fed", "FED"),
        ("source_class", "Industry", "INDUSTRY"),
        ("phase", "PHASE5", None),
    ],
)
def test_older_spellings(column: str, old: str, today: str | None) -> None:
    assert code("trials", column, old) == today


@pytest.mark.parametrize(
    ("old", "today"),
    [("results_reference", "RESULT"), ("reference", "BACKGROUND"), ("derived", "DERIVED")],
)
def test_older_reference_types(old: str, today: str) -> None:
    assert code("trial_references", "reference_type", old) == today


def test_a_delivery_of_before_2024(tmp_path: Path) -> None:
    old = study(
        study_type="Observational [Patient Registry]",
        phase="Phase 2/Phase 3",
        enrollment="80",
        enrollment_type="Anticipated",
        overall_status="Unknown status",
        start_month_year="March 2010",
        start_date="2010-03-31",
    )
    columns = [c for c in COLUMNS["studies"] if c != "patient_registry"]
    loaded = load_flat(tmp_path, {"studies": [old]}, {"studies": columns})
    [row] = loaded.tables["trials"].to_pylist()
    assert row["study_type"] == "OBSERVATIONAL"
    assert row["patient_registry"] is True
    assert (row["phase"], row["enrollment_type"]) == ("PHASE2/PHASE3", "ESTIMATED")
    assert (row["overall_status"], row["start_month_year"]) == ("UNKNOWN", "March 2010")
    assert loaded.report.missing_columns["studies"] == ["patient_registry"]


def test_an_unknown_code_is_loaded_and_reported(tmp_path: Path) -> None:
    rows = [study(phase="PHASE5"), study(nct_id="NCT90000002", phase="PHASE5")]
    loaded = load_flat(tmp_path, {"studies": rows})
    assert loaded.tables["trials"].column("phase").to_pylist() == ["PHASE5", "PHASE5"]
    told = [line for line in loaded.report.notices if "PHASE5" in line]
    assert told == ["trials.phase: 'PHASE5' is no known code; loaded as delivered"]


@pytest.mark.parametrize(
    ("text", "pmid"),
    [
        ("123", 123),
        ("PMID: 123", 123),
        ("pmid123", 123),
        (" 31866464 ", 31866464),
        ("PMC3901", None),
        ("10.1000/182", None),
        ("12 34", None),
        ("0", None),
        ("", None),
    ],
)
def test_pmids_in_words(tmp_path: Path, text: str, pmid: int | None) -> None:
    reference = {"id": "1", "nct_id": STUDY["nct_id"], "pmid": text, "reference_type": "RESULT"}
    loaded = load_flat(tmp_path, {"studies": [STUDY], "study_references": [reference]})
    [row] = loaded.tables["trial_references"].to_pylist()
    assert row["pmid"] == pmid
    assert row["pmid_text"] == (text or None)
    reported = any(line.startswith("trial_references.pmid") for line in loaded.report.notices)
    assert reported == (pmid is None and text != "")


def test_columns_in_another_order_added_and_missing(tmp_path: Path, database: str) -> None:
    columns = {
        "studies": ["brief_title", "is_new", "nct_id", "enrollment", "last_update_posted_date"],
        "sponsors": ["name", "nct_id", "id"],
    }
    tables = {
        "studies": [
            {"nct_id": "NCT90000001", "brief_title": "T", "enrollment": "5", "is_new": "x"}
        ],
        "sponsors": [{"id": "1", "nct_id": "NCT90000001", "name": "Acme"}],
    }
    fill(database, tables, columns)
    for loaded in (load_flat(tmp_path, tables, columns), load_all(database)):
        [row] = loaded.tables["trials"].to_pylist()
        assert (row["nct_id"], row["brief_title"], row["enrollment"]) == ("NCT90000001", "T", 5)
        assert row["phase"] is None
        [sponsor] = loaded.tables["trial_sponsors"].to_pylist()
        assert (sponsor["name"], sponsor["agency_class"]) == ("Acme", None)
        assert loaded.report.unknown_columns == {"studies": ["is_new"]}
        assert "phase" in loaded.report.missing_columns["studies"]
        assert loaded.report.missing_columns["sponsors"] == ["lead_or_collaborator", "agency_class"]
        assert "trial_conditions" in loaded.report.missing_tables
        assert "trial_conditions" not in loaded.tables


def test_a_study_loaded_three_times_counts_once(tmp_path: Path) -> None:
    nct, other = "NCT90000001", "NCT90000002"
    studies = [study(), study(nct_id=other)]
    designs = [{"id": str(i), "nct_id": nct, "masking": "DOUBLE"} for i in (3, 7, 11)]
    outcomes = [{"id": str(i), "nct_id": nct, "title": "Death"} for i in (30, 70, 110)]
    # two equal values in each load: both are meant
    values = [
        {"id": f"{i}{k}", "nct_id": nct, "outcome_id": str(i), "param_value": "4"}
        for i in (30, 70, 110)
        for k in (1, 2)
    ]
    summaries = [{"id": str(i), "nct_id": nct, "description": f"edited {i}"} for i in (2, 9, 5)]
    kept = [{"id": str(i), "nct_id": other, "name": "same"} for i in (1, 2)]
    loaded = load_flat(
        tmp_path,
        {
            "studies": studies,
            "designs": designs,
            "outcomes": outcomes,
            "outcome_measurements": values,
            "brief_summaries": summaries,
            "keywords": kept,
        },
    )
    assert loaded.report.rows["trials"] == 2
    assert loaded.tables["trial_outcomes"].column("outcome_id").to_pylist() == [110]
    measured = loaded.tables["trial_outcome_measurements"].column("outcome_id").to_pylist()
    assert measured == [110, 110]
    assert loaded.tables["trial_brief_summaries"].column("description").to_pylist() == ["edited 9"]
    assert loaded.report.rows["trial_keywords"] == 2
    assert any("NCT90000001: 3 times" in line for line in loaded.report.notices)


def test_of_a_study_listed_twice_the_newer_row_stays(tmp_path: Path) -> None:
    rows = [
        study(brief_title="newer", last_update_submitted_date="2024-02-01"),
        study(brief_title="older", last_update_submitted_date="2023-01-01"),
        study(brief_title="undated"),
    ]
    loaded = load_flat(tmp_path, {"studies": rows})
    assert loaded.tables["trials"].column("brief_title").to_pylist() == ["newer"]


def test_only_some_tables(tmp_path: Path) -> None:
    path = flat_zip(tmp_path / "x.zip", {"studies": [STUDY], "keywords": []})
    assert list(load_all(path, tables=["trial_keywords"]).tables) == ["trial_keywords"]
    with pytest.raises(UsageError, match="no AACT table 'keywords'"):
        load_all(path, tables=["keywords"])


def test_a_value_of_the_wrong_type_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"studies\.enrollment.*many"):
        load_flat(tmp_path, {"studies": [study(enrollment="many")]})
    with pytest.raises(SourceError, match=r"studies\.has_dmc.*maybe"):
        load_flat(tmp_path, {"studies": [study(has_dmc="maybe")]})


def test_a_row_of_no_study_is_left_out_and_reported(tmp_path: Path) -> None:
    loaded = load_flat(tmp_path, {"studies": [STUDY], "keywords": [{"id": "1", "name": "x"}]})
    assert loaded.report.rows["trial_keywords"] == 0
    assert "keywords: rows without an NCT number were left out" in loaded.report.notices
