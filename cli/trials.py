"""`evidence trials`."""

import re
from typing import TYPE_CHECKING

import click

from cli.options import format_options, home_option
from cli.output import notice, write_json, write_rows
from etl.errors import UsageError
from etl.store.home import Home

if TYPE_CHECKING:
    from warehouse.trials import Found

EPILOG = """\b
All registered trials that fit every limit, the largest enrolment first, from the AACT snapshot
that was loaded last. --condition and --intervention look inside names, other names, keywords and
MeSH terms; with MeSH loaded an entry term ("heart attack") is looked for as its heading too.
A trial whose enrolment is unknown fits no limit of enrolment.
\b
Examples:
  evidence trials --min-enrollment 500 --phase 3 --condition asthma
  evidence trials --intervention budesonide --status completed --results --since 2020 --csv
  evidence trials --type observational --start 2020:2025 --max 20 --json
"""

SHOWN = (
    "nct_id", "enrollment", "enrollment_type", "phase", "overall_status", "has_results",
    "start_date", "brief_title",
)  # fmt: skip


@click.command("trials", epilog=EPILOG)
@home_option
@click.option("--min-enrollment", type=int, help="At least so many people")
@click.option("--max-enrollment", type=int, help="At most so many people")
@click.option("--phase", "phases", multiple=True, help="early1, 1, 2, 3, 4, na; may be repeated")
@click.option("--status", "statuses", multiple=True, help="Such as completed; may be repeated")
@click.option("--type", "study_type", help="interventional, observational, expanded_access")
@click.option("--allocation", help="randomized, non_randomized, na")
@click.option("--results/--no-results", default=None, help="With, or without, posted results")
@click.option("--start", default="all", show_default=True, help="Years of the start: 2020:2025")
@click.option("--since", metavar="YEAR", help="Started in this year or later")
@click.option("--condition", metavar="TEXT", help="Looked for in conditions, keywords, MeSH terms")
@click.option("--intervention", metavar="TEXT", help="Looked for in interventions, MeSH terms")
@click.option("--max", "most", default=200, show_default=True, help="Trials to list")
@format_options
def command(  # noqa: PLR0913, PLR0917 - one parameter an option
    home: Home,
    min_enrollment: int | None,
    max_enrollment: int | None,
    phases: tuple[str, ...],
    statuses: tuple[str, ...],
    study_type: str | None,
    allocation: str | None,
    results: bool | None,
    start: str,
    since: str | None,
    condition: str | None,
    intervention: str | None,
    most: int,
    form: str,
) -> int:
    """Registered trials by size, phase, status, condition, intervention."""
    from warehouse.trials import Limits, trials

    found = trials(
        home,
        Limits(
            min_enrollment, max_enrollment, phases, statuses, study_type, allocation, results,
            _span(start, since), condition, intervention, most,
        ),
    )  # fmt: skip
    return _told(found, form)


def _told(found: "Found", form: str) -> int:
    from warehouse.trials import COLUMNS

    for line in found.notices:
        notice(line)
    if form == "json":
        write_json({"total": found.total, "results": found.rows, "notices": found.notices})
        return 0
    write_rows(found.rows, SHOWN if form == "table" else COLUMNS, form)
    if form == "table":
        click.echo(f"{found.total} trials")
    elif found.total > len(found.rows):
        notice(f"{len(found.rows)} of {found.total} trials shown: give --max")
    return 0


def _span(start: str, since: str | None) -> str:
    if since is None:
        return start
    if start != "all":
        raise UsageError(
            f"--since {since[:40]!r} and --start {start[:40]!r} both limit the start: give one"
        )
    if not re.fullmatch("[1-9][0-9]{3}", since):
        raise UsageError(f"--since {since[:40]!r} is no year: give 2020")
    return f"{since}:"
