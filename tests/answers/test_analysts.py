"""Every query of docs/analysts.md on the sample, and the DuckDB file as an outsider opens it."""

import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from etl.store.home import open_home
from etl.store.schema import TABLES
from tests.run import ROOT
from warehouse.query_sql import select

PAGE = (ROOT / "docs" / "analysts.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)
# what the bundled sample has no case of
EMPTY = {19}


def test_there_are_twenty() -> None:
    assert len(QUERIES) == 20
    numbers = [int(n) for n in re.findall(r"^(\d+)\. ", PAGE, re.MULTILINE)]
    assert numbers == list(range(1, 21))


@pytest.mark.parametrize("number", range(1, 21))
def test_query(number: int, sample_home: Path) -> None:
    query = QUERIES[number - 1]
    columns, rows = select(open_home(sample_home), query)
    found = list(rows)
    assert columns and (found or number in EMPTY)
    with duckdb.connect(str(sample_home / "warehouse.duckdb"), read_only=True) as con:
        assert len(con.sql(query).fetchall()) == len(found)


def test_two_lines_of_python_without_this_project(sample_home: Path, tmp_path: Path) -> None:
    path = sample_home / "warehouse.duckdb"
    code = (
        "import duckdb\n"
        f"print(duckdb.connect({str(path)!r}, read_only=True).sql('from graded limit 5'))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert "grade_rationale" in done.stdout or "pmid" in done.stdout


def test_tables_and_columns_say_what_they_are(sample_home: Path) -> None:
    with duckdb.connect(str(sample_home / "warehouse.duckdb"), read_only=True) as con:
        views = con.sql(
            "select view_name, comment from duckdb_views() "
            "where not internal and comment is not null"
        ).fetchall()
        bare = con.sql(
            "select table_name, column_name from duckdb_columns() "
            "where not internal and comment is null and table_name <> 'evidence_snapshot'"
        ).fetchall()
    assert {name for name, _ in views} == set(TABLES) and bare == []
