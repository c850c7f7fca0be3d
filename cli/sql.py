"""`evidence sql`."""

import click

from cli.options import format_options, home_option
from cli.output import write_rows
from etl.store.home import Home

EPILOG = """\b
Read-only: one SELECT over the views; statements that write, functions that read other files and
extensions are refused. Views and columns: docs/data-dictionary.md.
\b
Examples:
  evidence sql "select grade, count(*) from graded group by all order by all"
  evidence sql "select * from trials where enrollment > 10000" --csv > large.csv
"""


@click.command("sql", epilog=EPILOG)
@home_option
@click.argument("query")
@format_options
def command(home: Home, query: str, form: str) -> int:
    """Run one SELECT over the graded warehouse."""
    from warehouse.query_sql import select

    columns, rows = select(home, query)
    write_rows(rows, columns, form)
    return 0
