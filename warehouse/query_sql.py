"""Analysts' own SELECTs over the views of the committed snapshot, and nothing else."""

from collections.abc import Iterator
from typing import Any

import duckdb

from etl.errors import QueryError
from etl.store.guard import is_read_only, lock_down
from etl.store.home import Home
from etl.store.snapshot import committed
from etl.store.views import connect, damage

BATCH = 10_000


def select(home: Home, query: str) -> tuple[list[str], Iterator[dict[str, Any]]]:
    """Column names and rows of one SELECT; rows are fetched as they are read.

    Raises ``QueryError`` for anything but one reading statement, for functions that reach files
    outside the warehouse, and for what DuckDB itself refuses, with DuckDB's first line.
    """
    is_read_only(query)
    con = connect(home, committed(home))
    lock_down(con, home)
    try:
        cursor = con.execute(query)
    except duckdb.Error as error:
        con.close()
        raise damage(error) or QueryError(_one_line(error)) from error
    names = _distinct([column[0] for column in cursor.description or []])
    return names, _rows(con, cursor, names)


def _rows(
    con: duckdb.DuckDBPyConnection, cursor: duckdb.DuckDBPyConnection, names: list[str]
) -> Iterator[dict[str, Any]]:
    with con:
        try:
            while batch := cursor.fetchmany(BATCH):
                for row in batch:
                    yield dict(zip(names, row, strict=True))
        except duckdb.Error as error:
            raise damage(error) or QueryError(_one_line(error)) from error


def _distinct(names: list[str]) -> list[str]:
    seen: dict[str, int] = {}
    result = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return result


def _one_line(error: duckdb.Error) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:2])[:400]
