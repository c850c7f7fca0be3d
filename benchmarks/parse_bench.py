"""PubMed XML.gz -> Parquet against bare lxml and pubmed_parser, one core, one run.

    python benchmarks/parse_bench.py [--records 30000] [--repeats 3] [--other PYTHON] [--json]

Builds one file of real records from ../shared/data/pubmed/modern000*.xml.gz, repeated under
fresh PMIDs, in a temporary directory. Each measure runs in a process of its own, pinned to
one core, in turn; its CPU time is the best of the repeats. ``--other`` is the Python of a
virtual environment that has pubmed_parser, which is left out when nobody has it.
"""

import argparse
import gzip
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data" / "pubmed"
TINY = "tiny.xml.gz"
_RECORD = re.compile(rb"<PubmedArticle>.*?</PubmedArticle>\s*", re.S)
_PMID = re.compile(rb"(<PMID[^>]*>)\d+")


def build(path: Path, records: int) -> int:
    """Writes the file; returns its size in bytes before compression."""
    real = [r for name in ("modern0001", "modern0002") for r in _records(name)]
    size = 0
    with gzip.open(path, "wb", compresslevel=6) as out:
        for block in _document(real, records):
            size += out.write(block)
    return size


def _records(name: str) -> list[bytes]:
    return _RECORD.findall(gzip.decompress((SHARED / f"{name}.xml.gz").read_bytes()))


def _document(real: list[bytes], records: int) -> Iterator[bytes]:
    yield b'<?xml version="1.0" encoding="utf-8"?>\n<PubmedArticleSet>\n'
    for n in range(records):
        pmid = b"\\g<1>%d" % (n + 1)
        yield _PMID.sub(pmid, real[n % len(real)], count=1)
    yield b"</PubmedArticleSet>\n"


def isal(path: Path) -> int:
    """Decompression alone."""
    from etl.sources.pubmed.stream import read_chunks

    return sum(len(chunk) for chunk in read_chunks(path))


def bare(path: Path) -> int:
    """lxml iterparse and clear with isal, nothing extracted."""
    from isal import igzip
    from lxml import etree

    count = 0
    with igzip.open(path) as file:
        for _event, element in etree.iterparse(file):
            count += element.tag == "PubmedArticle"
            element.clear()
    return count


def parse(path: Path) -> int:
    """All fields into an Arrow table."""
    from etl.sources.pubmed.parse import to_table

    return int(to_table(path, 1)[0].num_rows)


def parquet(path: Path) -> int:
    """All fields into a Parquet file, as the refresh does."""
    import pyarrow.parquet as pq

    from etl.sources.pubmed.parse import to_table
    from etl.store.schema import TABLES, conform

    table = conform(TABLES["citations"], to_table(path, 1)[0])
    pq.write_table(table, path.with_suffix(".parquet"), compression="zstd")
    return int(table.num_rows)


def pubmed_parser(path: Path) -> int:
    """pubmed_parser with its defaults; fewer fields, no Parquet."""
    import pubmed_parser as other

    return len(list(other.parse_medline_xml(str(path))))


MEASURES: dict[str, Callable[[Path], int]] = {
    f.__name__: f for f in (isal, bare, parse, parquet, pubmed_parser)
}


def _one(name: str, path: Path) -> None:
    """Child process: one measure; prints CPU seconds, wall seconds, count, peak MB."""
    MEASURES[name](path.with_name(TINY))  # imports are not what is measured
    start, wall = time.process_time(), time.perf_counter()
    count = MEASURES[name](path)
    cpu, wall = time.process_time() - start, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({"cpu": cpu, "wall": wall, "count": count, "peak_mb": peak}))


def _run(name: str, path: Path, python: str) -> dict[str, float] | None:
    """The figures of one child; None when its package is not importable there."""
    command = [python, __file__, "--one", name, str(path)]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        if "ModuleNotFoundError" in done.stderr:
            return None
        raise SystemExit(done.stderr)
    return dict(json.loads(done.stdout))


def measure(path: Path, repeats: int, other: str) -> dict[str, dict[str, float]]:
    """The best CPU time of each measure over ``repeats`` rounds."""
    best: dict[str, dict[str, float]] = {}
    for _ in range(repeats):
        for name in MEASURES:
            found = _run(name, path, other if name == "pubmed_parser" else sys.executable)
            if found and (name not in best or found["cpu"] < best[name]["cpu"]):
                best[name] = found
    return best


def report(best: dict[str, dict[str, float]], records: int, plain: int, packed: int) -> None:
    """The table and the two ratios."""
    print(f"{records:,} citations, {plain / 1e6:.0f} MB plain, {packed / 1e6:.0f} MB gz, one core")
    for name, found in best.items():
        rate = records / found["cpu"]
        print(
            f"{name:14} {found['cpu']:7.2f} CPU s {rate:10,.0f} citations/s "
            f"{found['peak_mb']:6.0f} MB"
        )
    ours = best["parquet"]["cpu"]
    print(f"parquet / bare iterparse: {best['bare']['cpu'] / ours:.2f} of its speed (to reach 0.5)")
    if "pubmed_parser" in best:
        print(
            f"parquet / pubmed_parser: {best['pubmed_parser']['cpu'] / ours:.2f} x (to reach 2.5)"
        )
    else:
        print("pubmed_parser is not installed: give --other PYTHON of an environment that has it")


def main() -> None:
    """Command line."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--records", type=int, default=30000)
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--other", default=sys.executable, metavar="PYTHON")
    options.add_argument("--json", action="store_true")
    options.add_argument("--one", nargs=2, metavar=("MEASURE", "FILE"), help=argparse.SUPPRESS)
    given = options.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if given.one:
        _one(given.one[0], Path(given.one[1]))
        return
    if not SHARED.is_dir():
        raise SystemExit(f"the real records are not here: {SHARED}")
    with tempfile.TemporaryDirectory(prefix="parse_bench") as folder:
        path = Path(folder) / "bench.xml.gz"
        plain = build(path, given.records)
        build(path.with_name(TINY), 20)
        best = measure(path, given.repeats, given.other)
        if given.json:
            print(json.dumps(best))
        else:
            report(best, given.records, plain, path.stat().st_size)


if __name__ == "__main__":
    main()
