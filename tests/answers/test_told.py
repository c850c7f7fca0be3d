"""What an answer says of itself: its years, its nearness, its warehouse, doubtful enrolments."""

import csv
import io
from pathlib import Path

import pytest

from tests.run import evidence
from warehouse import evidence_search
from warehouse.doubtful import doubtful_enrollments, marked
from warehouse.span import notice, told, worded

QUESTION = "does bronchelimab help grown-ups against exacerbations of asthma"


def test_the_years_and_what_lies_outside_them(sample_home: Path) -> None:
    whole = evidence_search("asthma", home=sample_home, date_range="all")
    assert whole["date_range"] == {
        "asked": "all", "first": None, "last": None, "outside": None, "trials_outside": None,
    }  # fmt: skip
    assert not any("outside" in line for line in whole["notices"])
    for asked in ("2022:2023", "5years", "10years", "2300:"):
        found = evidence_search("asthma", home=sample_home, date_range=asked)
        said = found["date_range"]
        assert said["asked"] == asked and said["first"]
        assert found["total"] + said["outside"] == whole["total"]
        assert found["trials_total"] + said["trials_outside"] == whole["trials_total"]
        assert notice(said) in found["notices"]


def test_only_what_was_asked_for_is_counted_outside(sample_home: Path) -> None:
    for target in ("rct_or_above", "guideline_only"):
        whole = evidence_search("asthma", target, home=sample_home, date_range="all")
        found = evidence_search("asthma", target, home=sample_home, date_range="2022:2022")
        if found["target_grade"] == whole["target_grade"]:
            assert found["total"] + found["date_range"]["outside"] == whole["total"]
    none = evidence_search("asthma", home=sample_home, date_range="2300:", include_trials=False)
    assert none["date_range"]["trials_outside"] is None


def test_years_in_words() -> None:
    assert worded(told("", (2016, 9999), 0, 0)) == "2016 and later"
    assert worded(told("", (0, 2016), 0, 0)) == "up to 2016"
    assert worded(told("", (2016, 2016), 0, 0)) == "2016"
    assert worded(told("", None, None, None)) == "all years"
    assert notice(told("10years", (2016, 9999), 1, 2000)) == (
        "only 2016 and later (date range 10years); "
        "1 citation and 2,000 trials more match outside: ask for all years"
    )
    assert notice(told("2016:2020", (2016, 2020), 0, None)) == (
        "only 2016 to 2020 (date range 2016:2020); no more match outside"
    )


def test_nearest_records_are_marked(sample_home: Path) -> None:
    found = evidence_search(QUESTION, home=sample_home, date_range="all")
    assert found["match"] == "nearest" and found["total"] >= found["nearest"] > 0
    near = [row for row in found["results"] if row["match"] == "nearest" and row["pmid"]]
    assert len(near) == found["nearest"]
    exact = evidence_search("asthma", home=sample_home, date_range="all")
    assert exact["match"] == "query" and exact["nearest"] == 0
    assert {row["match"] for row in exact["results"]} == {"query"}


def test_records_that_hold_all_words_are_no_near_ones(sample_home: Path) -> None:
    title = evidence_search("asthma", home=sample_home, date_range="all")["results"][0]["title"]
    words = "".join(sign if sign.isalnum() else " " for sign in title)
    found = evidence_search(words, home=sample_home, date_range="all", max_results=1)
    if found["match"] == "nearest":
        many = evidence_search(words, home=sample_home, date_range="all")["results"]
        assert [row["match"] for row in many if row["title"] == title] == ["query"]


def test_the_warehouse_and_its_dates(sample_home: Path) -> None:
    said = evidence_search("asthma", home=sample_home)["warehouse"]
    assert said["snapshot"] == 1 and said["rule_version"] and said["extractor_version"]
    assert said["pubmed_date"] and said["aact_date"] and "mesh" in said


@pytest.mark.parametrize("form", ["table", "csv", "ndjson", "json"])
def test_every_format_says_it(sample_home: Path, form: str) -> None:
    done = evidence("search", QUESTION, "--home", sample_home, f"--{form}", "--since", "2010:")
    assert "only 2010 and later (date range 2010:)" in done.err and "nearest" in done.err
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(done.out)))
        assert "nearest" in {row["match"] for row in rows}
    elif form == "table":
        assert "nearest" in done.out and "2010 and later" in done.out
    else:
        assert '"nearest"' in done.out


def test_a_doubtful_enrolment_is_said(sample_home: Path) -> None:
    rows = [{"nct_id": "NCT1", "sample_size": 99_999_999}, {"nct_id": "NCT2", "sample_size": 400}]
    (line,) = doubtful_enrollments(rows, "sample_size")
    assert line.startswith("NCT1: the registry itself says an enrollment of 99,999,999; doubtful")
    assert [row["enrollment_doubtful"] for row in map(marked, rows)] == [True, False]
    found = evidence_search("asthma", home=sample_home, date_range="all")["results"]
    trials = [row for row in found if row.get("nct_id")]
    assert trials and not any(row["enrollment_doubtful"] for row in trials)
