"""What limits a report is told before its counts: in every format, in both languages."""

import json
from pathlib import Path
from typing import Any

import pytest

from etl.store.home import open_home
from tests.answers.conftest import record
from warehouse import evidence_search, evidence_summary
from warehouse.folder import write_folder

HOSTILE = "<b>503</b> | {0} \u202e"


def source(name: str, outcome: str, detail: str = "", *, partial: bool = False) -> dict[str, Any]:
    return {"source": name, "outcome": outcome, "partial": partial, "detail": detail}


ANSWER: dict[str, Any] = {
    "total": 1, "by_grade": {"A": 1}, "snapshot": 7, "query": "q", "offline": False,
    "match": "nearest", "nearest": 1, "ignored": ["stanford[ad]"],
    "sources": [
        source("pubmed-eutils", "failed", f"HTTP {HOSTILE}"),
        source("europepmc-search", "found", "3 of 9 pages", partial=True),
        source("openalex", "none"),
    ],
    "incomplete": ["pubmed-eutils", "europepmc-search"],
    "notices": ["pubmed-eutils gave no answer (that is not none): x", "index was rebuilt"],
    "date_range": {"asked": "10years", "first": 2016, "last": None, "outside": 74,
                   "trials_outside": 17},
    "warehouse": {"snapshot": 7, "created_at": "2026-12-01T06:58:11+00:00",
                  "pubmed_date": "2026-11-20", "aact_date": "2026-11-30", "mesh": "2026",
                  "rule_version": "1.1.0", "extractor_version": "6"},
}  # fmt: skip
ROWS = [record(1, "A", "guideline", match="nearest")]
DATES = ("2026-11-20", "2026-11-30", "1.1.0", "2026-12-01 06:58")
WORDS = {
    "en": ("that is not", "2016 to now", "74 citations, 17 registered trials", "nearest to it",
           "stanford", "index was rebuilt", "openalex (searched, none there)"),
    "zh": ("不等于", "2016 至今", "74 篇文献、17 项注册试验", "近似匹配", "stanford",
           "index was rebuilt", "openalex (已检索,无结果)"),
}  # fmt: skip
BEFORE = {"markdown": "| Grade |", "html": "<main>", "json": '"by_grade"'}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("form", ["markdown", "html", "json"])
def test_every_report_says_it_before_its_counts(form: str, lang: str) -> None:
    text = evidence_summary(ROWS, form, lang=lang, answer=ANSWER, query="q")
    head = text[: text.index(BEFORE[form])]
    for name in ("pubmed-eutils", "europepmc-search", *DATES, *WORDS[lang]):
        assert name in head.replace("\\", ""), name
    assert head.count("gave no answer (that is not none)") == (1 if form == "json" else 0)
    if form != "json":
        assert "<b>503" not in head.replace("\\<b", "") and "\u202e" not in head


def test_the_json_report_holds_the_parts_of_the_answer() -> None:
    document = json.loads(evidence_summary(ROWS, "json", lang="en", answer=ANSWER))
    for key in ("sources", "incomplete", "offline", "date_range", "match", "nearest", "warehouse"):
        assert document[key] == ANSWER[key]
    warnings = [one["text"] for one in document["standing"] if one["warns"]]
    assert len(warnings) == 5 and warnings[0].startswith("pubmed-eutils gave no answer")
    gaps = " ".join(one["text"] for one in document["gaps"])
    assert "pubmed-eutils, europepmc-search" in gaps and "74 matching citations" in gaps


def test_offline_is_said_once() -> None:
    offline = ANSWER | {"offline": True, "notices": ["no network: pubmed-eutils was not asked"]}
    text = evidence_summary(ROWS, lang="en", answer=offline)
    assert "No live source could be reached (pubmed-eutils" in text
    assert "gave no answer" not in text and "no network:" not in text


def test_near_records_and_numbers_that_are_none_are_marked() -> None:
    trial = {
        "nct_id": "NCT00000009", "title": "T", "sample_size": 99_999_999, "match": "query",
        "enrollment_type": "ESTIMATED", "enrollment_doubtful": True, "grade": None, "year": 2024,
    }  # fmt: skip
    for form in ("markdown", "html"):
        text = evidence_summary([*ROWS, trial], form, lang="en", answer=ANSWER)
        assert text.count("nearest only") >= 3
        assert "planned number" in text and "doubtful number" in text and "99,999,999" in text


def test_pmids_without_a_record_are_named(tmp_path: Path) -> None:
    rows = [record(1), {"pmid": "5", "found": False, "lookup": "failed"},
            {"pmid": "6", "found": False, "lookup": "unknown"}]  # fmt: skip
    text = evidence_summary(rows, lang="en", home=tmp_path)
    assert "PubMed gave no answer, which is not" in text and "(PMID 5)" in text
    assert "unknown to PubMed (PMID 6)" in text and "**Total**: 1 records" in text
    assert "there is no warehouse here" in text


def test_a_list_names_the_warehouse_that_is_here(sample_home: Path) -> None:
    text = evidence_summary(ROWS, lang="en", home=sample_home)
    assert "The list does not say" in text and "PubMed up to" in text


@pytest.mark.parametrize("rubbish", [None, 3, "x", [], [3, None], {"first": "x"}, {"a": {}}])
def test_answers_from_files_may_hold_anything(rubbish: Any) -> None:
    keys = ("sources", "incomplete", "notices", "date_range", "warehouse", "ignored", "nearest",
            "match", "offline", "trials_total")  # fmt: skip
    for form in ("markdown", "html", "json"):
        assert evidence_summary(ROWS, form, answer=dict.fromkeys(keys, rubbish))


def test_the_folder_says_it_too(sample_home: Path, tmp_path: Path) -> None:
    home = open_home(sample_home)
    found = evidence_search("asthma", home=sample_home, date_range="2022:2022")
    query = {"command": "search", "query": "asthma"}
    write_folder(tmp_path, found["results"], home=home, query=query, answer=found, lang="en")
    text = (tmp_path / "_summary.md").read_text(encoding="utf-8")
    assert "Years searched: 2022 to 2022" in text and "Warehouse: snapshot 1" in text
    line = json.loads((tmp_path / "_query_log.jsonl").read_text(encoding="utf-8"))
    assert line["date_range"] == found["date_range"] and line["warehouse"] == found["warehouse"]
    index = (tmp_path / "_index.csv").read_text(encoding="utf-8")
    assert ",match," in index.splitlines()[0]
