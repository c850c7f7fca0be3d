"""Commit, retention, files and faults of one store."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from store_helpers import LINKS, citations, links, put, touched, visible

from etl.errors import NoSnapshotError, SchemaError, StoreError
from etl.store import files
from etl.store.duck_types import duck_type
from etl.store.home import Home, open_home, prepare
from etl.store.schema import TABLES
from etl.store.snapshot import (
    EMPTY,
    DataFile,
    Snapshot,
    TableState,
    commit,
    current,
    manifests,
    next_id,
)
from etl.store.tables import Change, apply, compact, replace, write_file
from etl.store.views import connect


def commit_tokens(home: Home, *tokens: int) -> Snapshot:
    """Commits one snapshot a token, each a rewrite of the links."""
    done = EMPTY
    for token in tokens:
        file = write_file(home, LINKS, links([1, 2], token), token, f"t{token}")
        done = commit(home, Snapshot(0, "", {LINKS: replace(home, LINKS, [file])}))
    return done


def one_line(error: pytest.ExceptionInfo[StoreError]) -> str:
    """The message, which must be one line."""
    assert "\n" not in str(error.value)
    return str(error.value)


# ---- snapshot


def test_a_commit_keeps_what_the_refresh_said(home: Home) -> None:
    file = write_file(home, LINKS, links([3, 1], 1), 1, "t1")
    said = Snapshot(
        0,
        "",
        {LINKS: replace(home, LINKS, [file])},
        sources={"pubmed": {"files": [["pubmed26n0001.xml.gz", "abc", 1]], "none": None}},
        watermarks={"pubmed": 1335},
        versions={"rules": "1"},
    )
    done = commit(home, said)
    assert current(home) == done
    assert (done.sources, done.watermarks, done.versions) == (
        said.sources,
        said.watermarks,
        said.versions,
    )
    assert (done.id, next_id(home)) == (1, 2)
    assert home.current.read_text() == "000001.json\n"


def test_nothing_committed_is_none_and_a_reader_is_told_what_to_run(home: Home) -> None:
    assert current(home) is None
    with pytest.raises(NoSnapshotError, match="evidence refresh"):
        connect(home)


@pytest.mark.parametrize("text", ["", "garbage", "../../etc/passwd", "000009.json", "\x00\xff"])
def test_a_damaged_current_names_itself_and_the_way_back(home: Home, text: str) -> None:
    commit_tokens(home, 1, 2)
    home.current.write_text(text, encoding="latin-1")
    with pytest.raises(StoreError) as damaged:
        current(home)
    message = one_line(damaged)
    assert f"echo 000002.json > {home.current}" in message


@pytest.mark.parametrize("damage", ["truncated", "altered", "gone", "no json", "newer format"])
def test_a_damaged_manifest_names_itself_and_the_way_back(home: Home, damage: str) -> None:
    commit_tokens(home, 1, 2)
    path = home.snapshots / "000002.json"
    text = path.read_text()
    new = {
        "truncated": text[: len(text) // 2],
        "altered": text.replace('"rows": 2', '"rows": 3', 1),
        "no json": "[]",
        "newer format": text.replace('"format": 1', '"format": 99'),
    }
    path.unlink() if damage == "gone" else path.write_text(new[damage])
    with pytest.raises(StoreError) as damaged:
        current(home)
    message = one_line(damaged)
    assert str(path) in message
    if damage != "newer format":
        assert f"echo 000001.json > {home.current}" in message
        home.current.write_text("000001.json\n")
        assert visible(home, current(home).tables[LINKS])  # type: ignore[union-attr]


def test_a_commit_refuses_files_that_are_not_there(home: Home) -> None:
    commit_tokens(home, 1)
    file = write_file(home, LINKS, links([1], 2), 2, "t2")
    (home.root / file.path).unlink()
    with pytest.raises(StoreError, match="nothing was committed"):
        commit(home, Snapshot(0, "", {LINKS: replace(home, LINKS, [file])}))
    done = current(home)
    assert done
    assert done.id == 1


# ---- retention


def test_three_snapshots_stay_and_the_rest_goes_after_the_grace(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit_tokens(home, 1, 2, 3, 4, 5)
    assert len(list(home.snapshots.iterdir())) == 5  # all within the hour of grace
    monkeypatch.setenv("EVIDENCE_RETENTION_GRACE", "0")
    time.sleep(0.02)
    commit_tokens(home, 6)
    assert sorted(p.name for p in home.snapshots.iterdir()) == [
        "000004.json",
        "000005.json",
        "000006.json",
    ]
    tokens = {p.name.split(".")[0] for p in (home.tables / LINKS).iterdir()}
    assert tokens == {"t4", "t5", "t6"}


def test_a_reader_keeps_the_snapshot_it_opened(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    commit_tokens(home, 1)
    with connect(home) as con:
        commit_tokens(home, 2, 3, 4, 5)
        assert con.execute(f"select min(nct_id) from {LINKS}").fetchall() == [("NCT00000100",)]


def test_scratch_of_killed_runs_goes_after_a_day(home: Home) -> None:
    commit_tokens(home, 1)
    old, young = home.staging / "aact-1" / "postgres.dmp", home.staging / "duckdb" / "spill.tmp"
    for path, age in ((old, 90_000), (young, 4_000)):
        path.parent.mkdir(parents=True)
        path.write_bytes(b"x")
        os.utime(path, (time.time() - age, time.time() - age))
    commit_tokens(home, 2)
    assert (old.exists(), young.exists()) == (False, True)


def test_orphans_of_a_killed_run_go_once_older_than_the_grace(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    orphan = write_file(home, LINKS, links([1], 9), 9, "orphan")
    half = [home.tables / LINKS / ".x.tmp", home.snapshots / ".000001.json.1.tmp"]
    half.append(home.root / ".warehouse.duckdb.1.tmp")
    for path in half:
        path.touch()
    commit_tokens(home, 1)
    assert (home.root / orphan.path).exists()
    old = time.time() - 3601
    for path in (home.root / orphan.path, *half):
        os.utime(path, (old, old))
    commit_tokens(home, 2)
    assert not [p for p in (home.root / orphan.path, *half) if p.exists()]


def test_a_manifest_that_was_never_committed_is_dropped_and_its_id_not_used_again(
    home: Home,
) -> None:
    commit_tokens(home, 1, 2)
    home.current.write_text("000001.json\n")  # as if killed just before the rename
    assert commit_tokens(home, 3).id == 3
    assert [p.name for p in manifests(home)] == ["000001.json", "000003.json"]


def test_an_unreadable_manifest_stops_the_removal_of_files(
    home: Home, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("EVIDENCE_RETENTION_GRACE", "0")
    commit_tokens(home, 1, 2)
    (home.snapshots / "000001.json").write_text("{")
    done = commit_tokens(home, 3)
    assert current(home) == done
    assert "000001.json" in caplog.text
    assert len(list((home.tables / LINKS).iterdir())) == 3


# ---- files


def test_files_are_sorted_checked_and_never_overwritten(home: Home) -> None:
    first = write_file(home, LINKS, links([5, 1, 3], 1), 7, "same")
    second = write_file(home, LINKS, links([2], 2), 7, "same")
    assert first.path != second.path
    assert (first.rows, first.min_key, first.max_key, first.seq) == (3, 1, 5, 7)
    assert pq.read_table(home.root / first.path).column("pmid").to_pylist() == [1, 3, 5]
    assert first.bytes == (home.root / first.path).stat().st_size


@pytest.mark.parametrize("limit", [0, 1 << 30])
def test_a_stream_is_sorted_in_memory_or_on_disk(
    home: Home, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(files, "IN_MEMORY", limit)
    monkeypatch.setattr(files, "GROUP_ROWS_LEAST", 100)
    monkeypatch.setattr(files, "GROUP_ROWS", 100)
    parts = [links(range(start, 1000, 7), 1, repeat=2) for start in (3, 0, 5, 1, 6, 2, 4)]
    file = write_file(home, LINKS, iter(parts), None, "stream")
    stored = pq.ParquetFile(home.root / file.path)
    keys = list(
        zip(*(stored.read().column(c).to_pylist() for c in ("pmid", "nct_id")), strict=True)
    )
    assert keys == sorted(keys)
    assert (file.rows, file.min_key, file.max_key) == (2000, 0, 999)
    assert stored.num_row_groups == 20
    assert stored.schema_arrow.equals(TABLES[LINKS].arrow)
    reader = pa.Table.from_batches(stored.read().to_batches(100)).to_reader(100)
    assert write_file(home, LINKS, reader, None, "again").checksum == file.checksum


def test_a_stream_without_rows_is_an_empty_file(home: Home) -> None:
    file = write_file(home, LINKS, iter([]), 1, "none")
    assert (file.rows, file.min_key) == (0, None)
    assert visible(home, replace(home, LINKS, [file])) == []


def test_rows_that_do_not_fit_leave_no_file(home: Home) -> None:
    bad = links([1], 1).set_column(2, "source", pa.array(["rumour"]))
    with pytest.raises(SchemaError, match="rumour"):
        write_file(home, LINKS, bad, 1, "bad")
    with pytest.raises(SchemaError):
        write_file(home, LINKS, iter([links([1], 1), bad]), 1, "bad")
    assert list((home.tables / LINKS).iterdir()) == []


def test_an_unknown_table_is_named(home: Home) -> None:
    with pytest.raises(StoreError, match="'nonsense'"):
        write_file(home, "nonsense", links([1], 1), 1, "x")


# ---- keyed tables


def test_a_first_load_adopts_files_and_rewrites_only_those_with_losers(home: Home) -> None:
    changes = [put(home, 1, [1, 2]), put(home, 2, [3, 4]), put(home, 3, [4, 5])]
    state, changed = apply(home, LINKS, TableState(), changes)
    paths = [f.path for f in state.base]
    assert paths[0] == changes[0].rows.path  # type: ignore[union-attr]
    assert "adopted" in paths[1]
    assert paths[2] == changes[2].rows.path  # type: ignore[union-attr]
    assert (state.deltas, state.latest) == ((), None)
    assert changed.to_pylist() == [1, 2, 3, 4, 5]


def test_a_day_rewrites_nothing_but_latest(home: Home) -> None:
    state, _ = apply(home, LINKS, TableState(), [put(home, 1, list(range(1000)))])
    after, changed = apply(home, LINKS, state, [put(home, 2, [5, 2000])])
    assert after.base == state.base
    assert after.latest
    assert after.latest.rows == 2
    assert (after.rows, changed.to_pylist()) == (1001, [5, 2000])


def test_deltas_merge_only_when_there_are_too_many(home: Home) -> None:
    state, _ = apply(home, LINKS, TableState(), [put(home, 1, [1, 2, 3])])
    for seq in range(2, 27):
        state, _ = apply(home, LINKS, state, [put(home, seq, [1, seq])])
        if len(state.deltas) <= 24:
            assert compact(home, LINKS, state) is state
    rows = visible(home, state)
    merged = compact(home, LINKS, state)
    assert (len(merged.deltas), merged.base, visible(home, merged)) == (1, state.base, rows)
    whole = compact(home, LINKS, merged, force=True)
    assert (len(whole.base), whole.deltas, whole.latest) == (1, (), None)
    assert visible(home, whole) == rows


def test_a_change_that_names_a_pmid_twice_is_refused(home: Home) -> None:
    twice = Change(4, None, touched([(1, "delete", None), (1, "put", 1)]))
    with pytest.raises(StoreError, match="change 4 touches a PMID twice"):
        apply(home, LINKS, TableState(), [twice])


def test_a_citation_goes_in_and_comes_out_as_it_was(home: Home) -> None:
    rows = citations([7, 3], 1)
    state = replace(home, "citations", [write_file(home, "citations", rows, 1, "c")])
    with connect(home, Snapshot(1, "", {"citations": state})) as con:
        out = con.sql("select * from citations order by pmid").to_arrow_table()
    assert out.to_pylist() == rows.sort_by("pmid").to_pylist()


# ---- views


def test_tables_without_files_are_empty_views_of_the_declared_types(home: Home) -> None:
    with connect(home, Snapshot(1, "", {})) as con:
        for name, table in TABLES.items():
            found = con.execute(f"select * from {name}")
            assert found.fetchall() == []
            described = con.execute(f"describe {name}").fetchall()
            wanted = [(c.name, duck_type(c.type).replace('"', "")) for c in table.columns]
            assert [(d[0], d[1].replace('"', "")) for d in described] == wanted


def test_the_duckdb_file_opens_alone_and_explains_itself(home: Home) -> None:
    done = commit_tokens(home, 1)
    with duckdb.connect(str(home.duckdb), read_only=True) as con:
        assert con.execute(f"select count(*) from {LINKS}").fetchall() == [(2,)]
        about = con.execute(
            "select comment from duckdb_columns() where table_name = ? and column_name = 'pmid'",
            [LINKS],
        ).fetchall()
        assert about == [("PubMed identifier",)]
        uncommented = con.execute(
            "select view_name from duckdb_views() where not internal and comment is null"
        ).fetchall()
        assert uncommented == [("evidence_snapshot",)]
        assert con.execute("select id from evidence_snapshot").fetchall() == [(done.id,)]
    with duckdb.connect() as con:
        con.execute(home.views_sql.read_text())
        assert con.execute(f"select count(*) from {LINKS}").fetchall() == [(2,)]
    assert "*.parquet" not in home.views_sql.read_text()


def test_a_missing_data_file_is_one_line(home: Home) -> None:
    done = commit_tokens(home, 1)
    (home.root / done.tables[LINKS].base[0].path).unlink()
    with pytest.raises(StoreError) as missing:
        connect(home)
    assert "t1." in one_line(missing)


# ---- faults of the disk


def test_the_home_is_the_one_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_HOME", str(tmp_path / "env"))
    assert open_home(None).root == tmp_path / "env"
    assert open_home(tmp_path / "said").root == tmp_path / "said"
    monkeypatch.delenv("EVIDENCE_HOME")
    assert open_home(None).root.is_absolute()
    assert not (tmp_path / "env").exists()


def test_an_unwritable_home_is_one_line_that_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for root in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/evidence")):
        with pytest.raises(StoreError) as unwritable:
            prepare(open_home(root))
        assert str(root) in one_line(unwritable)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MB."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command here")
    if done.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {done.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=False)


def test_a_full_disk_is_one_line_and_the_snapshot_stays(small_disk: Path) -> None:
    home = open_home(small_disk / "home")
    prepare(home)
    file = write_file(home, LINKS, links([1, 2], 1), 1, "t1")
    state = replace(home, LINKS, [file])
    done = commit(home, Snapshot(0, "", {LINKS: state}))
    big = links(range(40_000), 2)
    with pytest.raises(StoreError) as full:
        for _ in range(50):
            write_file(home, LINKS, big, 2, "big")
    message = one_line(full)
    assert "no space left" in message
    assert "the last snapshot is intact" in message
    assert current(home) == done
    assert len(visible(home, state)) == 2
    assert not list(home.tables.rglob(".*"))


def test_a_disk_that_fills_during_the_commit_leaves_the_snapshot(small_disk: Path) -> None:
    home = open_home(small_disk / "home")
    prepare(home)
    first = replace(home, LINKS, [write_file(home, LINKS, links([1], 1), 1, "t1")])
    done = commit(home, Snapshot(0, "", {LINKS: first}))
    second = replace(home, LINKS, [write_file(home, LINKS, links([2], 2), 2, "t2")])
    with (home.root / "filler").open("wb", buffering=0) as filler:
        try:
            while filler.write(b"x" * 4096):
                pass
        except OSError:
            pass
    with pytest.raises(StoreError) as full:
        commit(home, Snapshot(0, "", {LINKS: second}))
    assert "no space left" in one_line(full)
    assert current(home) == done
    (home.root / "filler").unlink()
    again = commit(home, Snapshot(0, "", {LINKS: second}))
    assert current(home) == again
    with duckdb.connect(str(home.duckdb), read_only=True) as con:
        assert con.execute(f"select pmid from {LINKS}").fetchall() == [(2,)]


def test_the_manifest_is_plain_json(home: Home) -> None:
    done = commit_tokens(home, 1)
    said = json.loads((home.snapshots / "000001.json").read_text())["snapshot"]
    assert said["tables"][LINKS]["base"][0]["path"] == done.tables[LINKS].base[0].path
    assert DataFile(**said["tables"][LINKS]["base"][0]) == done.tables[LINKS].base[0]
