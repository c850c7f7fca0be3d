"""Grades of given PMIDs: as committed, or worked out again under another profile."""

import re
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

import sql
from etl.errors import UsageError
from etl.jobs.grade import grade_rows, load_profile
from etl.store.home import Home, open_home
from etl.store.snapshot import Snapshot, committed
from etl.store.views import connect
from warehouse import cached

COLUMNS = (
    "pmid", "found", "title", "journal", "year", "publication_types", "design", "sample_size",
    "sample_size_source", "sample_size_evidence", "registered_enrollment", "grade", "grade_label",
    "grade_base", "grade_rationale", "rules", "signals_up", "signals_down", "is_preprint",
    "is_retracted", "superseded_by", "nct_ids", "inferred", "rule_version",
)  # fmt: skip

SOURCES = ("lookup", "source", "source_chain", "sources")  # added to the columns of every answer
LOOKUPS = ("held", "fetched", "unknown", "failed", "not_asked")

LISTS = ("publication_types", "rules", "signals_up", "signals_down", "nct_ids")

# "PMID: 32786187", "pmid32786187", "32786187"; PubMed's own identifiers have 1 to 8 digits,
# one more is left for the time to come.
PMID = re.compile(r"(?:pmid\s*:?\s*)?(\d{1,9})", re.IGNORECASE)


def grade_pmid_list(
    pmid_list: list[str],
    fetch_fulltext_for_sample_size: bool = False,
    *,
    home: Path | None = None,
    live: str | None = None,
) -> list[dict[str, Any]]:
    """Grade, design, sample size and reasons of each PMID, in the order given.

    ``pmid_list`` holds PMIDs as text (``"PMID:"`` prefixes allowed). Each answer has the keys of
    ``COLUMNS``; ``sample_size`` is None when it is unknown, which is not zero. A PMID that the
    warehouse does not hold is fetched from PubMed unless ``live`` (None: $EVIDENCE_LIVE, else
    ``gaps``) is ``never``; ``found`` is False and ``grade`` None when it was not, or when PubMed
    has no such record. ``lookup`` tells which: ``held`` by the warehouse, ``fetched`` now,
    ``unknown`` to PubMed, ``failed`` (a source gave no answer; see ``sources``) or ``not_asked``
    (``never``, or no network). ``source`` and ``source_chain`` name the source.
    ``fetch_fulltext_for_sample_size`` asks for the open full texts of trials and cohorts and
    grades again by the number of people that they state; ``fulltext`` of a row tells what was
    tried.
    Raises ``UsageError`` for text that is no PMID, ``NoSnapshotError`` before the first refresh.
    """
    place = open_home(home)
    asked = [str(parse_pmid(text)) for text in pmid_list]
    rows = cached.grades(asked, place, committed(place), partial(_fresh, place))
    return filled_grades(place, rows, live, fulltext=fetch_fulltext_for_sample_size)[0]


def filled_grades(
    home: Home,
    rows: list[dict[str, Any]],
    live: str | None = None,
    *,
    fulltext: bool = False,
    **how: Any,
) -> tuple[list[dict[str, Any]], list[str]]:
    """``rows`` with what PubMed has of those not found, and notices; ``how`` as for ``grades``.

    With ``fulltext`` the numbers of people in open full texts too (``fulltext`` of each row).
    """
    from warehouse.live_mode import live as live_mode

    mode = live_mode(live)
    told = [with_source(row) for row in rows]
    notices: list[str] = []
    if mode.goes_out and not all(row["found"] for row in rows):
        from warehouse.live_grade import Missing, filled

        snapshot = committed(home)
        in_memory = partial(grades_of, snapshot=snapshot, **how)
        missing = Missing(home, snapshot, partial(grades, home, **how), in_memory)
        told, notices = filled(missing, rows, mode)
    if fulltext:
        from warehouse.fulltext_grade import with_full_texts

        told, more = with_full_texts(home, committed(home), told, mode, **how)
        notices += more
    return told, notices


