"""Opening DuckDB: the one place, because a default of its Python package is wrong for us."""

from pathlib import Path
from typing import Any

import duckdb


def open_duckdb(
    path: Path | None = None, *, read_only: bool = False, config: dict[str, Any] | None = None
) -> duckdb.DuckDBPyConnection:
    """A connection to the file ``path``, or in memory, that keeps standard output clean.

    DuckDB draws a progress bar there for any statement of more than two seconds, in the middle
    of what a command prints as JSON.
    """
    con = duckdb.connect(str(path or ":memory:"), read_only=read_only, config=config or {})
    con.execute("set enable_progress_bar = false")
    return con
