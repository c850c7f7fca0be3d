"""Users' own SQL over the views: reading only, and nothing but the warehouse.

Two doors, each closed by itself: ``is_read_only`` judges the parsed statement, and
``lock_down`` has DuckDB refuse every file but those of the snapshot.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import duckdb

from etl.errors import QueryError
from etl.store.duck import open_duckdb
from etl.store.duck_types import literal
from etl.store.home import Home

# Functions that stand where a table does and make their rows without reading any file.
TABLE_FUNCTIONS = frozenset(
    [
        "duckdb_columns",
        "duckdb_functions",
        "duckdb_tables",
        "duckdb_types",
        "duckdb_views",
        "generate_series",
        "json_each",
        "json_tree",
        "range",
        "repeat",
        "repeat_row",
        "unnest",
    ]
)
# Functions inside an expression that run SQL, read files, or show the process.
EXPRESSION_FUNCTIONS = frozenset(
    [
        "currval",
        "getenv",
        "getvariable",
        "json_execute_serialized_sql",
        "nextval",
        "parse_duckdb_log_message",
        "read_blob",
        "read_text",
        "setseed",
    ]
)
NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "CTE_NODE", "RECURSIVE_CTE_NODE"})

_EXPLAIN = re.compile(
    r"^(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*explain\b(?:\s|--[^\n]*\n|/\*.*?\*/)*(?:analyze\b)?",
    re.IGNORECASE | re.DOTALL,
)


def is_read_only(statement: str) -> None:
    """Passes one statement that only reads the views; raises ``QueryError`` for any other.

    SELECT in all its forms passes (WITH, FROM first, VALUES, DESCRIBE, SHOW, SUMMARIZE,
    PIVOT with its values), and EXPLAIN of one. Refused are several statements, statements
    that write or change settings, and functions and names that read files.
    """
    kind = _one(statement)
    if kind == "EXPLAIN":
        return is_read_only(_EXPLAIN.sub("", statement, count=1))
    if kind != "SELECT":
        raise QueryError(f"{kind} is not allowed: evidence sql only reads; write a SELECT")
    for node in _walk(_parsed(statement)):
        _judge(node)
    return None


def lock_down(con: duckdb.DuckDBPyConnection, home: Home) -> None:
    """Has ``con`` read the files of its own views and nothing else, for good.

    No other file or address can be read or written, no extension or setting be changed; what
    does not fit in memory still spills into ``home``. Call it after the views were made.
    """
    del home  # its temporary folder is already a setting of the connection
    views = con.execute("select sql from duckdb_views() where not internal").fetchall()
    paths = sorted({path for (text,) in views for path in _paths(text)})
    con.execute(f"set allowed_paths = [{', '.join(literal(p) for p in paths)}]")
    for setting in ("allow_community_extensions", "autoinstall_known_extensions"):
        con.execute(f"set {setting} = false")
    con.execute("set autoload_known_extensions = false")
    con.execute("set enable_external_access = false")
    con.execute("set lock_configuration = true")


def _paths(view: str) -> Iterator[str]:
    for quoted_path in re.findall(r"'((?:[^']|'')*\.parquet)'", view):
        yield quoted_path.replace("''", "'")


def _one(statement: str) -> str:
    try:
        found = duckdb.extract_statements(statement)
    except duckdb.Error as error:
        raise QueryError(_place(error)) from error
    if len(found) != 1:
        raise QueryError(f"{len(found)} statements were given: write exactly one SELECT")
    return str(found[0].type.name)


def _parsed(statement: str) -> Any:
    text = _parser().execute("select json_serialize_sql(?)", [statement]).fetchall()[0][0]
    document = json.loads(text)
    if document.get("error"):
        said = " ".join(str(document.get("error_message")).split())
        raise QueryError(f"only SELECT statements can be run: {said}")
    return document["statements"]


@cache
def _parser() -> duckdb.DuckDBPyConnection:
    return open_duckdb()


def _walk(value: Any) -> Iterator[dict[str, Any]]:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            yield item
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)


def _judge(node: dict[str, Any]) -> None:
    kind = str(node.get("type", ""))
    if kind.endswith("_NODE") and kind not in NODES:
        raise QueryError(f"{kind} is not allowed: evidence sql only reads; write a SELECT")
    if kind == "TABLE_FUNCTION":
        _refuse_unless(_name(node.get("function") or {}) in TABLE_FUNCTIONS, node["function"])
    if kind == "FUNCTION":
        _refuse_unless(_name(node) not in EXPRESSION_FUNCTIONS, node)
    if kind == "BASE_TABLE" and re.search(r"[/\\:*?.]", str(node.get("table_name", ""))):
        raise QueryError(
            f"{node['table_name']!r} is a file, not a table: evidence sql reads only the views; "
            "see them with: evidence sql 'show tables'"
        )


def _name(function: dict[str, Any]) -> str:
    return str(function.get("function_name", "")).lower()


def _refuse_unless(allowed: bool, function: dict[str, Any]) -> None:
    if not allowed:
        raise QueryError(
            f"the function {_name(function)} is not allowed: evidence sql reads only the views; "
            "see them with: evidence sql 'show tables'"
        )


def _place(error: duckdb.Error) -> str:
    return " ".join(str(error).split())
