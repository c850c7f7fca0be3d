"""PMIDs that the warehouse does not hold, fetched and graded for this answer and kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb
import pyarrow as pa

from etl.jobs.live import keep
from etl.jobs.overlay import overlay
from etl.sources.http import Transport, transport
from etl.sources.http_limits import Deadline
from etl.sources.outcome import Outcome, Reply
from etl.sources.pubmed.eutils import UNASKED
from etl.sources.pubmed.live import BATCH, Fetched
from etl.store.home import Home
from etl.store.snapshot import Snapshot
from warehouse.grade import with_source
from warehouse.live_mode import Live
from warehouse.live_rows import SHORT, as_of_year, of_citations
from warehouse.side_by_side import Question, ask_all, offline
from warehouse.sources import EUROPEPMC, PUBMED, europepmc_records

Row = dict[str, Any]
Grade = Callable[[Sequence[int]], list[Row]]  # rows of PMIDs from the committed snapshot
GradeIn = Callable[[duckdb.DuckDBPyConnection, Sequence[int]], list[Row]]  # from a connection

SECONDS_A_BATCH = 1.5  # thousands of PMIDs take their turns in the limiter
FIRST_SHARE = 0.6  # of the deadline belongs to PubMed; what is left to who can stand in for it


@dataclass
class Missing:
    """The PMIDs without a row, how to grade them, and what came of asking for them.

    ``grade`` gives rows of the committed snapshot, ``grade_in`` those of a connection.
    """

    home: Home
    snapshot: Snapshot
    grade: Grade
    grade_in: GradeIn
    pmids: list[int] = field(default_factory=list)
    replies: list[Reply[Any]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    rows: dict[str, Row] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)  # PubMed says that it has no such record
    offline: bool = False


def filled(
    missing: Missing, rows: Sequence[Row], mode: Live, http: Transport | None = None
) -> tuple[list[Row], list[str]]:
    """``rows`` with the missing ones fetched and graded where that is possible, and notices.

    Every row gains ``source``, ``source_chain`` and ``sources`` (what was asked for it; empty
    for one that the warehouse held). ``found`` stays False for a PMID that PubMed does not know
    and for one that could not be asked: ``lookup`` tells which.
    """
    lacking = [int(row["pmid"]) for row in rows if not row["found"]]
    missing.pmids = list(dict.fromkeys(lacking))
    _ask(missing, mode, http or transport())
    asked = [reply.row() for reply in missing.replies]
    told = [with_source(row) if row["found"] else _live(row, missing, asked) for row in rows]
    return told, missing.notices


def _live(row: Row, missing: Missing, asked: list[Row]) -> Row:
    found = missing.rows.get(row["pmid"])
    mine = [{**one, "missing": [m for m in one["missing"] if m == row["pmid"]]} for one in asked]
    if found is None:
        found = {"lookup": _why_not(row["pmid"], missing), "source": None, "source_chain": []}
    return {**row, **found, "sources": mine}


def _why_not(pmid: str, missing: Missing) -> str:
    if pmid in missing.unknown:
        return "unknown"
    return "not_asked" if missing.offline else "failed"


def _ask(missing: Missing, mode: Live, http: Transport) -> None:
    more = SECONDS_A_BATCH * (len(missing.pmids) // BATCH)
    deadline = Deadline(mode.seconds + more)
    reply = _pubmed(http, missing.pmids, Deadline(mode.seconds * FIRST_SHARE + more))
    missing.replies.append(reply)
    missing.offline = offline({PUBMED: reply})
    if missing.offline:
        count = len(missing.pmids)
        missing.notices.append(f"no network: {PUBMED} was not asked for {count} missing PMIDs")
        return
    missing.unknown = _unknown(reply)
    if reply.value is not None:
        _take(missing, reply.value)
    left = [pmid for pmid in missing.pmids if str(pmid) not in missing.rows]
    if reply.outcome in {Outcome.FAILED, Outcome.STOPPED} or UNASKED in reply.detail:
        missing.notices.append(f"{PUBMED} gave no answer (that is not none): {reply.detail}")
        _stand_in(missing, left, http, deadline)
    elif left:
        missing.notices.append(f"{PUBMED}: {reply.detail}")


def _unknown(reply: Reply[Fetched]) -> set[str]:
    if reply.value is not None:
        return {str(pmid) for pmid in reply.value.unknown}
    return set(reply.missing) if reply.outcome is Outcome.UNKNOWN else set()


def _pubmed(http: Transport, pmids: Sequence[int], deadline: Deadline) -> Reply[Fetched]:
    from etl.sources.pubmed import live

    question = Question(PUBMED, "eutils", lambda within: live.fetch(http, pmids, within=within))
    return ask_all(http, [question], deadline)[PUBMED]


def _take(missing: Missing, fetched: Fetched) -> None:
    """Keep what came and grade it from the warehouse; in memory when it cannot be kept."""
    kept = keep(missing.home, fetched.citations, fetched.xml)
    if kept.snapshot is not None:
        rows = missing.grade(fetched.pmids)
    else:
        missing.notices.append(f"live records are shown, not kept: {kept.why}")
        rows = _in_memory(missing, fetched.citations)
    _add(missing, rows, PUBMED)


def _in_memory(missing: Missing, citations: pa.Table) -> list[Row]:
    year = as_of_year(missing.snapshot)
    pmids = citations.column("pmid").to_pylist()
    with overlay(missing.home, missing.snapshot, citations, year) as con:
        return missing.grade_in(con, pmids)


def _add(missing: Missing, rows: Sequence[Row], source: str) -> None:
    named = {"lookup": "fetched", "source": SHORT[source], "source_chain": [source]}
    missing.rows |= {row["pmid"]: {**row, **named} for row in rows if row["found"]}


def _stand_in(missing: Missing, pmids: Sequence[int], http: Transport, deadline: Deadline) -> None:
    """Europe PMC has PubMed's records too, with less in them: shown and not kept."""
    reply = ask_all(http, [europepmc_records(http, pmids)], deadline)[EUROPEPMC]
    missing.replies.append(reply)
    if reply.value is None:
        none = reply.outcome in {Outcome.NONE, Outcome.UNKNOWN}
        said = "knows none of them" if none else f"gave no answer either: {reply.detail}"
        missing.notices.append(f"{EUROPEPMC} {said}")
        return
    wanted = set(pmids)
    there = [pmid in wanted for pmid in reply.value.column("pmid").to_pylist()]
    rows = of_citations(reply.value.filter(pa.array(there, pa.bool_())))
    _add(missing, _in_memory(missing, rows), EUROPEPMC)
    missing.notices.append(f"{rows.num_rows} records are those of {EUROPEPMC}, not kept")