def with_source(row: dict[str, Any]) -> dict[str, Any]:
    """``row`` of a PMID for which nobody had to be asked, or was."""
    found = row["found"]
    return {
        **row, "lookup": "held" if found else "not_asked", "source": "pubmed" if found else None,
        "source_chain": ["warehouse"] if found else [], "sources": [],
    }  # fmt: skip


def _fresh(home: Home, pmids: Sequence[str]) -> list[dict[str, Any]]:
    return grades(home, [int(pmid) for pmid in pmids])


def grades(
    home: Home,
    pmids: Sequence[int],
    *,
    profile: str = "default",
    keep_retracted: bool = False,
    keep_research_letters: bool = False,
) -> list[dict[str, Any]]:
    """The same for numbers. Any other profile or switch grades the stored facts again."""
    snapshot = committed(home)
    with connect(home, snapshot) as con:
        return grades_of(
            con, pmids, snapshot, profile=profile, keep_retracted=keep_retracted,
            keep_research_letters=keep_research_letters,
        )  # fmt: skip


def grades_of(  # noqa: PLR0913 - as grades
    con: duckdb.DuckDBPyConnection,
    pmids: Sequence[int],
    snapshot: Snapshot,
    *,
    profile: str = "default",
    keep_retracted: bool = False,
    keep_research_letters: bool = False,
    again: bool = False,
) -> list[dict[str, Any]]:
    """``grades`` from the tables that ``con`` shows; ``again`` grades its facts in any case."""
    asked = pa.table(
        {"place": pa.array(range(len(pmids)), pa.int64()), "pmid": pa.array(pmids, pa.int64())}
    )
    con.register("asked", asked)
    if again or profile != "default" or keep_retracted or keep_research_letters:
        _grade_again(con, profile, keep_retracted, keep_research_letters, snapshot)
    result = con.sql(sql.load("answers/grades")).to_arrow_table()
    return [_row(row) for row in result.to_pylist()]


def _grade_again(
    con: duckdb.DuckDBPyConnection,
    profile: str,
    keep_retracted: bool,
    keep_research_letters: bool,
    snapshot: Snapshot,
) -> None:
    chosen = load_profile(profile).keeping(
        retracted=keep_retracted, research_letters=keep_research_letters
    )
    facts = con.sql(sql.load("answers/facts_of_asked")).to_arrow_table()
    as_of_year = int(snapshot.versions["as_of_year"])
    con.execute("DROP TABLE IF EXISTS temp.main.graded")  # that of records in memory
    con.register("graded", grade_rows(facts, chosen, as_of_year))


def _row(row: dict[str, Any]) -> dict[str, Any]:
    row["pmid"] = str(row["pmid"])
    for name in LISTS:
        row[name] = row[name] or []
    if row["superseded_by"] is not None:
        row["superseded_by"] = str(row["superseded_by"])
    return row


def parse_pmid(text: str) -> int:
    """The number in ``text``. Raises ``UsageError`` naming the text when it is no PMID."""
    found = PMID.fullmatch(text.strip())
    if not found or int(found[1]) == 0:
        raise UsageError(f"{text.strip()[:60]!r} is not a PMID: give a number such as 32786187")
    return int(found[1])


def read_pmids(lines: Iterable[str]) -> tuple[list[int], list[str]]:
    """PMIDs of a list, one a line, and a message for each line that is none; blanks are skipped."""
    pmids: list[int] = []
    rubbish: list[str] = []
    for number, line in enumerate(lines, 1):
        text = line.strip().removeprefix("\ufeff").strip().rstrip(",;")
        if not text:
            continue
        try:
            pmids.append(parse_pmid(text))
        except UsageError:
            rubbish.append(f"line {number}: {text[:60]!r} is not a PMID, left out")
    return pmids, rubbish
