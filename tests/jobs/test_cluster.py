"""The map over files on a real Dask cluster: a scheduler and workers as other processes."""

import shutil
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from etl.errors import StoreError, TransientSourceError, UsageError
from etl.jobs import cluster as module
from etl.jobs import ingest
from etl.jobs.code import code_digest
from etl.jobs.pool import WorkerDiedError, attempt, executor, run_all
from etl.jobs.refresh import Progress, refresh
from etl.jobs.request import Request
from etl.store.home import Home, open_home, prepare
from tests.jobs import deadly
from tests.jobs.dask_cluster import cluster, kill
from tests.jobs.warehouses import assert_same, deliveries, delivery
from tests.run import ROOT, evidence


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = open_home(tmp_path / "home")
    prepare(home)
    return home


class KillsAWorkerThatWorks(Progress):
    """After the second file: ends one of the worker processes that has a file under way."""

    def __init__(self, pids: set[int], home: Home) -> None:
        self.pids, self.home = pids, home
        self.files = 0
        self.killed: int | None = None

    def step(self, what: str) -> None:
        self.files += what.endswith(".gz")
        if self.files == 2 and self.killed is None:
            at_work = {
                int(p.read_text().split()[1]) for p in self.home.staging.glob("attempts-*/*")
            }
            self.killed = min(at_work & self.pids)
            kill(self.killed)


def test_a_worker_killed_in_the_middle_leaves_the_snapshot_of_a_local_run(tmp_path: Path) -> None:
    files = deliveries(tmp_path / "pubmed", 8, records=150)
    local, dask = open_home(tmp_path / "local"), open_home(tmp_path / "dask")
    refresh(local, Request(pubmed=(str(files),)))
    with cluster(tmp_path / "cluster", 2) as two:
        killing = KillsAWorkerThatWorks({w.pid for w in two.workers}, dask)
        report = refresh(dask, Request(pubmed=(str(files),), cluster=two.address), killing)
        gone = [w.pid for w in two.workers if w.poll() is not None]
    assert report.failed == []
    assert len(report.done) == 8
    assert gone == [killing.killed]
    assert_same(local, dask)
    assert list(dask.staging.glob("attempts-*")) == []


def test_a_file_that_ends_every_worker_is_named_and_the_rest_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = deliveries(tmp_path / "pubmed", 4)
    delivery(files / "poison.xml.gz", 5)
    local, dask = open_home(tmp_path / "local"), open_home(tmp_path / "dask")
    monkeypatch.setattr(ingest, "_guarded", deadly.guarded)
    with cluster(tmp_path / "cluster", 2, "--nanny") as two:
        report = refresh(dask, Request(pubmed=(str(files),), cluster=two.address))
    assert [f.name for f in report.failed] == ["poison.xml.gz"]
    assert "poison.xml.gz: its worker died 3 times" in report.failed[0].error
    assert deadly.tries(dask, "poison.xml.gz") == 3
    assert len(report.done) == 4
    (files / "poison.xml.gz").unlink()
    monkeypatch.undo()
    refresh(local, Request(pubmed=(str(files),)))
    assert_same(local, dask)


def test_workers_with_several_threads_blame_the_guilty_job(home: Home, tmp_path: Path) -> None:
    jobs = [(tmp_path, n) for n in (1, -1, 2, 3, 4, 5)]
    with (
        cluster(tmp_path / "cluster", 1, "--nanny", "--nthreads", "4") as one,
        executor(1, one.address) as pool,
    ):
        ended = run_all(home, pool, deadly.ends_at, jobs, lambda job: f"job {job[1]}")
        results = {job[1]: result for job, result in ended}
    assert isinstance(results.pop(-1), WorkerDiedError)
    assert results == {n: 2 * n for n in range(1, 6)}


