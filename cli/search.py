"""`evidence search`."""

from pathlib import Path
from typing import Any, TextIO

import click

from cli.options import (
    entities_option,
    format_options,
    home_option,
    live_option,
    out_options,
    refuse_beside,
)
from cli.output import notice, write_json, write_rows
from etl.errors import UsageError
from etl.store.home import Home

EPILOG = """\b
QUERY is PubMed's own language: words, "phrases", trunc*, [tags], AND OR NOT (left to right),
brackets, ranges, lines (#1 AND #2); or a question in plain words. Best grade first, then
relevance. Excluded records (letters, editorials, retracted, ...) are counted, not listed.
\b
Examples:
  evidence search "venetoclax leukemia" --grade rct_or_above
  evidence search "asthma[mh] AND (budesonide[tiab] OR formoterol[tiab])" --since 2020:2025 --json
  evidence search --file strategy.txt --since all --csv
  evidence search "semaglutide kidney" --live always --json
  evidence search "venetoclax leukemia" --out evidence/ --lang en
  evidence search --novelty "CAR-T lupus" --json
  evidence search --explain "heart attack AND aspirin"
"""

SHOWN = ("evidence_id", "grade_label", "design", "sample_size", "year", "journal", "title")

# what a scan of two years, and what an explanation, have no use for
_NOT_SCANNED = ("target", "since", "preprints", "excluded", "no_trials", "out", "entities")
_NOT_EXPLAINED = ("novelty", "limit", "live", "no_cache", *_NOT_SCANNED)


@click.command("search", epilog=EPILOG)
@home_option
@click.argument("query", required=False)
@click.option(
    "--file",
    "source",
    type=click.File("r", encoding="utf-8", errors="replace"),
    help="Read the query from a file or '-'",
)
@click.option(
    "--grade",
    "target",
    type=click.Choice(["all", "rct_or_above", "guideline_only"]),
    default="all",
    show_default=True,
    help="guideline_only falls back to rct_or_above when there is none, and says so",
)
@click.option("--max", "limit", default=200, show_default=True, help="Results to list")
@click.option(
    "--since",
    default="10years",
    show_default=True,
    help="all, 5years, 10years, or first:last year such as 2020:2025",
)
@click.option("--preprints", is_flag=True, help="Preprints too")
@click.option("--excluded", is_flag=True, help="List excluded records too")
@click.option("--no-trials", is_flag=True, help="Citations only, no registered trials")
@live_option
@out_options
@click.option("--no-cache", is_flag=True, help="Search again, keep nothing")
@entities_option
@click.option("--novelty", is_flag=True, help="Scan this and the last year live, new ones first")
@click.option("--explain", is_flag=True, help="Show how the query is understood, search nothing")
@format_options
def command(  # noqa: PLR0913, PLR0917 - one parameter an option
    home: Home,
    query: str | None,
    source: TextIO | None,
    target: str,
    limit: int,
    since: str,
    preprints: bool,
    excluded: bool,
    no_trials: bool,
    live: str | None,
    out: Path | None,
    lang: str,
    no_cache: bool,
    entities: bool,
    novelty: bool,
    explain: bool,
    form: str,
) -> int:
    """Graded citations and registered trials for a query."""
    from warehouse.cache import OFF
    from warehouse.search import evidence_search

    text = _query(query, source)
    if explain:
        refuse_beside("--explain", *_NOT_EXPLAINED)
        return _explain(home, text, form)
    if novelty:
        refuse_beside("--novelty", *_NOT_SCANNED)
        return _scan(home, text, live, limit, form)
    found = evidence_search(
        text,
        target_grade=target,
        max_results=limit,
        include_preprints=preprints,
        include_trials=not no_trials,
        date_range=since,
        home=home.root,
        include_excluded=excluded or out is not None,
        cache=OFF if no_cache else None,
        live=live,
    )
    if out is not None:
        asked = {
            "command": "search", "query": text, "target_grade": target, "max_results": limit,
            "include_preprints": preprints, "include_trials": not no_trials, "date_range": since,
        }  # fmt: skip
        _write_folder(home, asked, found, out, lang)
        if not excluded:
            found["results"] = [r for r in found["results"] if r["grade"] != "excluded"]
    shown: tuple[str, ...] = (*SHOWN, "match") if found["match"] == "nearest" else SHOWN
    if entities:
        from warehouse.entities import NAMES, tagged

        shown = (*shown, *NAMES)
        found["results"], more = tagged(found["results"], live)
        found["notices"] = [*found["notices"], *more]
    return _told(found, shown, form, _summary(found))


def _summary(found: dict[str, Any]) -> str:
    """The line below a table: counts, how many are only near, which years."""
    from warehouse.span import worded

    counts = ", ".join(f"{grade} {n}" for grade, n in found["by_grade"].items())
    near = f", {found['nearest']} of them nearest only" if found["nearest"] else ""
    years = worded(found["date_range"])
    said = f"{found['total']} citations ({counts}){near}; {found['trials_total']} trials"
    return f"{said}; {years}"


def _told(found: dict[str, Any], shown: tuple[str, ...], form: str, summary: str) -> int:
    """Notices and results of ``found``; ``shown`` and ``summary`` are for a table."""
    for line in found["notices"]:
        notice(line)
    if form == "json":
        write_json(found)
        return _code(found)
    columns = shown if form == "table" else tuple(k for k in _keys(found) if k != "abstract")
    write_rows(found["results"], columns, form)
    if form == "table":
        click.echo(summary)
    return _code(found)


def _code(found: dict[str, Any]) -> int:
    """3 when a live source that was asked failed, not for want of any network; see the notices."""
    return 3 if found["incomplete"] and not found["offline"] else 0


def _query(query: str | None, source: TextIO | None) -> str:
    if (query is None) == (source is None):
        raise UsageError("give one query: evidence search \"asthma\", or --file FILE ('-': stdin)")
    if source is None:
        return query or ""
    return source.read()


def _write_folder(
    home: Home, asked: dict[str, Any], found: dict[str, Any], out: Path, lang: str
) -> None:
    from cli.output import told_folder
    from warehouse.folder import write_folder

    told_folder(
        write_folder(out, found["results"], home=home, query=asked, answer=found, lang=lang)
    )


def _keys(found: dict[str, list[dict[str, object]]]) -> list[str]:
    return list(dict.fromkeys(key for row in found["results"] for key in row))


def _explain(home: Home, text: str, form: str) -> int:
    from warehouse.query.explain import explain
    from warehouse.search import open_search

    told = explain(open_search(home.root), text)
    for line in told["notices"]:
        notice(line)
    if form == "json":
        write_json(told)
        return 0
    click.echo(f"{told['query_translation']}\n", err=form != "table")
    write_rows(told["operands"], ("term", "count"), form)
    return 0


def _scan(home: Home, text: str, live: str | None, limit: int, form: str) -> int:
    from warehouse.novelty import novelty_scan

    found = novelty_scan(text, home=home.root, live=live, max_results=limit)
    first, last = found["years"]
    summary = f"{found['new']} new of {found['total']} citations of {first} and {last}"
    if found["total"] is None:
        summary = f"no source answered: not known what is new of {first} and {last}"
    _told(found, ("is_new", *SHOWN), form, summary)
    return 3 if found["incomplete"] else 0  # without network too: the scan is nothing but live
