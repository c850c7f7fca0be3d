"""What a day costs on a small and on a large warehouse: seconds by stage, bytes written, memory.

    python -m benchmarks.daily_bench [--small 1000000] [--large 10000000] [--records 30000]
        [--width 400] [--rounds 2] [--folder DIR]

Two synthetic warehouses are made by DuckDB through the store (benchmarks/synthetic.py); then
one real PubMed update file (60 % revisions all over the corpus, 40 % new, 50 deletes) is applied
to each by the refresh job, in a process of its own. The index of the synthetic warehouses holds
20,000 citations only, so its stage is shown apart. Each round begins from the same commit; the
round with the least processor time is shown, because wall time counts what else runs.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.synthetic import update_file, warehouse
from etl.jobs.refresh import Progress, refresh
from etl.jobs.request import Request
from etl.store.home import open_home
from etl.store.snapshot import current

REACH = 1.3  # time and bytes of the large warehouse by those of the small one


class Steps(Progress):
    """Processor seconds of every stage, and of the steps inside the stage 'evidence'."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._name, self._step = "start", ""
        self._stage_began = self._step_began = time.process_time()

    def stage(self, name: str, total: int | None = None) -> None:
        self.step("")
        now = time.process_time()
        self.spent[self._name] = now - self._stage_began
        self._name, self._stage_began = name, now

    def step(self, what: str) -> None:
        now = time.process_time()
        if self._step and self._name == "evidence":
            self.spent[f"  {self._step}"] = now - self._step_began
        self._step, self._step_began = what, now


def apply_day(folder: Path, update: Path) -> dict[str, Any]:
    """One refresh in this process: stages in seconds, bytes written, peak memory in MB."""
    home = open_home(folder)
    before = _sizes(folder)
    steps = Steps()
    wrote = _written()
    report = refresh(home, Request(pubmed=(str(update),), workers=1), steps)
    steps.stage("")
    after = _sizes(folder)
    new = {name: size for name, size in after.items() if name not in before}
    kinds = {
        "tables": sum(s for n, s in new.items() if n.startswith("tables/")),
        "index": sum(s for n, s in new.items() if n.startswith("index/")),
    }
    return {
        "failed": [f.error for f in report.failed],
        "stages": report.stages,
        "cpu": steps.spent,
        "seconds": report.seconds,
        "bytes": kinds | {"all, with scratch": _written() - wrote},
        "by_table": _by_table(new),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _sizes(folder: Path) -> dict[str, int]:
    return {
        p.relative_to(folder).as_posix(): p.stat().st_size
        for p in folder.rglob("*")
        if p.is_file() and p.stat().st_nlink == 1
    }


def _by_table(new: dict[str, int]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for name, size in new.items():
        if name.startswith("tables/"):
            table = name.split("/")[1]
            sizes[table] = sizes.get(table, 0) + size
    return sizes


def _written() -> int:
    """Bytes that this process gave to write calls."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar"))


def run_day(folder: Path, update: Path) -> dict[str, Any]:
    """``apply_day`` in a process of its own, then back to the commit that it began from."""
    kept = {name: (folder / name).read_bytes() for name in ("CURRENT", "views.sql")}
    before = set(folder.rglob("*"))
    again = [sys.executable, "-m", "benchmarks.daily_bench", "--day", str(folder), str(update)]
    out = subprocess.run(again, check=True, stdout=subprocess.PIPE, text=True).stdout
    for path in sorted(set(folder.rglob("*")) - before, reverse=True):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    for name, content in kept.items():
        (folder / name).write_bytes(content)
    return dict(json.loads(out))


def best(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    """The quickest of several rounds."""
    return min(rounds, key=lambda r: sum(r["cpu"].values()) - r["cpu"].get("index", 0.0))


def show(small: dict[str, Any], large: dict[str, Any]) -> None:
    """Both side by side with their ratios."""
    print(f"{'':28s}{'small':>14s}{'large':>14s}{'ratio':>8s}")
    for what, unit in (("stages", "seconds"), ("cpu", "cpu seconds")):
        print(f"{unit} by stage")
        for name in dict.fromkeys((*small[what], *large[what])):
            line(f"  {name}", small[what].get(name, 0.0), large[what].get(name, 0.0), "s")
        apart = [
            sum(s for n, s in r[what].items() if n != "index" and not n.startswith(" "))
            for r in (small, large)
        ]
        line(f"{unit}, index apart", *apart, "s")
    line("seconds, all", small["seconds"], large["seconds"], "s")
    for name in small["bytes"]:
        line(f"bytes: {name}", small["bytes"][name], large["bytes"][name], "")
    for name in sorted(small["by_table"]):
        line(f"  {name}", small["by_table"][name], large["by_table"].get(name, 0), "")
    line("peak memory (MB)", small["peak_mb"], large["peak_mb"], "")
    print(f"to reach: at most {REACH} x")


def line(name: str, small: float, large: float, unit: str) -> None:
    """One measure."""
    form = ".2f" if unit else ",.0f"
    ratio = f"{large / small:8.2f}" if small else ""
    print(f"{name:28s}{small:>14{form}}{large:>14{form}}{ratio}")


def main() -> None:
    parser = argparse.ArgumentParser(description="What a day costs on two sizes of warehouse")
    parser.add_argument("--small", type=int, default=1_000_000)
    parser.add_argument("--large", type=int, default=10_000_000)
    parser.add_argument("--records", type=int, default=30_000)
    parser.add_argument("--width", type=int, default=400, help="characters of an abstract")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="keep the warehouses there for another run")
    parser.add_argument("--day", nargs=2, type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.day:
        json.dump(apply_day(*given.day), sys.stdout)
        return
    with tempfile.TemporaryDirectory() as scratch:
        place = given.folder or Path(scratch)
        results = [
            measure(place, rows, given.records, given.width, given.rounds)
            for rows in (given.small, given.large)
        ]
    show(*results)


def measure(place: Path, rows: int, records: int, width: int, rounds: int) -> dict[str, Any]:
    """The best of ``rounds`` days on a warehouse of ``rows`` citations."""
    home = place / f"home{rows}"
    today = datetime.now(UTC).date()
    if not (home / "CURRENT").exists():
        start = time.monotonic()
        warehouse(home, rows, width, today.year, f"{today:%Y-%m}")
        print(f"warehouse of {rows:,} made in {time.monotonic() - start:.0f} s", flush=True)
    made = current(open_home(home))
    if made is None or made.versions["metrics_month"] != f"{today:%Y-%m}":
        raise SystemExit(f"{home} is of another month, so all would be worked out: remove it")
    update = update_file(place / f"update{rows}.xml.gz", records, rows)
    days = [run_day(home, update) for _ in range(rounds)]
    failed = [error for day in days for error in day["failed"]]
    if failed:
        raise SystemExit(f"the update could not be applied: {failed[0]}")
    return best(days)


if __name__ == "__main__":
    main()
