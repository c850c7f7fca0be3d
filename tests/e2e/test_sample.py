"""The main job on the bundled sample, as a newcomer runs it."""

import csv
from pathlib import Path

import duckdb
import pytest

from tests.e2e.conftest import SAMPLE, refresh_sample
from tests.run import evidence

GRADE_KEYS = {
    "pmid", "found", "title", "journal", "year", "publication_types", "design", "sample_size",
    "sample_size_source", "sample_size_evidence", "grade", "grade_label", "grade_base",
    "grade_rationale", "rules", "signals_up", "signals_down", "is_preprint", "is_retracted",
    "superseded_by", "nct_ids", "inferred",
}  # fmt: skip


def expected() -> dict[str, dict[str, str]]:
    with (SAMPLE / "expected.csv").open(encoding="utf-8") as stream:
        return {row["pmid"]: row for row in csv.DictReader(stream)}


def test_every_hand_graded_citation_of_the_sample_gets_its_grade(sample_home: Path) -> None:
    wanted = expected()
    outcome = evidence(
        "grade", "--home", sample_home, "--file", "-", "--json", stdin="\n".join(wanted)
    )
    assert outcome.code == 0, outcome.err
    wrong = {
        row["pmid"]: (row["grade"], row["rules"], wanted[row["pmid"]])
        for row in outcome.json
        if row["grade"] != wanted[row["pmid"]]["grade"]
        or row["rules"][0] != wanted[row["pmid"]]["rule"]
    }
    assert not wrong
    assert len(outcome.json) >= 200


def test_the_sample_holds_nothing_beyond_the_hand_graded(sample_home: Path) -> None:
    rows = evidence("sql", "--home", sample_home, "select pmid from graded", "--json").json
    assert {str(row["pmid"]) for row in rows} == set(expected())


def test_a_second_refresh_does_nothing_and_says_so(sample_home: Path) -> None:
    before = evidence("status", "--home", sample_home, "--json").json
    outcome = refresh_sample(sample_home)
    assert outcome.code == 0
    report = outcome.json
    assert report["changed"] is False
    assert report["files"]["done"] == []
    assert len(report["files"]["skipped"]) == 4
    assert "nothing to do" in report["summary"]
    assert evidence("status", "--home", sample_home, "--json").json == before


def test_grades_come_in_the_order_asked_with_every_key(sample_home: Path) -> None:
    pmids = list(expected())[:5][::-1]
    outcome = evidence("grade", "--home", sample_home, *pmids, "--json")
    assert [row["pmid"] for row in outcome.json] == pmids
    assert all(row.keys() >= GRADE_KEYS for row in outcome.json)


def test_unknown_pmids_are_said_and_exit_3(sample_home: Path) -> None:
    known = next(iter(expected()))
    outcome = evidence("grade", "--home", sample_home, "123", known, "--json")
    assert outcome.code == 3
    missing, found = outcome.json
    assert (missing["pmid"], missing["found"], missing["grade"]) == ("123", False, None)
    assert found["found"] is True


def test_rubbish_lines_are_reported_by_number(sample_home: Path) -> None:
    first, second = list(expected())[:2]
    outcome = evidence(
        "grade", "--home", sample_home, "--file", "-", "--json",
        stdin=f"PMID: {first}\n\n  \nnot a pmid\npmid:{second}\n-5\n",
    )  # fmt: skip
    assert outcome.code == 3
    assert [row["pmid"] for row in outcome.json] == [first, second]
    assert "line 4: 'not a pmid'" in outcome.err
    assert "line 6: '-5'" in outcome.err


@pytest.mark.parametrize("argument", ["abc", "0", "1e5", "99999999999", "1;drop table graded"])
def test_an_argument_that_is_no_pmid_is_a_usage_error(sample_home: Path, argument: str) -> None:
    outcome = evidence("grade", "--home", sample_home, argument)
    assert outcome.code == 2
    assert "is not a PMID" in outcome.err


