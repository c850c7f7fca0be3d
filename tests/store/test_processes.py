"""Real processes: killed writers, readers during commits, and the race for the lock.

``EVIDENCE_KILLS=60`` kills as often as the goal says; the default keeps the suite quick.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from store_helpers import LINKS
from worker import pmids

from etl.errors import LockedError
from etl.store.home import Home
from etl.store.lock import owner, refresh_lock
from etl.store.snapshot import current, manifests, read
from etl.store.views import connect, ensure_derived

KILLS = int(os.environ.get("EVIDENCE_KILLS", "12"))
HERE = Path(__file__).parent


class Workers:
    """Children started by one worker process."""

    def __init__(self) -> None:
        paths = os.pathsep.join([str(HERE), str(HERE.parents[1])])
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": paths, "EVIDENCE_RETENTION_GRACE": "0"},
        )

    def start(self, action: str, home: Home) -> int:
        """The process id of a new child."""
        return self._ask(f"{action} {home.root}")

    def end(self, pid: int) -> int:
        """How the child ended; waits for it."""
        return self._ask(f"wait {pid}")

    def kill(self, pid: int) -> None:
        """Kills the child as an operator or the system would, without notice."""
        os.kill(pid, signal.SIGKILL)
        assert self.end(pid) == -signal.SIGKILL

    def close(self) -> None:
        """Ends the worker process."""
        self._process.communicate(timeout=30)

    def _ask(self, line: str) -> int:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


@pytest.fixture
def workers() -> Iterator[Workers]:
    """Starts children; ends them all."""
    made = Workers()
    yield made
    made.close()


def check(con: duckdb.DuckDBPyConnection) -> int:
    """The token of the snapshot that ``con`` sees; every table must be whole and agree."""
    tree = con.execute("select distinct ui from mesh_tree").fetchall()
    assert len(tree) == 1
    token = int(tree[0][0][1:])
    assert con.execute("select count(*) from mesh_tree").fetchall() == [(50,)]
    wanted = {p: n for n in range(1, token + 1) for p in pmids(n)}
    rows = con.execute(f"select pmid, nct_id from {LINKS} order by 1").fetchall()
    assert rows == [(p, f"NCT{n:06d}00") for p, n in sorted(wanted.items())]
    return token


def test_a_killed_writer_leaves_the_last_snapshot_and_the_next_run_completes(
    home: Home, workers: Workers
) -> None:
    draw = random.Random(7)
    token = 0
    for _ in range(KILLS):
        pid = workers.start("loop", home)
        time.sleep(draw.uniform(0, 0.5))
        workers.kill(pid)
        if current(home):
            with connect(home) as con:
                seen = check(con)
            assert seen >= token
            token = seen
        assert workers.end(workers.start("once", home)) == 0
        with connect(home) as con:
            assert check(con) == token + 1
        token += 1
        with duckdb.connect(str(home.duckdb), read_only=True) as con:
            assert check(con) == token
    # what killed runs left behind is gone: each table has files of kept snapshots only
    assert len(list(home.snapshots.iterdir())) <= 4
    assert not list(home.root.rglob(".*.tmp*"))
    named = {
        f.path for p in manifests(home) for t in read(home, p).tables.values() for f in t.files
    }
    there = {p.relative_to(home.root).as_posix() for p in home.tables.rglob("*.*")}
    assert there == named


def test_readers_never_see_two_snapshots_mixed(home: Home, workers: Workers) -> None:
    assert workers.end(workers.start("once", home)) == 0
    pid = workers.start("loop", home)
    tokens = set()
    until = time.monotonic() + 60
    try:
        while len(tokens) < 12 and time.monotonic() < until:
            with connect(home) as con:
                token = check(con)
                time.sleep(0.02)
                assert check(con) == token
            with duckdb.connect(str(home.duckdb), read_only=True) as con:
                assert check(con) >= token - 1  # derived just after the commit
            tokens.add(token)
    finally:
        workers.kill(pid)
    assert len(tokens) > 3


def test_the_duckdb_file_is_remade_when_missing_or_stale(home: Home, workers: Workers) -> None:
    assert workers.end(workers.start("once", home)) == 0
    old = home.duckdb.read_bytes()
    assert workers.end(workers.start("once", home)) == 0
    snapshot = current(home)
    assert snapshot
    for spoil in (home.duckdb.unlink, lambda: home.duckdb.write_bytes(old), home.views_sql.unlink):
        spoil()
        ensure_derived(home, snapshot)
        with duckdb.connect(str(home.duckdb), read_only=True) as con:
            assert check(con) == 2
    made = home.duckdb.stat().st_mtime_ns
    ensure_derived(home, snapshot)
    assert home.duckdb.stat().st_mtime_ns == made


def test_one_of_two_refreshes_at_once_goes_on(home: Home, workers: Workers) -> None:
    for _ in range(5):
        started = [workers.start("try", home) for _ in range(3)]
        assert sorted(workers.end(pid) for pid in started) == [0, 4, 4]
    assert owner(home) is None


def test_the_lock_names_its_owner_and_is_taken_over_when_the_owner_was_killed(
    home: Home, workers: Workers
) -> None:
    pid = workers.start("hold", home)
    while not (home.root / "held").exists():
        time.sleep(0.01)
    named = f"process {pid} on .*, started 20"
    with pytest.raises(LockedError, match=named) as refused, refresh_lock(home):
        pass
    assert "\n" not in str(refused.value)
    workers.kill(pid)  # the worker that it had started lives on
    with refresh_lock(home):
        held = owner(home)
        assert held
        assert held.pid == os.getpid()
    assert owner(home) is None


def test_one_process_cannot_take_the_lock_twice(home: Home, workers: Workers) -> None:
    with refresh_lock(home):
        with pytest.raises(LockedError), refresh_lock(home):
            pass
        assert workers.end(workers.start("try", home)) == 4
    assert workers.end(workers.start("try", home)) == 0
