"""The map over files on local processes: same rows, and workers that die."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from etl.jobs import ingest as module
from etl.jobs.pool import WorkerDiedError, executor, run_all
from etl.jobs.refresh import Progress, refresh
from etl.jobs.request import Request
from etl.store.home import Home, open_home, prepare
from tests.jobs import deadly
from tests.jobs.warehouses import assert_same, content, deliveries, delivery
from tests.run import ROOT


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = open_home(tmp_path / "home")
    prepare(home)
    return home


def until(true: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.05)


def test_two_workers_give_the_same_snapshot_as_none(tmp_path: Path) -> None:
    files = deliveries(tmp_path / "pubmed", 4)
    one, two = open_home(tmp_path / "one"), open_home(tmp_path / "two")
    refresh(one, Request(pubmed=(str(files),)))
    refresh(two, Request(pubmed=(str(files),), workers=2))
    assert_same(one, two)
    assert list(two.staging.glob("attempts-*")) == []


def test_a_killed_worker_costs_nothing_but_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = deliveries(tmp_path / "pubmed", 4)
    delivery(files / "unlucky.xml.gz", 5)
    one, two = open_home(tmp_path / "one"), open_home(tmp_path / "two")
    refresh(one, Request(pubmed=(str(files),)))
    monkeypatch.setattr(module, "_guarded", deadly.guarded)
    report = refresh(two, Request(pubmed=(str(files),), workers=2))
    assert report.failed == []
    assert deadly.tries(two, "unlucky.xml.gz") == 2
    assert_same(one, two)


def test_a_file_that_ends_every_worker_is_named_and_the_rest_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = deliveries(tmp_path / "pubmed", 4)
    delivery(files / "poison.xml.gz", 5)
    one, two = open_home(tmp_path / "one"), open_home(tmp_path / "two")
    monkeypatch.setattr(module, "_guarded", deadly.guarded)
    report = refresh(two, Request(pubmed=(str(files),), workers=2))
    assert [f.name for f in report.failed] == ["poison.xml.gz"]
    assert "poison.xml.gz: its worker died 3 times" in report.failed[0].error
    assert report.exit_code == 3
    assert deadly.tries(two, "poison.xml.gz") == 3
    assert [deadly.tries(two, f"pubmed26n{n:04d}.xml.gz") for n in range(1, 5)] == [1] * 4
    (files / "poison.xml.gz").unlink()
    monkeypatch.undo()
    refresh(one, Request(pubmed=(str(files),)))
    assert_same(one, two)


def test_the_named_file_is_tried_again_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = deliveries(tmp_path / "pubmed", 2)
    delivery(files / "poison.xml.gz", 3)
    home = open_home(tmp_path / "home")
    monkeypatch.setattr(module, "_guarded", deadly.guarded)
    refresh(home, Request(pubmed=(str(files),), workers=2))
    monkeypatch.undo()
    again = refresh(home, Request(pubmed=(str(files),), workers=2))
    assert (again.done, again.failed) == (["poison.xml.gz"], [])
    # the place of a name that is not NLM's is before theirs, also when it comes later
    assert content(home)["citations"].num_rows == 3 * 40


def test_only_the_guilty_job_is_blamed(home: Home, tmp_path: Path) -> None:
    jobs = [(tmp_path, n) for n in (-1, 1, -2, 2, 3)]
    with executor(3) as pool:
        ended = run_all(home, pool, deadly.ends_at, jobs, lambda job: f"job {job[1]}")
        results = {job[1]: result for job, result in ended}
    died = {n for n, result in results.items() if isinstance(result, WorkerDiedError)}
    assert died == {-1, -2}
    assert {n: results[n] for n in results.keys() - died} == {n: 2 * n for n in (1, 2, 3)}
    for n in died:
        assert len(list(tmp_path.glob(f"*-{n}"))) == 3


def test_a_worker_killed_from_outside_while_it_works(home: Home, tmp_path: Path) -> None:
    go = tmp_path / "go"
    steps: list[int] = []
    with executor(2) as pool:
        ended = run_all(home, pool, deadly.waits_for, [go, go], str)
        killer = subprocess.Popen([sys.executable, "-c", KILL_FIRST, tmp_path])
        steps = [result for _, result in ended if isinstance(result, int)]
        assert killer.wait(30) == 0
    begun = {int(p.name.removeprefix("begun-")) for p in tmp_path.glob("begun-*")}
    killed = int((tmp_path / "killed").read_text())
    assert len(begun) == 3
    assert set(steps) == begun - {killed}


KILL_FIRST = """
import os, pathlib, signal, sys, time
folder = pathlib.Path(sys.argv[1])
while len(list(folder.glob("begun-*"))) < 2:
    time.sleep(0.05)
pid = int(sorted(folder.glob("begun-*"))[0].name.removeprefix("begun-"))
os.kill(pid, signal.SIGKILL)
(folder / "killed").write_text(str(pid))
while len(list(folder.glob("begun-*"))) < 3:
    time.sleep(0.05)
(folder / "go").touch()
"""


def test_a_fault_of_ours_in_a_worker_ends_the_map(home: Home) -> None:
    with executor(2) as pool, pytest.raises(ZeroDivisionError, match="of ours"):
        list(run_all(home, pool, deadly.raises, ["of ours", "of ours"], str))
    assert list(home.staging.glob("attempts-*")) == []


def test_no_more_jobs_are_under_way_than_there_are_workers(home: Home, tmp_path: Path) -> None:
    jobs = [(tmp_path, n) for n in range(20)]
    with executor(2) as pool:
        for ended, _ in enumerate(run_all(home, pool, deadly.ends_at, jobs, str), 1):
            assert len(list(tmp_path.iterdir())) <= ended + 2


WAITING_REFRESH = """
import pathlib, sys
from etl.jobs.pool import executor, run_all
from etl.store.home import open_home, prepare
from tests.jobs import deadly
if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    home = open_home(folder / "home")
    prepare(home)
    with executor(2) as pool:
        list(run_all(home, pool, deadly.waits_for, [folder / "never"] * 2, str))
"""


def test_workers_end_when_the_refresh_is_killed(tmp_path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", WAITING_REFRESH, tmp_path], cwd=ROOT)
    until(lambda: len(list(tmp_path.glob("begun-*"))) == 2)
    workers = [int(p.name.removeprefix("begun-")) for p in tmp_path.glob("begun-*")]
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    until(lambda: not any(_alive(pid) for pid in workers))


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


class Steps(Progress):
    def __init__(self) -> None:
        self.seen: list[str] = []

    def step(self, what: str) -> None:
        self.seen.append(what)


def test_words_are_read_again_by_the_same_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = deliveries(tmp_path / "pubmed", 3)
    home = open_home(tmp_path / "home")
    refresh(home, Request(pubmed=(str(files),)))
    before = content(home)["citation_signals"]
    monkeypatch.setattr("etl.jobs.refresh.EXTRACTOR_VERSION", "newer")
    monkeypatch.setattr("etl.jobs.derive.RANGE_ROWS", 30)
    steps = Steps()
    refresh(home, Request(workers=2), steps)
    assert steps.seen.count("words") > 2
    assert content(home)["citation_signals"].equals(before)
