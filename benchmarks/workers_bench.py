"""Two local workers against one: XML.gz to stored citations and signals, as a refresh does it.

    python -m benchmarks.workers_bench [--files 8] [--records 3000] [--repeats 2]

Builds files of real records from ../shared/data/pubmed/modern000*.xml.gz under fresh PMIDs in a
temporary directory and loads them with one and with two worker processes in turn; the same map
gives out the files both times. Each worker loads a tiny file first, so that imports are not
measured. Wall seconds are the best of the repeats. They say something only on two processors that
nobody else uses: where one worker's processor seconds are far below its wall seconds, read the
share of the time for which the workers had a file, and that the processor seconds stay the same.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.parse_bench import SHARED, build
from etl.jobs.ingest import ingest_file
from etl.jobs.plan import Planned, plan
from etl.jobs.pool import LocalPool, Pool, run_all
from etl.store.home import Home, open_home, prepare


@dataclass(frozen=True)
class Took:
    """Wall seconds of all files, and the sums of their jobs' wall and processor seconds."""

    wall: float
    jobs: float
    processor: float


def timed(home: Home, planned: Planned) -> tuple[float, float]:
    """Runs in the worker: wall and processor seconds of one file."""
    start, used = time.perf_counter(), time.process_time()
    ingest_file(home, planned)
    return time.perf_counter() - start, time.process_time() - used


def load(home: Home, pool: Pool, files: Sequence[Planned]) -> Took:
    """All files on ``pool``."""
    start = time.perf_counter()
    results = [r for _, r in run_all(home, pool, partial(timed, home), files, repr)]
    wall = time.perf_counter() - start
    done = [r for r in results if isinstance(r, tuple)]
    return Took(wall, sum(job for job, _ in done), sum(used for _, used in done))


def measure(workers: int, tiny: Sequence[Planned], files: Sequence[Planned]) -> Took:
    """A fresh home and fresh workers, warmed by one tiny file each."""
    with tempfile.TemporaryDirectory(prefix="workers-bench-") as folder:
        home = open_home(Path(folder))
        prepare(home)
        pool = LocalPool(workers)
        with pool.executor:
            load(home, pool, tiny[:workers])
            return load(home, pool, files)


def planned(folder: Path, files: int, records: int) -> Sequence[Planned]:
    """``files`` files of ``records`` citations each, in their order."""
    folder.mkdir()
    for number in range(1, files + 1):
        build(folder / f"pubmed26n{number:04d}.xml.gz", records)
    return plan(sorted(folder.iterdir()), {}).todo


def main() -> int:
    """Prints the seconds of both and their ratio."""
    asked = argparse.ArgumentParser(prog="python -m benchmarks.workers_bench")
    asked.add_argument("--files", type=int, default=8)
    asked.add_argument("--records", type=int, default=3000)
    asked.add_argument("--repeats", type=int, default=2)
    options = asked.parse_args()
    if not SHARED.is_dir():
        print(f"no records at {SHARED}: nothing measured", file=sys.stderr)
        return 1
    os.environ["OMP_NUM_THREADS"] = "1"
    best: dict[int, Took] = {}
    with tempfile.TemporaryDirectory(prefix="workers-files-") as made:
        tiny = planned(Path(made) / "tiny", 2, 10)
        files = planned(Path(made) / "files", options.files, options.records)
        for _ in range(options.repeats):
            for workers in (1, 2):
                took = measure(workers, tiny, files)
                show(workers, took, options.files * options.records)
                best[workers] = min(best.get(workers, took), took, key=lambda t: t.wall)
    print(f"two workers against one: x {best[1].wall / best[2].wall:.2f} (to reach 1.7)")
    return 0


def show(workers: int, took: Took, records: int) -> None:
    """One line; the load is that of the whole machine over the last minute."""
    busy = took.jobs / took.wall / workers
    print(
        f"workers {workers}  {took.wall:6.2f} s  {records / took.wall:>7,.0f} citations/s  "
        f"processor {took.processor:6.2f} s  busy {busy:4.0%}  "
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
