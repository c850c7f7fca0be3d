"""`make demo`: builds a warehouse from the bundled sample and shows what it answers."""

import shutil
import sys
from pathlib import Path

import click

from cli.output import write_rows
from cli.progress import Bars
from etl.jobs.refresh import Progress, refresh
from etl.jobs.request import Request
from etl.store.home import open_home
from warehouse.query_sql import select
from warehouse.search import evidence_search

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "sample"
HOME = ROOT / "data" / "demo"
QUERY = "atrial fibrillation"

GRADES = """
select grade_label, design, count(*) as citations,
       median(sample_size)::bigint as median_n, min(pmid) as example_pmid
from graded group by all order by all
"""


def main() -> None:
    """Refresh, grades, one search, and where the DuckDB file lies."""
    shutil.rmtree(HOME, ignore_errors=True)
    home = open_home(HOME)
    request = Request(pubmed=(str(SAMPLE),), aact=str(next(SAMPLE.glob("*_export_ctgov.zip"))))
    if sys.stderr.isatty():
        with Bars() as bars:
            report = refresh(home, request, bars)
    else:
        report = refresh(home, request, Progress())
    click.echo(f"{report.summary()}\n\nGrades of the sample (invented citations):")
    columns, rows = select(home, GRADES)
    write_rows(rows, columns, "table")
    _search(QUERY)
    click.echo(f"DuckDB file: {home.duckdb}")
    click.echo(f'  .venv/bin/evidence sql --home {HOME} "from graded limit 5"')
    click.echo(f"  .venv/bin/evidence search --home {HOME} '{QUERY}' --json")


def _search(query: str) -> None:
    click.echo(f"evidence search '{query}':")
    found = evidence_search(query, date_range="all", max_results=8, home=HOME, live="never")
    shown = ("evidence_id", "grade_label", "sample_size", "year", "title")
    write_rows(found["results"], shown, "table")
    counts = ", ".join(f"{grade} {n}" for grade, n in found["by_grade"].items())
    click.echo(f"{found['total']} in all: {counts}\n")


if __name__ == "__main__":
    main()
