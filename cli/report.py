"""`evidence report`."""

import json
from pathlib import Path
from typing import Any, TextIO

import click

from cli.options import home_option
from cli.output import notice
from etl.errors import UsageError
from etl.store.home import Home

EPILOG = """\b
GRADED is what search or grade printed with --json ('-': standard input). A whole search answer
gives counts over all matches. The HTML page needs no network and no other file.
\b
Examples:
  evidence search "venetoclax leukemia" --json | evidence report - --lang en
  evidence grade --file pmids.txt --json > graded.json
  evidence report graded.json --format html --out report.html
"""


@click.command("report", epilog=EPILOG)
@home_option
@click.argument("graded", type=click.File("r", encoding="utf-8"))
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", "html", "json"]),
    default="markdown",
    show_default=True,
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write it there")
@click.option("--lang", type=click.Choice(["zh", "en"]), default="zh", show_default=True)
@click.option("--title", help="Topic of the report [default: the query of the search answer]")
def command(  # noqa: PLR0913, PLR0917 - one parameter an option
    home: Home, graded: TextIO, form: str, out: Path | None, lang: str, title: str | None
) -> int:
    """A report of graded evidence: Markdown, one HTML page, or JSON."""
    from warehouse.report import evidence_summary

    rows, answer = _read(graded)
    topic = title or (answer or {}).get("query")
    text = evidence_summary(
        rows, form, str(out) if out else None, lang=lang, query=topic, answer=answer, home=home.root
    )
    if out is None:
        click.echo(text, nl=False)
    else:
        notice(f"written to {out}")
    return 0


def _read(graded: TextIO) -> tuple[list[Any], dict[str, Any] | None]:
    """The rows and, where the document is a whole search answer, that answer."""
    text = graded.read()
    if not text.strip():
        raise UsageError(
            f"{graded.name} is empty, which is no answer: see what search or grade --json said"
        )
    try:
        document = json.loads(text)
    except ValueError:
        document = _lines(text, graded.name)
    if isinstance(document, dict) and isinstance(document.get("results"), list):
        return document["results"], document
    if isinstance(document, dict) and "grade" in document:
        return [document], None
    if isinstance(document, list):
        return document, None
    raise UsageError(
        f"{graded.name} holds no graded list: give what --json of search or grade printed"
    )


def _lines(text: str, name: str) -> list[Any]:
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError as error:
        raise UsageError(
            f"{name} is no JSON ({error}): give what --json or --ndjson of search or grade printed"
        ) from error
