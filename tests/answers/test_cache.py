"""The answers cache on real SQLite files: age, state, damage, foreign files, processes."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.run import ROOT, evidence
from warehouse import cache, evidence_search, grade_pmid_list
from warehouse.cache import OFF, AnswerCache

ANSWER = {"total": 3, "results": [{"pmid": "1"}], "fast_path_used": False}
ROW = {
    "pmid": "7", "found": True, "publication_types": ["Letter"], "sample_size": None, "grade": "B",
    "grade_rationale": "RCT",
}  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> AnswerCache:
    return AnswerCache(tmp_path / "deep" / "cache.sqlite")


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    path = tmp_path / "own.sqlite"
    monkeypatch.setenv("EVIDENCE_CACHE", str(path))
    yield path


def rows(path: Path, query: str) -> list[Any]:
    con = sqlite3.connect(path)
    try:
        return con.execute(query).fetchall()
    finally:
        con.close()


def test_what_is_kept_comes_back(store: AnswerCache) -> None:
    assert store.search("k", "s") is None and not store.path.exists()
    store.keep_search("k", "s", "asthma", ANSWER)
    store.keep_grades([ROW, {"pmid": "8", "found": False}], "s")
    assert AnswerCache(store.path).search("k", "s") == ANSWER
    assert store.grades(["7", "8", "7"], "s") == {"7": ROW}
    assert store.notices == []


def test_another_state_is_another_answer(store: AnswerCache) -> None:
    store.keep_search("k", "snapshot 1", "asthma", ANSWER)
    store.keep_grades([ROW], "snapshot 1")
    assert store.search("k", "snapshot 2") is None and store.grades(["7"], "snapshot 2") == {}


def test_the_tables_have_the_columns_of_the_seed(store: AnswerCache) -> None:
    store.keep_search("k", "s", "asthma", ANSWER)
    store.keep_grades([ROW], "s")
    (kept,) = rows(
        store.path,
        "select query_hash, query_text, result_json, fast_path_used, total_results, "
        "julianday(expires_at) - julianday(created_at) from evidence_cache",
    )
    assert kept[:5] == ("k", "asthma", json.dumps(ANSWER), 0, 3) and kept[5] == pytest.approx(7)
    (grade,) = rows(
        store.path,
        "select pmid, publication_types, sample_size, grade, grade_rationale from pmid_grade_cache",
    )
    assert grade == ("7", '["Letter"]', None, "B", "RCT")


def test_answers_grow_old(store: AnswerCache, monkeypatch: pytest.MonkeyPatch) -> None:
    store.keep_search("k", "s", "asthma", ANSWER)
    store.keep_grades([ROW], "s")
    stamp = cache._stamp
    monkeypatch.setattr(cache, "_stamp", lambda days=0: stamp(days + 8))
    assert store.search("k", "s") is None and store.grades(["7"], "s") == {"7": ROW}
    monkeypatch.setattr(cache, "_stamp", lambda days=0: stamp(days + 31))
    assert store.grades(["7"], "s") == {}
    store.keep_search("other", "s", "copd", ANSWER)
    assert rows(store.path, "select query_hash from evidence_cache") == [("other",)]


def test_answers_from_the_future_are_not_believed(
    store: AnswerCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamp = cache._stamp
    monkeypatch.setattr(cache, "_stamp", lambda days=0: stamp(days + 3))
    store.keep_search("k", "s", "asthma", ANSWER)
    monkeypatch.undo()
    assert store.search("k", "s") is None


@pytest.mark.parametrize(
    "content", [b"this is no database" * 400, b"SQLite format 3\0" + b"x" * 8000]
)
def test_a_damaged_file_is_made_anew(store: AnswerCache, content: bytes) -> None:
    store.path.parent.mkdir(parents=True)
    store.path.write_bytes(content)
    assert store.search("k", "s") is None
    assert len(store.notices) == 1 and "made anew" in store.notices[0]
    store.keep_search("k", "s", "asthma", ANSWER)
    assert store.search("k", "s") == ANSWER and len(store.notices) == 1


def test_a_page_overwritten_in_the_middle(store: AnswerCache) -> None:
    for number in range(200):
        store.keep_search(f"k{number}", "s", "asthma" * 200, ANSWER)
    con = sqlite3.connect(store.path)
    con.execute("pragma wal_checkpoint(truncate)")
    con.close()
    with store.path.open("r+b") as stream:
        stream.seek(4096)
        stream.write(os.urandom(store.path.stat().st_size - 4096))
    store.search("k7", "s")
    store.keep_search("new", "s", "asthma", ANSWER)
    store.keep_search("new", "s", "asthma", ANSWER)
    assert store.search("new", "s") == ANSWER
    assert any("made anew" in text for text in store.notices)


def test_rubbish_in_a_row_is_no_answer(store: AnswerCache) -> None:
    store.keep_search("k", "s", "asthma", ANSWER)
    con = sqlite3.connect(store.path)
    with con:
        con.execute("update evidence_cache set result_json = '[1'")
    con.close()
    assert store.search("k", "s") is None


def test_a_file_of_the_seeds_own_layout_is_used(store: AnswerCache) -> None:
    store.path.parent.mkdir(parents=True)
    con = sqlite3.connect(store.path)
    con.executescript(
        "create table evidence_cache (query_hash text primary key, query_text text, result_json "
        "text, created_at timestamp, expires_at timestamp, fast_path_used boolean, "
        "total_results integer); create table pmid_grade_cache (pmid text primary key, "
        "publication_types text, sample_size integer, grade text, grade_rationale text, "
        "cached_at timestamp); insert into evidence_cache (query_hash, query_text) "
        "values ('theirs', 'kept');"
    )
    con.close()
    store.keep_search("k", "s", "asthma", ANSWER)
    store.keep_grades([ROW], "s")
    assert store.search("k", "s") == ANSWER and store.grades(["7"], "s") == {"7": ROW}
    assert ("theirs",) in rows(
        store.path, "select query_hash from evidence_cache where query_text = 'kept'"
    )


def test_a_place_that_cannot_be_written_costs_only_a_notice(
    sample_home: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    for _ in range(2):
        place = tmp_path / "file" / "cache.sqlite"
        answer = evidence_search("asthma", home=sample_home, cache=place)
        assert answer["total"] > 0 and answer["cache_hit"] is False
        assert any("answers are not kept" in notice for notice in answer["notices"])


def test_a_long_lock_of_another_costs_only_a_notice(
    store: AnswerCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.keep_search("k", "s", "asthma", ANSWER)
    monkeypatch.setattr(cache, "WAIT_MS", 50)
    other = sqlite3.connect(store.path)
    other.execute("begin immediate")
    store.keep_search("k2", "s", "asthma", ANSWER)
    assert "locked" in store.notices[0]
    assert store.search("k", "s") == ANSWER  # readers do not wait for a writer
    other.rollback()
    other.close()


_WRITER = """
import sys
from pathlib import Path
from warehouse.cache import AnswerCache
store = AnswerCache(Path(sys.argv[1]))
for number in range(40):
    store.keep_search(f"{sys.argv[2]}-{number}", "s", "q", {"total": number})
    assert store.search(f"{sys.argv[2]}-{number}", "s") == {"total": number}, store.notices
