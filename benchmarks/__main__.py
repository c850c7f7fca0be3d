"""`make bench`: every measure in turn, each as a process of its own, kept under benchmarks/out/.

    python -m benchmarks [NAME ...] [--quick]

``--quick`` takes sizes that end within minutes; the figures quoted in README.md of this folder
are those of full size. What a measure needs and does not find is said by the measure itself.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE / "out"

# name -> (arguments at full size, arguments with --quick); later folders add theirs
MEASURES: dict[str, tuple[list[str], list[str]]] = {
    "parse_bench": ([], ["--records", "5000", "--repeats", "1"]),
    "text_bench": ([], []),
    "workers_bench": ([], []),
    "aact_bench": ([], ["--rounds", "1"]),
    "store": ([], ["100000", "30"]),
    "daily_bench": ([], ["--small", "100000", "--large", "1000000"]),
    "grade_bench": ([], ["--rows", "2000000"]),
    "search_bench": (["--sqlite"], ["--citations", "50000", "--sqlite"]),
}


def main() -> int:
    """Run the named measures, all by default; 1 when one of them failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MEASURES)}")
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    unknown = [name for name in asked.names if name not in MEASURES]
    if unknown:
        parser.error(f"no measure {unknown[0]!r}; there are {', '.join(MEASURES)}")
    OUT.mkdir(exist_ok=True)
    failed = [n for n in asked.names or MEASURES if not run(n, MEASURES[n][int(asked.quick)])]
    if failed:
        print(f"failed: {', '.join(failed)}; see {OUT}")
    return int(bool(failed))


def run(name: str, arguments: list[str]) -> bool:
    """One measure: its lines on standard output as they come, and in ``out/<name>.txt``."""
    print(f"\n== {name} {' '.join(arguments)}", flush=True)
    started = time.monotonic()
    command = [sys.executable, "-m", f"benchmarks.{name}", *arguments]
    with (OUT / f"{name}.txt").open("w", encoding="utf-8") as kept:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=HERE.parent
        )
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            kept.write(line)
    print(f"   ({time.monotonic() - started:.0f} s)")
    return process.wait() == 0


if __name__ == "__main__":
    sys.exit(main())
