"""`evidence check`."""

from typing import Any

import click

from cli.options import home_option
from cli.output import notice, write_json, write_rows
from etl.store.home import Home

EPILOG = """\b
CLAIM is one sentence, English or Chinese and English mixed. A record takes a side only when its
conclusion does so beyond doubt, so most claims end insufficient: then read the candidates.
\b
Examples:
  evidence check "Posaconazole is more effective than fluconazole in preventing IFI"
  evidence check "Posaconazole 预防 IFI 比 fluconazole 更有效" --min-grade B --json
"""

SHOWN = ("evidence_id", "stance", "names", "grade_label", "design", "sample_size", "year", "title")


@click.command("check", epilog=EPILOG)
@home_option
@click.argument("claim")
@click.option("--top", default=10, show_default=True, help="Records to list a side")
@click.option("--min-grade", type=click.Choice(list("ABCD")), default="B", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON document")
def command(home: Home, claim: str, top: int, min_grade: str, as_json: bool) -> int:
    """What graded evidence says for and against a claim."""
    from warehouse.check import cross_validate_evidence

    found = cross_validate_evidence(claim, top, min_grade, home=home.root)
    for line in found["notices"]:
        notice(line)
    if as_json:
        write_json(found)
        return 0
    for letter, text in found["pico"].items():
        click.echo(f"{letter}  {text or '-'}")
    _say(found)
    sides = [*found["supporting"], *found["contradicting"]]
    for row in sides:
        click.echo(f"  {row['evidence_id']} {row['stance']}: {row['stance_sentence']}")
    listed = _listed(sides, found["candidates"], found["pico"]["I"])
    if listed:
        write_rows(listed, SHOWN, "table")
    return 0


def _say(found: dict[str, Any]) -> None:
    """Candidates by grade and the verdict, with its reason or its confidence."""
    grades = ", ".join(f"{grade} {n}" for grade, n in found["candidates_by_grade"].items())
    day = found["warehouse"]["pubmed_date"] or "an unknown day"
    click.echo(f"candidates: {grades or 'none'} (this warehouse, PubMed up to {day})")
    why = found["reason"] or f"confidence {found['confidence']}"
    click.echo(f"verdict: {found['verdict']} ({why})")


def _listed(
    sides: list[dict[str, Any]], others: list[dict[str, Any]], intervention: str | None
) -> list[dict[str, Any]]:
    """Those that take a side, then the candidates that are about the claim's intervention."""
    taken = {row["evidence_id"] for row in sides}
    about = [row for row in others if intervention is None or "I" in row["names"]]
    return [*sides, *(row for row in about if row["evidence_id"] not in taken)]
