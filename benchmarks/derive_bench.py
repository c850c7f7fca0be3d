"""Links, journal metrics, facts and grades of a whole synthetic corpus: seconds and peak memory.

    python -m benchmarks.derive_bench [--rows 500000 2000000] [--width 400] [--folder DIR]

Each size runs in a process of its own after its citations were made; seconds a million citations
say whether a step grows faster than the corpus.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from benchmarks.synthetic import citations_only
from etl.jobs.derive import Working, derive_all
from etl.store.home import open_home
from etl.store.snapshot import EMPTY, DataFile
from etl.store.tables import replace


def make(folder: Path, rows: int, width: int) -> None:
    """Citations and signals, and the list of their files beside them."""
    work = citations_only(folder, rows, width, 2026)
    files = {name: [vars(f) for f in state.base] for name, state in work.tables.items()}
    (folder / "files.json").write_text(json.dumps(files), "utf-8")


def derive(folder: Path) -> None:
    """Prints seconds (wall and processor) and peak memory by step."""
    home = open_home(folder)
    work = Working(home, EMPTY, 2026)
    for name, files in json.loads((folder / "files.json").read_text("utf-8")).items():
        work.tables[name] = replace(home, name, [DataFile(**f) for f in files])
    millions = work.state("citations").rows / 1e6
    marks: list[tuple[str, float, float, float]] = []
    derive_all(work, lambda what: marks.append((what, *_spent())))
    marks.append(("", *_spent()))
    print(f"{millions:.1f} million citations", flush=True)
    for (name, wall, cpu, _), (_, wall_end, cpu_end, peak) in pairwise(marks):
        spent, busy = wall_end - wall, cpu_end - cpu
        print(
            f"  {name:10s}{spent:9.1f} s {busy:9.1f} cpu s {busy / millions:9.1f} a million, "
            f"peak so far {peak:.2f} GB",
            flush=True,
        )


def _spent() -> tuple[float, float, float]:
    """Seconds on the wall, of the processor, and peak memory in GB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    return time.monotonic(), time.process_time(), peak


def main() -> None:
    parser = argparse.ArgumentParser(description="Work out everything of a synthetic corpus")
    parser.add_argument("--rows", type=int, nargs="+", default=[500_000, 2_000_000])
    parser.add_argument("--width", type=int, default=400, help="characters of an abstract")
    parser.add_argument("--folder", type=Path, help="where to write; default a temporary folder")
    parser.add_argument("--derive", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.derive:
        derive(given.derive)
        return
    for rows in given.rows:
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            make(Path(folder), rows, given.width)
            again = [sys.executable, "-m", "benchmarks.derive_bench", "--derive", folder]
            subprocess.run(again, check=True)


if __name__ == "__main__":
    main()
