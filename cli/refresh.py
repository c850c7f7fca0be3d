"""`evidence refresh`."""

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from cli.options import home_option
from cli.output import notice, write_json
from etl.errors import UsageError
from etl.store.home import Home

if TYPE_CHECKING:
    from etl.jobs.refresh import Progress
    from etl.jobs.report import Report

EPILOG = """\b
Safe to run at any time: a second run waits for nobody and exits 4, a killed run leaves the last
snapshot as it was. Exit 3 means that some deliveries could not be read; they are named, and
tried again next time.
\b
Examples:
  evidence refresh --pubmed baseline/ --pubmed updatefiles/ --aact ctgov.zip
  evidence refresh --pubmed ncbi --drop-raw
  evidence refresh --pubmed pubmed26n1335.xml.gz --json
  evidence refresh --pubmed baseline/ --dry-run
  evidence refresh --pubmed baseline/ --cluster tcp://10.0.0.5:8786
"""


@click.command("refresh", epilog=EPILOG)
@home_option
@click.option(
    "--pubmed",
    multiple=True,
    metavar="SRC",
    help="PubMed XML file, folder, list of addresses, index page, or 'ncbi'; may be repeated",
)
@click.option(
    "--aact", metavar="SRC", help="AACT zip, dump, folder of .txt, web address, or PostgreSQL DSN"
)
@click.option(
    "--restore-to", metavar="DSN", help="Also restore the AACT dump into this PostgreSQL database"
)
@click.option(
    "--replace-database", is_flag=True, help="Let --restore-to replace a ctgov schema that is there"
)
@click.option("--mesh", metavar="FILE", help="NLM's desc20xx.xml or .xml.gz")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice(["pubmed", "aact", "mesh"]),
    help="Load only this source; may be repeated",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=None,
    help="Local processes that parse files [default: one a processor]",
)
@click.option(
    "--keep-raw/--drop-raw",
    default=True,
    help="Keep downloaded files after loading [default: keep]",
)
@click.option(
    "--allow-gaps", is_flag=True, help="Apply update files although an earlier one is missing"
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Dask scheduler whose workers parse files instead, tcp://HOST:PORT; all share --home",
)
@click.option("--max-files", type=click.IntRange(min=1), help="Load at most this many new files")
@click.option("--dry-run", is_flag=True, help="Say what would be loaded, load nothing")
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON document")
def command(  # noqa: PLR0913, PLR0917 - one parameter an option
    home: Home,
    pubmed: tuple[str, ...],
    aact: str | None,
    restore_to: str | None,
    replace_database: bool,
    mesh: str | None,
    only: tuple[str, ...],
    workers: int | None,
    keep_raw: bool,
    allow_gaps: bool,
    cluster: str | None,
    max_files: int | None,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Load what is new from PubMed, AACT and MeSH; grade it; commit one snapshot."""
    from etl.jobs.pool import default_workers
    from etl.jobs.refresh import Request, refresh

    if workers and cluster:
        raise UsageError("--workers and --cluster exclude each other: give one of them")
    request = Request(
        pubmed=pubmed,
        aact=aact,
        mesh=mesh,
        only=frozenset(only),
        workers=workers or default_workers(),
        max_files=max_files,
        dry_run=dry_run,
        keep_raw=keep_raw,
        allow_gaps=allow_gaps,
        restore_to=restore_to,
        replace_database=replace_database,
        cluster=cluster,
    )
    with ExitStack() as stack:
        report = refresh(home, request, _progress(stack))
    for failure in report.failed:
        notice(failure.error)
    if as_json:
        write_json(report.as_dict())
    else:
        _write_report(report)
    return report.exit_code


def _progress(stack: ExitStack) -> "Progress":
    if not sys.stderr.isatty():
        from etl.jobs.refresh import Progress

        return Progress()
    from cli.progress import Bars

    return stack.enter_context(Bars())


def _write_report(report: "Report") -> None:
    for text in report.notices:
        notice(text)
    for name, rows in report.tables.items():
        click.echo(f"{name:<24} {rows:>12,}")
    click.echo(report.summary())
