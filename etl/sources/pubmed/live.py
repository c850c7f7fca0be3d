"""PubMed live: search, records, links. What servers do comes back as a ``Reply``, never as zero.

``search`` gives PMIDs, ``fetch`` records through the same parser as the bulk files, ``links`` the
PMIDs that PubMed ties to others. All are polite: who asks is said, 200 records a request, one
limiter for all of NCBI (the transport's).
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

import pyarrow as pa

from etl.errors import SourceError, UsageError
from etl.sources.http_errors import Passing
from etl.sources.http_reading import Reading
from etl.sources.outcome import Outcome, Reply, failed
from etl.sources.pubmed.columns import SCHEMA
from etl.sources.pubmed.eutils import REST_FAILED, SOURCE, UNASKED, ask, check_xml
from etl.sources.pubmed.live_links import links
from etl.sources.pubmed.live_search import Search
from etl.sources.pubmed.parse import parse_bytes

if TYPE_CHECKING:
    from etl.sources.http import Response, Transport
    from etl.sources.http_limits import Deadline

__all__ = ["Fetched", "fetch", "links", "search"]

BATCH = 200  # records a request (NBK25499: POST above about 200)


@dataclass(frozen=True)
class Fetched:
    """Records as delivered (``xml``, one text a request) and as rows of ``citations``.

    ``unknown`` are the PMIDs of which PubMed says that it has no record.
    """

    xml: tuple[bytes, ...]
    citations: pa.Table
    unknown: tuple[int, ...] = ()

    @property
    def pmids(self) -> list[int]:
        """PMIDs that came, ascending."""
        found: list[int] = self.citations.column("pmid").to_pylist()
        return found


def search(  # noqa: PLR0913 - one parameter a choice
    http: "Transport",
    term: str,
    *,
    since: date | None = None,
    until: date | None = None,
    limit: int = 1000,
    within: "Deadline | None" = None,
) -> Reply[list[int]]:
    """PMIDs that match ``term``, most relevant first, at most ``limit``.

    ``since`` and ``until`` bound the day on which a record entered PubMed, both included. More
    than 9,999 are asked for by windows of these days, newest first. ``detail`` says what PubMed
    made of the term where it did not take it as it stands, and what is missing of an answer
    that came in part. Raises ``UsageError`` for an empty term, a limit below one, or dates in
    the wrong order.
    """
    if not term.strip():
        raise UsageError("an empty query cannot be asked of PubMed: give some words")
    if limit < 1:
        raise UsageError(f"limit {limit} is below 1: ask for at least one PMID")
    if since and until and since > until:
        raise UsageError(f"dates {since} to {until} are in the wrong order: give the earlier first")
    started = time.monotonic()
    run = Search(http, term, limit, within)
    error: SourceError | None = None
    try:
        run.run(since, until)
    except SourceError as problem:
        error = problem
    return _searched(run, error, time.monotonic() - started)


def _searched(run: Search, error: SourceError | None, seconds: float) -> Reply[list[int]]:
    if error is not None and not run.found:
        return failed(SOURCE, error, requests=run.requests, seconds=seconds)
    notes = [*run.notes, *([f"{REST_FAILED}{error}"] if error else [])]
    return Reply(
        source=SOURCE,
        outcome=Outcome.FOUND if run.found else Outcome.NONE,
        value=list(run.found) or None,
        detail="; ".join(notes),
        status=run.status,
        requests=run.requests,
        seconds=seconds,
    )


@dataclass
class _Ledger:
    """What was asked for and what came of it, batch by batch."""

    asked: tuple[int, ...]
    tables: list[pa.Table] = field(default_factory=list)
    xml: list[bytes] = field(default_factory=list)
    unasked: list[int] = field(default_factory=list)
    error: SourceError | None = None
    requests: int = 0
    status: int | None = None

    @property
    def rows(self) -> pa.Table:
        return pa.concat_tables([SCHEMA.empty_table(), *self.tables])

    def unknown(self, held: set[int]) -> list[int]:
        """Asked, answered for, and not in the answer: PubMed has no such record."""
        return [p for p in self.asked if p not in held and p not in set(self.unasked)]


def fetch(
    http: "Transport", pmids: Sequence[int], within: "Deadline | None" = None
) -> Reply[Fetched]:
    """Records of ``pmids`` (articles and book records), each once, in batches of 200.

    ``missing`` names every PMID asked that did not come. UNKNOWN: PubMed has none of them.
    FOUND with ``missing``: the others came; ``detail`` says which of the missing PubMed does
    not know and which could not be asked. Raises ``UsageError`` for a number that is no PMID.
    """
    asked = tuple(dict.fromkeys(pmids))
    wrong = [p for p in asked if not 0 < p < 1_000_000_000]
    if wrong:
        raise UsageError(f"{wrong[0]} is not a PMID: give a number such as 32786187")
    started = time.monotonic()
    ledger = _Ledger(asked)
    for batch in _batches(asked, BATCH):
        _fetch_batch(http, batch, ledger, within)
    return _fetched(ledger, time.monotonic() - started)


def _batches(ids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(ids), size):
        yield ids[start : start + size]


def _fetch_batch(
    http: "Transport", batch: Sequence[int], ledger: _Ledger, within: "Deadline | None"
) -> None:
    if ledger.error is not None and not ledger.error.retryable:
        ledger.unasked += batch  # refused for good, or out of budget: no further requests
        return
    said = {"db": "pubmed", "id": ",".join(map(str, batch)), "retmode": "xml"}
    ledger.requests += 1
    reading = Reading(_records)
    try:
        answer = ask(http, "efetch.fcgi", said, kind="xml", post=True, within=within, check=reading)
    except SourceError as error:
        ledger.error = error
        ledger.unasked += batch
        return
    ledger.status = answer.status
    ledger.xml.append(answer.body)
    ledger.tables.append(_of(reading.value, batch))


_check_set = check_xml(b"PubmedArticleSet")


def _records(response: "Response") -> pa.Table:
    """Parsed inside the attempt, so that a damaged answer is asked for again."""
    _check_set(response)
    try:
        return parse_bytes(response.body, source_file=SOURCE)
    except SourceError as error:
        raise Passing(f"answered with damaged XML ({error})") from None


def _of(rows: pa.Table, asked: Sequence[int]) -> pa.Table:
    """Only records that were asked for: a merged PMID must not bring in another's record."""
    wanted = set(asked)
    keep = [pmid in wanted for pmid in rows.column("pmid").to_pylist()]
    return rows if all(keep) else rows.filter(pa.array(keep, pa.bool_()))


