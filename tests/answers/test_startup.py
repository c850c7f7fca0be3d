"""What a command loads before it answers: start-up is part of every answer's time."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.run import ROOT

TABLES = {"duckdb", "pyarrow", "polars", "lxml", "psycopg", "urllib3"}
ENGINES = TABLES | {"tantivy", "rich", "sqlite3"}


def loaded(*args: str | Path) -> set[str]:
    """Top-level packages in memory when ``evidence ARGS`` has answered."""
    script = (
        "import atexit, sys; from cli.main import main\n"
        "atexit.register(lambda: print(*sorted({n.partition('.')[0] for n in sys.modules}),"
        " file=sys.stderr))\nmain()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, args)],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("args", [["--help"], ["refresh", "--help"], ["search", "--help"]])
def test_help_loads_no_engine(args: list[str]) -> None:
    assert not loaded(*args) & ENGINES


def test_a_search_opens_the_index_and_no_tables(sample_home: Path) -> None:
    asked = ["search", "--home", sample_home, "--no-cache", "--json", "atrial fibrillation"]
    found = loaded(*asked)
    assert "tantivy" in found and not found & (TABLES | {"rich"})


def test_a_strategy_loads_no_tables() -> None:
    assert not loaded("strategy", "therapy", "asthma") & TABLES