def test_status_says_what_is_committed(sample_home: Path) -> None:
    status = evidence("status", "--home", sample_home, "--json").json
    assert status["snapshot"] == status["index"]["snapshot"] == 1
    assert status["index"]["docs"] == status["tables"]["citations"] == len(expected())
    assert status["tables"]["graded"] == status["tables"]["citations"]
    assert status["watermarks"]["pubmed_file"] == "pubmed26n0003.xml.gz"
    assert status["watermarks"]["aact_date"] == "2026-01-01"
    assert status["rule_version"]


def test_search_answers_best_grade_first_and_counts_all(sample_home: Path) -> None:
    outcome = evidence(
        "search",
        "--home",
        sample_home,
        "randomized",
        "--since",
        "all",
        "--max",
        "5",
        "--json",
    )
    assert outcome.code == 0, outcome.err
    found = outcome.json
    grades = [r["grade"] for r in found["results"] if r["source"] == "pubmed"]
    assert grades == sorted(grades)
    assert len(found["results"]) <= 5 < found["total"]
    assert {"A", "B", "C", "D", "excluded"} <= found["by_grade"].keys()
    # excluded records are counted beside the total, as in the shape that callers know
    assert sum(found["by_grade"].values()) - found["by_grade"]["excluded"] == found["total"]


def test_the_duckdb_file_opens_from_the_plain_package(sample_home: Path) -> None:
    with duckdb.connect(sample_home / "warehouse.duckdb", read_only=True) as con:
        grades = dict(con.execute("select grade, count(*) from graded group by 1").fetchall())
        comments = con.execute(
            "select comment from duckdb_columns() where table_name = 'graded' and "
            "column_name = 'grade'"
        ).fetchall()
    assert set(grades) == {"A", "B", "C", "D", "excluded", "ungraded"}
    assert comments and comments[0][0]


@pytest.mark.parametrize(
    "query",
    [
        "create table x (a int)",
        "drop view graded",
        "copy graded to '/tmp/x.csv'",
        "select * from read_csv('/etc/passwd')",
        "select * from '/etc/passwd'",
        "select * from read_text('/etc/passwd')",
        "install httpfs",
        "load httpfs",
        "attach '/tmp/x.db'",
        "pragma database_list; select 1",
        "select 1; select 2",
        "set memory_limit = '1TB'",
        "select getenv('HOME')",
        "",
        "select * from nowhere",
    ],
)
def test_sql_reads_the_views_and_nothing_else(sample_home: Path, query: str) -> None:
    outcome = evidence("sql", "--home", sample_home, query, "--json")
    assert outcome.code == 2
    assert outcome.out == ""
    assert len(outcome.err.strip().splitlines()) == 1


@pytest.mark.parametrize("form", ["--json", "--ndjson", "--csv", "--table"])
def test_every_format_holds_every_row(sample_home: Path, form: str) -> None:
    query = "select pmid, title from citations order by pmid limit 7"
    out = evidence("sql", "--home", sample_home, query, form).out
    pmids = sorted(expected())[:7]
    assert all(pmid in out for pmid in pmids)


def test_every_command_has_help_with_an_example() -> None:
    for name in ("refresh", "status", "search", "grade", "sql", "doctor"):
        outcome = evidence(name, "--help")
        assert outcome.code == 0
        assert f"evidence {name}" in outcome.out.split("Examples:")[1]


def test_doctor_finds_nothing_broken(sample_home: Path) -> None:
    outcome = evidence("doctor", "--home", sample_home, "--deep", "--json")
    assert outcome.code == 0
    assert not [f for f in outcome.json if f["state"] == "broken"]


def test_without_a_snapshot_every_answer_names_the_next_command(tmp_path: Path) -> None:
    for command in (["status"], ["grade", "1"], ["search", "x"], ["sql", "select 1"]):
        outcome = evidence(*command, "--home", tmp_path / "none")
        assert outcome.code == 1
        assert "evidence refresh" in outcome.err
