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

SHOWN = ("evidence_id", "stance", "grade_label", "design", "sample_size", "year", "title")


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
    click.echo(f"verdict: {found['verdict']} (confidence {found['confidence']})")
    sides = [*found["supporting"], *found["contradicting"]]
    for row in sides:
        click.echo(f"  {row['evidence_id']} {row['stance']}: {row['stance_sentence']}")
    write_rows(_listed(sides, found["candidates"]), SHOWN, "table")
    return 0


def _listed(sides: list[dict[str, Any]], others: list[dict[str, Any]]) -> list[dict[str, Any]]:
    taken = {row["evidence_id"] for row in sides}
    return [*sides, *(row for row in others if row["evidence_id"] not in taken)]