def _fetched(ledger: _Ledger, seconds: float) -> Reply[Fetched]:
    rows = ledger.rows
    held = set(rows.column("pmid").to_pylist())
    unknown = ledger.unknown(held)
    missing = tuple(str(p) for p in ledger.asked if p not in held)
    if not held and ledger.error is not None:
        return failed(
            SOURCE, ledger.error, asked=len(ledger.asked), missing=missing,
            requests=ledger.requests, seconds=seconds,
        )  # fmt: skip
    notes = [f"PubMed has no record of {_listed(unknown)}"] if unknown else []
    if ledger.error is not None:
        notes.append(f"{len(ledger.unasked)} {UNASKED}{ledger.error}")
    found = Fetched(tuple(ledger.xml), rows.sort_by("pmid"), tuple(unknown))
    outcome = Outcome.FOUND if held else Outcome.UNKNOWN if ledger.asked else Outcome.NONE
    return Reply(
        source=SOURCE,
        outcome=outcome,
        value=found if held else None,
        detail="; ".join(notes),
        status=ledger.status,
        asked=len(ledger.asked),
        missing=missing,
        requests=ledger.requests,
        seconds=seconds,
    )


def _listed(pmids: Sequence[int]) -> str:
    shown = ", ".join(map(str, pmids[:5]))
    return shown if len(pmids) <= 5 else f"{shown} and {len(pmids) - 5} more"
