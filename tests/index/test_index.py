"""The index follows the snapshot; stale, broken, half-written ones are rebuilt and say so."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from etl.errors import StoreError
from etl.store import index, index_stamp
from etl.store.index import open_index, open_trials, update
from etl.store.index_search import SearchIndex
from tests.query.rows import citation, connection, grade
from warehouse.query.compile import compile_plan
from warehouse.query.expand import expand

ROWS = [citation(n, f"word{n} common", "abstract text") for n in range(1, 40)]


def pmids(found: SearchIndex, query: str) -> list[int]:
    plan, _ = expand(query)
    return sorted(hit.pmid for hit in found.best(compile_plan(plan, found.schema), 1000))


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    return connection(citations=ROWS, graded=[grade(n, "ABCD"[n % 4]) for n in range(1, 40)])


def change(con: duckdb.DuckDBPyConnection, deleted: int, revised: int) -> pa.Array:
    con.execute("delete from citations where pmid = ?", [deleted])
    con.execute("update citations set title = 'revised' where pmid = ?", [revised])
    return pa.array([deleted, revised], pa.int64())


def test_full_build_then_a_day(place: Any, con: duckdb.DuckDBPyConnection) -> None:
    update(place, con, 1, None, None)
    first = open_index(place, place.committed(1), con)
    assert first.notices == [] and first.docs == 39
    changed = change(con, 3, 4)
    update(place, con, 2, changed, 1)
    second = open_index(place, place.committed(2), con)
    assert second.notices == [] and second.docs == 38
    assert pmids(second, "word3") == [] and pmids(second, "revised") == [4]
    assert pmids(second, "word4") == [] and len(pmids(second, "common")) == 37
    # the older reader keeps what it opened
    assert first.docs == 39 and pmids(first, "word3") == [3]


def test_a_day_links_the_segments_it_does_not_touch(
    place: Any, con: duckdb.DuckDBPyConnection
) -> None:
    update(place, con, 1, None, None)
    place.committed(1)
    update(place, con, 2, change(con, 1, 2), 1)
    stores = list((place.index / "000002").glob("*.store"))
    assert any(file.stat().st_nlink > 1 for file in stores)


def test_cards_are_packed_a_few_at_a_time(place: Any, con: duckdb.DuckDBPyConnection) -> None:
    update(place, con, 1, None, None)
    place.committed(1)
    update(place, con, 2, change(con, 3, 4), 1)
    for number in ("000001", "000002"):
        said = json.loads((place.index / number / "meta.json").read_text())
        assert said["index_settings"]["docstore_blocksize"] == 4096


def test_the_index_of_trials_is_opened_once(place: Any, con: duckdb.DuckDBPyConnection) -> None:
    update(place, con, 1, None, None)
    found = open_index(place, place.committed(1), con)
    assert open_trials(found) is open_trials(found)


def test_a_word_of_any_field_is_found_in_one_list(place: Any) -> None:
    row = citation(7, "Titleword", "Abstractword", authors=["Authorname AB"], journal="Journalword",
                   keywords=["Keyword"], publication_types=["Typeword"])  # fmt: skip
    con = connection(citations=[row, citation(8, "Other", "Text")])
    update(place, con, 1, None, None)
    found = open_index(place, place.committed(1), con)
    words = ("titleword", "abstractword", "authorname", "journalword", "keyword", "typeword")
    for word in words:
        assert pmids(found, word) == [7] and pmids(found, f"{word[:-1]}*") == [7]
        assert found.frequency("whole", word) == 1


def test_grades_are_counted_and_filtered(place: Any, con: duckdb.DuckDBPyConnection) -> None:
    update(place, con, 1, None, None)
    found = open_index(place, place.committed(1), con)
    plan, _ = expand("common")
    counts = found.by_grade(compile_plan(plan, found.schema))
    assert counts == {"A": 9, "B": 10, "C": 10, "D": 10, "ungraded": 0, "excluded": 0}


def test_a_missing_index_is_built_and_says_so(place: Any, con: duckdb.DuckDBPyConnection) -> None:
    found = open_index(place, place.committed(5), lambda: con)
    assert found.docs == 39
    assert found.notices == ["search index of snapshot 5 rebuilt: there is none"]
    assert open_index(place, place.committed(5), con).notices == []


def test_the_index_of_another_snapshot_is_not_taken(
    place: Any, con: duckdb.DuckDBPyConnection
) -> None:
    update(place, con, 1, None, None)
    shutil.copytree(place.index / "000001", place.index / "000002")
    found = open_index(place, place.committed(2), con)
    assert "belongs to snapshot 1" in found.notices[0]


def test_an_index_of_other_files_is_not_taken(place: Any, con: duckdb.DuckDBPyConnection) -> None:
    update(place, con, 1, None, None, tables={"citations": "these files"})
    snap = place.committed(1)
    snap.tables["citations"] = "other files"
    assert "other files" in open_index(place, snap, con).notices[0]


def _cut(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])


def _flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(bytes(data))


def _reformat(folder: Path) -> None:
    stamp = folder / index_stamp.STAMP
    stamp.write_text(stamp.read_text().replace('"format": ', '"format": 9'))


BREAKS = {
    "truncated segment": lambda folder: _cut(next(iter(folder.glob("*.idx")))),
    "lost segment": lambda folder: next(iter(folder.glob("*.store"))).unlink(),
    "lost stamp": lambda folder: (folder / index_stamp.STAMP).unlink(),
    "rubbish stamp": lambda folder: (folder / index_stamp.STAMP).write_text("{rubbish"),
    "empty stamp": lambda folder: (folder / index_stamp.STAMP).write_text(""),
    "other format": _reformat,
    "flipped byte": lambda folder: _flip(next(iter(folder.glob("*.term")))),
    "rubbish meta": lambda folder: (folder / "meta.json").write_text("[]"),
    "truncated trials": lambda folder: _cut(folder / "trials" / "meta.json"),
    "emptied": lambda folder: [f.unlink() for f in folder.iterdir() if f.is_file()],
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_index_is_rebuilt(place: Any, con: duckdb.DuckDBPyConnection, name: str) -> None:
    update(place, con, 1, None, None)
    snap = place.committed(1)
    BREAKS[name](place.index / "000001")
    found = open_index(place, snap, con)
    assert len(found.notices) == 1 and "rebuilt" in found.notices[0]
    assert len(pmids(found, "common")) == 39
    assert open_index(place, snap, con).notices == []


def test_an_update_does_not_build_on_a_broken_index(
    place: Any, con: duckdb.DuckDBPyConnection
) -> None:
    update(place, con, 1, None, None)
    place.committed(1)
    _cut(next(iter((place.index / "000001").glob("*.idx"))))
    update(place, con, 2, change(con, 1, 2), 1)
    found = open_index(place, place.committed(2), con)
    assert found.notices == [] and found.docs == 38


def test_an_aborted_attempt_of_the_same_number_is_replaced(
    place: Any, con: duckdb.DuckDBPyConnection
) -> None:
    update(place, con, 1, None, None)
    place.committed(1)
    update(place, con, 2, change(con, 1, 2), 1)  # and the process is killed before the commit
    con.execute("update citations set title = 'again' where pmid = 5")
    update(place, con, 2, pa.array([1, 2, 5], pa.int64()), 1)
    found = open_index(place, place.committed(2), con)
    assert pmids(found, "again") == [5] and found.docs == 38


def test_indexes_of_snapshots_no_longer_kept_are_removed(
    place: Any, con: duckdb.DuckDBPyConnection
) -> None:
    for number in (1, 2, 3):
        update(place, con, number, pa.array([1], pa.int64()), number - 1 or None)
        place.committed(number)
    (place.snapshots / "000001.json").unlink()
    (place.index / ".building-000009-999999999").mkdir()
    update(place, con, 4, pa.array([1], pa.int64()), 3)
    assert sorted(entry.name for entry in place.index.iterdir()) == ["000002", "000003", "000004"]


def test_a_change_of_nothing(place: Any, con: duckdb.DuckDBPyConnection) -> None:
    update(place, con, 1, None, None)
    place.committed(1)
    update(place, con, 2, pa.array([], pa.int64()), 1)
    assert open_index(place, place.committed(2), con).docs == 39


def test_an_empty_warehouse(place: Any) -> None:
    empty = connection()
    update(place, empty, 1, None, None)
    found = open_index(place, place.committed(1), empty)
    assert found.docs == 0 and pmids(found, "anything") == []


def test_a_home_that_cannot_be_written(place: Any, con: duckdb.DuckDBPyConnection) -> None:
    place.index.write_text("a file stands here")
    with pytest.raises(StoreError, match="cannot be written"):
        update(place, con, 1, None, None)
    found = open_index(place, place.committed(1), con)
    assert found.docs == 39 and "for this call only" in found.notices[0]


def test_deep_verification_reads_every_file(place: Any, con: duckdb.DuckDBPyConnection) -> None:
    update(place, con, 1, None, None)
    snap = place.committed(1)
    assert index.verify(place, snap) is None
    _flip(next(iter((place.index / "000001").glob("*.pos"))))
    assert "damaged" in str(index.verify(place, snap))


KILLED = """
import sys
from pathlib import Path
import pyarrow as pa
from etl.store.index import update
from tests.index.conftest import Place
from tests.query.rows import citation, connection
rows = [citation(n, f"word{n} new", "abstract text " * 40) for n in range(1, 3000)]
root = Path(sys.argv[1])
print("ready", flush=True)
update(Place(root / "index", root / "snapshots"), connection(citations=rows), 2,
       pa.array(range(1, 3000)), 1)
"""


@pytest.mark.parametrize("wait", [0.05, 0.2, 0.5])
def test_kill_in_the_middle_of_an_update(
    place: Any, con: duckdb.DuckDBPyConnection, wait: float
) -> None:
    update(place, con, 1, None, None)
    snap = place.committed(1)
    command = [sys.executable, "-c", KILLED, str(place.index.parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as run:
        assert run.stdout is not None and run.stdout.readline()
        time.sleep(wait)
        os.kill(run.pid, signal.SIGKILL)
    found = open_index(place, snap, con)
    assert found.notices == [] and len(pmids(found, "common")) == 39
    update(place, con, 2, change(con, 1, 2), 1)
    after = open_index(place, place.committed(2), con)
    assert after.docs == 38 and pmids(after, "new") == []
    assert not list(place.index.glob(".building-*"))
