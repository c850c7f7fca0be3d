"""`evidence grade`."""

from collections import Counter
from pathlib import Path
from typing import Any, TextIO

import click

from cli.options import entities_option, format_options, home_option, live_option, out_options
from cli.output import notice, write_rows
from etl.errors import UsageError
from etl.store.home import Home

EPILOG = """\b
One row a PMID, in the order asked. A PMID that the warehouse does not hold is fetched from PubMed
and kept (--live never: it is not); one that has no row has found=false and no grade, lookup says
why (unknown to PubMed, failed, not_asked), and the exit code is 3. The grades are those of the last
refresh (default profile); --profile grades again with other thresholds.
\b
Examples:
  evidence grade 32786187 31091374
  evidence grade --file pmids.txt --csv > grades.csv
  evidence grade --profile strict --json 32786187
  evidence grade --fulltext --json 32786187
  evidence grade --file pmids.txt --out evidence/
"""

SHOWN = (
    "pmid",
    "lookup",
    "grade_label",
    "design",
    "sample_size",
    "grade_rationale",
    "year",
    "title",
)

WHY = {
    "unknown": "unknown to PubMed", "failed": "without an answer (that is not unknown)",
    "not_asked": "not held here, and PubMed was not asked",
}  # fmt: skip


@click.command("grade", epilog=EPILOG)
@home_option
@click.argument("pmids", nargs=-1, metavar="[PMID]...")
@click.option(
    "--file",
    "source",
    type=click.File("r", encoding="utf-8", errors="replace"),
    help="PMIDs, one a line; '-' is standard input",
)
@click.option(
    "--profile",
    default="default",
    show_default=True,
    help="default, strict, rare_disease, device, or a TOML file",
)
@click.option("--keep-retracted", is_flag=True, help="Grade retracted papers, with the flag shown")
@click.option("--keep-research-letters", is_flag=True, help="Grade letters that carry a trial type")
@click.option("--fulltext", is_flag=True, help="Number of people from open full texts too")
@entities_option
@live_option
@out_options
@format_options
def command(  # noqa: PLR0913, PLR0917 - one parameter an option
    home: Home,
    pmids: tuple[str, ...],
    source: TextIO | None,
    profile: str,
    keep_retracted: bool,
    keep_research_letters: bool,
    fulltext: bool,
    entities: bool,
    live: str | None,
    out: Path | None,
    lang: str,
    form: str,
) -> int:
    """Evidence grade, design, sample size and reasons of PMIDs."""
    from warehouse.grade import COLUMNS, SOURCES, filled_grades, grades, parse_pmid, read_pmids

    asked = [parse_pmid(text) for text in pmids]
    rubbish: list[str] = []
    if source is not None:
        more, rubbish = read_pmids(source)
        asked += more
    if not asked and not rubbish:
        raise UsageError("no PMID given: evidence grade 32786187, or --file FILE ('-' for stdin)")
    how: dict[str, Any] = {
        "profile": profile, "keep_retracted": keep_retracted,
        "keep_research_letters": keep_research_letters,
    }  # fmt: skip
    rows, notices = filled_grades(home, grades(home, asked, **how), live, fulltext=fulltext, **how)
    if out is not None:
        _write_folder(home, rows, out, lang, profile)
    columns: tuple[str, ...] = SHOWN if form == "table" else (*COLUMNS, *SOURCES[:3])
    if entities:
        from warehouse.entities import NAMES, tagged

        rows, said = tagged(rows, live)
        notices += said
        columns = (*columns, *NAMES)
    write_rows(rows, columns, form)
    for text in (*notices, *rubbish):
        notice(text)
    missing = _told_missing(rows)
    return 3 if missing or rubbish else 0


def _told_missing(rows: list[dict[str, Any]]) -> int:
    """How many PMIDs have no row, said with the reasons, which are not the same."""
    counts = Counter(row["lookup"] for row in rows if not row["found"])
    if counts:
        said = ", ".join(f"{n} {WHY[why]}" for why, n in counts.items())
        notice(f"{counts.total()} of {len(rows)} PMIDs have no grade (found=false): {said}")
    return counts.total()


def _write_folder(
    home: Home, rows: list[dict[str, Any]], out: Path, lang: str, profile: str
) -> None:
    from cli.output import told_folder
    from warehouse.folder import write_folder

    asked = {"command": "grade", "profile": profile, "pmids": [row["pmid"] for row in rows]}
    told_folder(write_folder(out, rows, home=home, query=asked, lang=lang))
