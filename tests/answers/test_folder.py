"""The evidence folder on real files: structure, names, cells, reruns, other people's files."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from etl.errors import StoreError
from etl.store.home import Home, open_home
from tests.answers.conftest import record
from tests.run import evidence
from warehouse import evidence_search
from warehouse.folder import FOLDERS, Written, write_folder
from warehouse.safe_names import cell, identity, plain, stem

QUERY = {"command": "search", "query": "asthma"}


@pytest.fixture
def home(sample_home: Path) -> Home:
    return open_home(sample_home)


def files(out: Path) -> set[str]:
    return {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}


def index(out: Path) -> list[dict[str, str]]:
    with (out / "_index.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def log(out: Path) -> list[dict[str, Any]]:
    text = (out / "_query_log.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def write(out: Path, home: Home, *rows: dict[str, Any], query: Any = QUERY) -> Written:
    return write_folder(out, rows, home=home, query=query)


def test_the_structure_is_the_seeds(home: Home, tmp_path: Path) -> None:
    out = tmp_path / "evidence"
    answer = evidence_search("asthma", home=home.root, include_excluded=True)
    write_folder(out, answer["results"], home=home, query=QUERY, answer=answer)
    assert {p.name for p in out.iterdir()} == {
        *FOLDERS,
        "_summary.md",
        "_index.csv",
        "_query_log.jsonl",
    }
    name = "grade-A/PMID-90000099_Lukowicz-Fable-JAMA-2022"
    document = json.loads((out / f"{name}.json").read_text(encoding="utf-8"))
    assert list(document) == [
        "evidence_id", "grade", "grade_rationale", "citation_apa", "citation_chinese",
        "citation_gbt7714", "metadata", "abstract", "fetched_at", "source_chain",
    ]  # fmt: skip
    assert document["citation_apa"].startswith("Łukowicz-Fable, O. B., Marchbanks, S. I., & O'Th")
    assert document["citation_chinese"] == "Łukowicz-Fable 等,2022,JAMA"
    assert document["metadata"]["author_details"][0]["fore_name"] == "Olga B"
    assert (out / f"{name}_abs.txt").read_text(encoding="utf-8").strip() == document["abstract"]
    assert len(index(out)) == len(answer["results"]) and index(out)[0]["file"] == f"{name}.json"
    assert "# 证据汇总报告 · asthma" in (out / "_summary.md").read_text(encoding="utf-8")
    (line,) = log(out)
    assert line["asked"] == QUERY and line["snapshot"] == 1 and line["total"] == answer["total"]
    trial = json.loads(next((out / "ungraded").glob("NCT90000005_*.json")).read_text("utf-8"))
    assert trial["grade"] is None and trial["source_chain"][0] == "aact"


def test_a_rerun_changes_nothing_but_the_log(home: Home, tmp_path: Path) -> None:
    rows = [record(1), record(2, "excluded", "excluded_type", abstract=None)]
    write(tmp_path, home, *rows)
    before = {name: (tmp_path / name).stat().st_mtime_ns for name in files(tmp_path)}
    second = write(tmp_path, home, *rows)
    after = {name: (tmp_path / name).stat().st_mtime_ns for name in files(tmp_path)}
    changed = {name for name in before if before[name] != after[name]}
    assert before.keys() == after.keys() and changed == {"_query_log.jsonl"}
    assert second.removed == [] and len(log(tmp_path)) == 2
    assert "excluded/PMID-2_Smith-JTests-2024_abs.txt" not in before


def test_stale_files_of_the_same_query_go(home: Home, tmp_path: Path) -> None:
    write(tmp_path, home, record(1, "B"), record(2))
    other = write(tmp_path, home, record(3), query={"query": "copd"})
    assert other.removed == []
    written = write(tmp_path, home, record(1, "A"))
    assert sorted(written.removed) == [
        "grade-B/PMID-1_Smith-JTests-2024.json", "grade-B/PMID-1_Smith-JTests-2024_abs.txt",
        "grade-B/PMID-2_Smith-JTests-2024.json", "grade-B/PMID-2_Smith-JTests-2024_abs.txt",
    ]  # fmt: skip
    assert [row["pmid"] for row in index(tmp_path)] == ["1", "3"]


def test_what_another_query_needs_stays(home: Home, tmp_path: Path) -> None:
    write(tmp_path, home, record(1), record(2))
    write(tmp_path, home, record(2), query={"query": "copd"})
    assert write(tmp_path, home, record(1)).removed == []
    assert (tmp_path / "grade-B" / "PMID-2_Smith-JTests-2024.json").is_file()


def test_a_record_that_moved_is_not_left_in_its_old_grade_by_another_query(
    home: Home, tmp_path: Path
) -> None:
    write(tmp_path, home, record(1, "B"), query={"query": "copd"})
    write(tmp_path, home, record(1, "A"))
    assert not list((tmp_path / "grade-B").iterdir())


def test_files_of_others_and_changed_files_stay(home: Home, tmp_path: Path) -> None:
    write(tmp_path, home, record(1), record(2))
    mine = tmp_path / "grade-B" / "notes.json"
    mine.write_text("{}")
    changed = tmp_path / "grade-B" / "PMID-2_Smith-JTests-2024.json"
    changed.write_text("my remarks")
    written = write(tmp_path, home, record(1))
    assert mine.is_file() and changed.read_text() == "my remarks"
    assert any("was changed since" in notice for notice in written.notices)


def test_a_forged_log_removes_nothing_outside(home: Home, tmp_path: Path) -> None:
    outside = tmp_path / "precious.json"
    outside.write_text("x")
    out = tmp_path / "out"
    write(out, home, record(1))
    line = log(out)[0]
    line["written"] = {"../precious.json": "", str(outside): "", "grade-A/../../precious.json": ""}
    with (out / "_query_log.jsonl").open("a") as stream:
        stream.write(json.dumps(line) + '\nnot json\n[1]\n{"torn')
    written = write(out, home, record(1))
    assert outside.is_file()
    assert any("3 lines of" in notice for notice in written.notices)
    assert json.loads((out / "_query_log.jsonl").read_text().splitlines()[-1])["key"]


@pytest.mark.parametrize(
    ("authors", "journal", "name"),
    [
        (["DiNardo CD"], "N Engl J Med", "PMID-5_DiNardo-NEJM-2024"),
        (["Ørsted Å"], "Läkartidningen", "PMID-5_Orsted-Lakartidningen-2024"),
        (["王 小明"], "中华医学杂志", "PMID-5_Author-Journal-2024"),
        ([], "BMJ", "PMID-5_BMJ-2024"),
        (["CON A"], "NUL", "PMID-5_CON-NUL-2024"),
        (["../../etc/passwd A"], "C:\\x", "PMID-5_etcpasswd-Cx-2024"),
        (["A" * 300 + " B"], "J" * 300, "PMID-5_" + "A" * 40 + "-" + "J" * 40 + "-2024"),
        (["\x00\x1b[31m B"], "..", "PMID-5_31m-Journal-2024"),
    ],
)  # fmt: skip
def test_file_names(authors: list[str], journal: str, name: str) -> None:
    made = stem(record(5, authors=authors, journal_abbreviation=journal))
    assert made == name and len(made) <= 120 and made.isascii()


def test_identifiers_that_had_to_change_never_collide() -> None:
    names = {identity({"evidence_id": f"DOI:10.1/a{sign}b"}) for sign in "?*<>|:\"'"}
    assert len(names) == 8 and all(plain(name, 100) == name for name in names)
    assert identity({"evidence_id": "aux"}).lower() != "aux"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", " =1", "＝1"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert cell(text) == f"'{text}"


def test_hostile_records(home: Home, tmp_path: Path) -> None:
    title = '=HYPERLINK("http://x","a"),\n"b"\ud800'
    write(tmp_path, home, record(1, title=title, authors=["=cmd|' /C calc'!A0"]))
    (row,) = index(tmp_path)
    assert row["title"].startswith("'=HYPERLINK") and row["first_author"].startswith("'=cmd")


def test_the_same_record_twice_is_one_file(home: Home, tmp_path: Path) -> None:
    assert len(write(tmp_path, home, record(1), record(1)).files) == 2
    assert len(index(tmp_path)) == 1


def test_a_place_that_cannot_be_written(home: Home, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match=r"cannot write .*file"):
        write(tmp_path / "file" / "out", home, record(1))


def test_commands(sample_home: Path, tmp_path: Path) -> None:
    out = tmp_path / "e"
    outcome = evidence("search", "asthma", "--home", sample_home, "--out", out, "--json")
    assert outcome.code == 0 and "files of records" in outcome.err
    assert all(row["grade"] != "excluded" for row in outcome.json["results"])
    assert list((out / "excluded").iterdir())
    outcome = evidence(
        "grade", "90000099", "1", "--home", sample_home, "--out", out, "--lang", "en"
    )
    assert outcome.code == 3
    assert "# Evidence report" in (out / "_summary.md").read_text(encoding="utf-8")
    assert len(log(out)) == 2 and not list(out.rglob("PMID-1_*"))
