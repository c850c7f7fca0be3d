"""Speed of etl/text on real records, one core, beside the XML parse of the same records.

    python benchmarks/text_bench.py [--records 20000] [--repeats 3] [--json]

Both run in one process in turn and are measured by CPU time, the best of the repeats, so that
the ratio holds on a busy machine. The parts are measured one after the other on the same texts.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, from a checkout that is not installed

import pyarrow as pa  # noqa: E402

from benchmarks.parse_bench import build  # noqa: E402
from etl.sources.pubmed.parse import to_table  # noqa: E402
from etl.text import design, sample_size  # noqa: E402
from etl.text.cues import prepare  # noqa: E402
from etl.text.extract import extract  # noqa: E402
from etl.text.linear import load  # noqa: E402

COLUMNS = ("pmid", "version", "seq", "title", "abstract", "abstract_sections", "languages")


def cpu(work: Callable[[], Any], repeats: int) -> float:
    """CPU seconds of ``work``, the best of ``repeats``."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def parts(citations: pa.Table) -> Mapping[str, Callable[[], Any]]:
    """Each part of the extraction by name, on the same records."""
    texts = list(zip(*(citations[c].to_pylist() for c in ("title", "abstract")), strict=True))
    words = [prepare(*pair) for pair in texts]
    readings = [design.read(one) for one in words]
    model = load()
    return {
        "prepare": lambda: [prepare(*pair) for pair in texts],
        "cues and signals": lambda: [design.read(one) for one in words],
        "design": lambda: [design.infer(one, model) for one in readings],
        "sample size": lambda: [sample_size.find(*pair) for pair in texts],
    }


def measure(records: int, repeats: int) -> dict[str, float]:
    """CPU microseconds a record of the parse, the extraction and its parts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.xml.gz"
        build(path, records)
        citations = to_table(path, 1)[0]
        found = {"parse": cpu(lambda: to_table(path, 1), repeats)}
    citations = citations.select(COLUMNS)
    found["extract"] = cpu(lambda: extract(citations), repeats)
    for name, work in parts(citations).items():
        found[name] = cpu(work, repeats)
    return {name: seconds / records * 1e6 for name, seconds in found.items()}


def render(found: Mapping[str, float]) -> str:
    """The figures as lines; shares are of the whole extraction."""
    whole = found["extract"]
    lines = [f"{name:<18}{us:>8.1f} us a record {us / whole:>7.0%}" for name, us in found.items()]
    return "\n".join(
        [*lines, f"{1e6 / whole:,.0f} records/s; {whole / found['parse']:.2f} of the parse"]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table, or the figures as JSON."""
    parser = argparse.ArgumentParser(description="Speed of the extractors")
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    found = measure(given.records, given.repeats)
    print(json.dumps(found) if given.json else render(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