def test_nobody_at_the_address_is_one_line(tmp_path: Path) -> None:
    files = deliveries(tmp_path / "pubmed", 1)
    said = evidence(
        "refresh", "--home", tmp_path / "home", "--pubmed", files, "--cluster", "tcp://127.0.0.1:9"
    )
    assert said.code == 1
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0-OpenSSH_9.9\r\n"])
def test_what_is_no_scheduler_is_not_waited_for(
    greeting: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        answering = threading.Thread(target=_greet, args=(other, greeting))
        answering.start()
        with pytest.raises(TransientSourceError, match="no Dask scheduler answers"):
            executor(1, address).__enter__()
        answering.join()


def _greet(other: socket.socket, greeting: bytes) -> None:
    talk, _ = other.accept()
    with talk, suppress(ConnectionError):
        talk.sendall(greeting)
        talk.recv(1)  # until the other side gives up


@pytest.mark.parametrize("address", ["here", "tcp://127.0.0.1", "tcp://h:99999", "http://h:1"])
def test_what_is_no_address_is_a_usage_error(address: str) -> None:
    with pytest.raises(UsageError, match="tcp://HOST:PORT"), executor(1, address):
        pass


def test_workers_or_a_cluster_not_both(tmp_path: Path) -> None:
    said = evidence(
        "refresh", "--home", tmp_path, "--workers", "2", "--cluster", "tcp://127.0.0.1:9"
    )
    assert said.code == 2
    assert "--workers and --cluster" in said.err


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(UsageError, match=r"pip install 'evidence-warehouse\[cluster\]'"),
        executor(1, "tcp://127.0.0.1:9"),
    ):
        pass


def test_a_cluster_without_workers_is_not_waited_for_ever(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 1.0)
    with (
        cluster(tmp_path / "cluster", 0) as empty,
        executor(1, empty.address) as pool,
        pytest.raises(TransientSourceError, match=r"no worker for 1 s.*dask worker tcp://"),
    ):
        list(run_all(home, pool, deadly.ends_at, [(tmp_path, 1)], str))


def test_a_scheduler_that_goes_away_ends_the_refresh(home: Home, tmp_path: Path) -> None:
    with (
        cluster(tmp_path / "cluster", 1) as one,
        executor(1, one.address) as pool,
        pytest.raises(TransientSourceError, match="was lost while files were being parsed"),
    ):
        jobs = [(tmp_path, n) for n in range(9)]
        for _ in run_all(home, pool, deadly.ends_at, jobs, str):
            kill(one.processes[0].pid)


def test_a_worker_that_does_not_see_the_home_says_so(home: Home) -> None:
    with pytest.raises(StoreError, match="must be on a file system that all workers share"):
        attempt(home.staging / "elsewhere" / "0", code_digest(), deadly.raises, "never")


def test_a_worker_without_our_packages_is_a_usage_error(home: Home, tmp_path: Path) -> None:
    hides_ours = tmp_path / "empty" / "etl" / "__init__.py"
    hides_ours.parent.mkdir(parents=True)
    hides_ours.touch()
    with cluster(tmp_path / "cluster", 0) as bare:
        bare.start_worker(code=tmp_path / "empty")
        with (
            executor(1, bare.address) as pool,
            pytest.raises(UsageError, match=r"cannot import evidence-warehouse.*: install it"),
        ):
            list(run_all(home, pool, deadly.ends_at, [(tmp_path, 1)], str))


def test_a_worker_with_other_code_is_a_usage_error(home: Home, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for package in ("etl", "sql", "tests/jobs"):
        shutil.copytree(ROOT / package, other / package)
    for helper in (ROOT / "tests").glob("*.py"):
        shutil.copy(helper, other / "tests")
    changed = other / "etl" / "text" / "numbers.py"
    changed.write_text(changed.read_text() + "# another version\n")
    with cluster(tmp_path / "cluster", 0) as old:
        old.start_worker(code=other)
        with (
            executor(1, old.address) as pool,
            pytest.raises(UsageError, match="runs another version of evidence-warehouse"),
        ):
            list(run_all(home, pool, deadly.ends_at, [(tmp_path, 1)], str))
