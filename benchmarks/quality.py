"""The quality table: what the extractors get right on labels that nobody here wrote.

    python benchmarks/quality.py [--data ../shared/data]

Prints one table, writes it to benchmarks/QUALITY.md, and lists every error of the visible
records in benchmarks/out/errors.jsonl (not kept: it quotes records that are not ours).
A part of the measure is a module ``quality_<part>`` with ``measure`` and ``errors``.
"""

import argparse
import importlib
import importlib.util
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # run as a script, from a checkout that is not installed

PARTS = ("quality_n", "quality_design", "quality_search")
COLUMNS = ("set", "size", "metric", "ours", "published", "floor", "target")
HEAD = """# Quality of extraction and retrieval

Made by `make quality`; how each figure is measured stands in docs/extraction.md. *Published* are
others' figures on the same or a like task, *floor* is a simple baseline on the same records,
*target* is what was asked for. Trained parts are judged out of fold.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the parts that are there; 1 when the labelled records are not."""
    parser = argparse.ArgumentParser(description="Quality of the extractors")
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "shared/data")
    data = parser.parse_args(arguments).data.resolve()
    if not (data / "gold").is_dir():
        print(
            f"no labelled records in {data / 'gold'}: give their folder with --data",
            file=sys.stderr,
        )
        return 1
    parts = [*_parts()]
    table = render([row for part in parts for row in part.measure(data)])
    print(table)
    (HERE / "QUALITY.md").write_text(f"{HEAD}\n{table}\n", encoding="utf-8")
    count = _write(HERE / "out/errors.jsonl", (e for part in parts for e in part.errors(data)))
    print(f"{count} errors listed in {HERE / 'out/errors.jsonl'}", file=sys.stderr)
    return 0


def _parts() -> Iterator[Any]:
    for name in PARTS:
        full = f"benchmarks.{name}"
        if importlib.util.find_spec(full):
            yield importlib.import_module(full)


def render(rows: Iterable[dict[str, Any]]) -> str:
    """A Markdown table; absent figures as a dash, shares with three decimals."""
    lines = [f"| {' | '.join(COLUMNS)} |", f"|{' --- |' * len(COLUMNS)}"]
    lines += [f"| {' | '.join(_cell(row.get(c)) for c in COLUMNS)} |" for row in rows]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _write(path: Path, found: Iterable[dict[str, Any]]) -> int:
    path.parent.mkdir(exist_ok=True)
    count = 0
    with path.open("w", encoding="utf-8") as out:
        for error in found:
            count += 1
            out.write(json.dumps(error, ensure_ascii=False) + "\n")
    return count


if __name__ == "__main__":
    sys.exit(main())