print(store.notices)
"""


def test_several_processes(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"

    def write(name: int) -> str:
        done = subprocess.run(
            [sys.executable, "-c", _WRITER, str(path), str(name)],
            capture_output=True, text=True, cwd=ROOT, check=True, timeout=120,
        )  # fmt: skip
        return done.stdout.strip()

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(write, range(4))) == {"[]"}
    assert rows(path, "select count(*) from evidence_cache") == [(160,)]


def test_search_twice(sample_home: Path, own_cache: Path) -> None:
    first = evidence_search("asthma", home=sample_home)
    second = evidence_search("asthma", home=sample_home)
    assert first["cache_hit"] is False and second["cache_hit"] is True
    same = {key for key in first if key not in ("cache_hit", "elapsed_seconds")}
    assert {key: first[key] for key in same} == {key: second[key] for key in same}
    assert evidence_search("asthma", max_results=1, home=sample_home)["cache_hit"] is False
    assert evidence_search("asthma", home=sample_home, cache=OFF)["cache_hit"] is False


def test_grades_twice(sample_home: Path, own_cache: Path) -> None:
    asked = ["90000099", "PMID: 90000041", "1", "90000099"]
    first = grade_pmid_list(asked, home=sample_home)
    assert [row["pmid"] for row in first] == ["90000099", "90000041", "1", "90000099"]
    assert grade_pmid_list(asked, home=sample_home) == first
    assert rows(own_cache, "select count(*) from pmid_grade_cache") == [(2,)]


def test_another_warehouse_with_the_same_snapshot_number(
    sample_home: Path, tmp_path: Path, own_cache: Path
) -> None:
    assert evidence_search("asthma", home=sample_home)["total"] > 0
    other = tmp_path / "other"
    outcome = evidence(
        "refresh", "--home", other, "--pubmed", ROOT / "sample" / "pubmed26n0003.xml.gz"
    )
    assert outcome.code == 0, outcome.err
    assert evidence_search("asthma", home=other)["cache_hit"] is False


def test_the_default_place_is_the_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVIDENCE_CACHE")
    monkeypatch.setenv("HOME", "/someone")
    expected = "/someone/.claude/skills/medical-evidence-grading/cache.sqlite"
    assert str(AnswerCache().path) == expected


def test_the_command_can_go_without(sample_home: Path, own_cache: Path) -> None:
    outcome = evidence("search", "asthma", "--home", sample_home, "--json", "--no-cache")
    assert outcome.code == 0 and not own_cache.exists()
