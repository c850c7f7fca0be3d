"""kill -9 at any moment of a refresh, and readers that look on while it runs."""

import multiprocessing
import os
import random
import signal
import time
from pathlib import Path

from etl.jobs.refresh import refresh
from etl.jobs.request import Request
from etl.store.home import open_home
from etl.store.snapshot import current
from etl.store.views import connect
from tests.pubmed_xml import RCT, article, deletes, write

KILLS = 60
# A server that has imported everything: a refresh then takes parts of a second, so that the
# kills fall into the refresh and not into the imports.
CONTEXT = multiprocessing.get_context("forkserver")


def daily_file(folder: Path, day: int) -> Path:
    """Day n revises three citations, adds one and deletes one; titles name the day."""
    return write(
        folder / f"pubmed26n{day:04d}.xml.gz",
        *(article(pmid, f"day {day}", types=[RCT], abstract="") for pmid in (1, 2, 3)),
        article(100 + day, f"day {day}"),
        deletes(100 + day - 1),
    )


def run_refresh(home: Path, folder: Path) -> None:
    refresh(open_home(home), Request(pubmed=(str(folder),)))


def state(home: Path) -> tuple[int, set[str], int, int]:
    """Day by the watermark, titles of the revised three, citations, grades: what a reader sees."""
    opened = open_home(home)
    snapshot = current(opened)
    assert snapshot is not None
    with connect(opened, snapshot) as con:
        titles = con.execute("select distinct title from citations where pmid <= 3").fetchall()
        citations = con.execute("select count(*) from citations").fetchall()[0][0]
        grades = con.execute("select count(*) from graded join citations using (pmid)").fetchall()[
            0
        ][0]
    day = int(snapshot.watermarks["pubmed_file"][9:13])
    return day, {title for (title,) in titles}, citations, grades


def test_kill_at_any_moment_leaves_a_readable_snapshot_and_the_next_run_completes(
    tmp_path: Path,
) -> None:
    CONTEXT.set_forkserver_preload(["tests.e2e.test_kill"])
    home, folder = tmp_path / "home", tmp_path / "pubmed"
    folder.mkdir()
    daily_file(folder, 1)
    started = time.monotonic()
    run_refresh(home, folder)
    usual = time.monotonic() - started
    chance = random.Random(20261130)
    landed = 0
    for day in range(2, KILLS + 2):
        daily_file(folder, day)
        worker = CONTEXT.Process(target=run_refresh, args=(home, folder))
        worker.start()
        time.sleep(chance.uniform(0, usual * 1.2))
        if worker.is_alive():
            landed += 1
            os.kill(worker.pid or 0, signal.SIGKILL)
        worker.join()
        seen, titles, citations, grades = state(home)
        assert (titles, citations, grades) == ({f"day {seen}"}, 4, 4)
        run_refresh(home, folder)
        assert state(home) == (day, {f"day {day}"}, 4, 4)
    assert landed >= KILLS / 3


def look_on(home: Path, until: Path, found: "multiprocessing.Queue[tuple[int, str]]") -> None:
    looks = 0
    while not until.exists():
        seen, titles, citations, grades = state(home)
        looks += 1
        if (titles, citations, grades) != ({f"day {seen}"}, 4, 4):
            found.put((seen, f"{titles} {citations} {grades}"))
            return
    found.put((looks, "whole"))


def test_a_reader_never_sees_two_snapshots_mixed(tmp_path: Path) -> None:
    home, folder, until = tmp_path / "home", tmp_path / "pubmed", tmp_path / "until"
    folder.mkdir()
    daily_file(folder, 1)
    run_refresh(home, folder)
    found: multiprocessing.Queue[tuple[int, str]] = CONTEXT.Queue()
    reader = CONTEXT.Process(target=look_on, args=(home, until, found))
    reader.start()
    for day in range(2, 12):
        daily_file(folder, day)
        run_refresh(home, folder)
    until.touch()
    looks, verdict = found.get(timeout=30)
    reader.join()
    assert verdict == "whole"
    assert looks >= 10


def test_a_reader_keeps_the_snapshot_that_it_opened(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "pubmed"
    folder.mkdir()
    daily_file(folder, 1)
    run_refresh(home, folder)
    opened = open_home(home)
    with connect(opened, current(opened)) as con:
        for day in range(2, 8):
            daily_file(folder, day)
            run_refresh(home, folder)
        titles = con.execute("select distinct title from citations where pmid <= 3").fetchall()
    assert titles == [("day 1",)]
