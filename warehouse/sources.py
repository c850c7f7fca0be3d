"""The live sources as one table: what each is asked, and where it is reached."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from typing import Any

import pyarrow as pa

from etl.sources.http import Transport
from etl.sources.http_limits import Deadline
from etl.sources.outcome import Outcome, Reply
from etl.sources.pubmed.live import Fetched
from warehouse.side_by_side import Question

PUBMED, EUROPEPMC, TRIALS, OPENALEX, BIOMCP = (
    "pubmed-eutils", "europepmc-search", "clinical-trials-v2", "openalex", "biomcp",
)  # fmt: skip


# The same servers asked for records that BioMCP found.
RECORDS, REGISTERED = f"{PUBMED} (records)", f"{TRIALS} (records)"


# Imported when they are asked: a search that asks PubMed alone pays for nothing else.
MODULES = {
    EUROPEPMC: "etl.sources.europepmc.search",
    OPENALEX: "etl.sources.openalex.search",
    TRIALS: "etl.sources.trials.registry",
    BIOMCP: "etl.sources.biomcp",
}


@dataclass(frozen=True)
class Wish:
    """What is looked for: the term for PubMed, plain words for the others, days, how many."""

    term: str
    words: str
    since: date | None
    until: date | None
    limit: int
    preprints: bool = False
    trials_since: date | None = None


@dataclass(frozen=True)
class Records:
    """PMIDs in the order of PubMed, and what was fetched of those that are not held."""

    pmids: tuple[int, ...] = ()
    fetched: Fetched | None = None


NotHeld = Callable[[Sequence[int]], list[int]]


def pubmed(http: Transport, wish: Wish, not_held: NotHeld) -> Question:
    """PubMed: a search, then the records that the warehouse lacks."""

    def job(deadline: Deadline) -> Reply[Records]:
        from etl.sources.pubmed import live

        found = live.search(
            http, wish.term, since=wish.since, until=wish.until, limit=wish.limit, within=deadline
        )
        pmids = tuple(found.value or ())
        lacking = not_held(pmids)
        fetched = live.fetch(http, lacking, within=deadline) if lacking else None
        return _both(found, fetched, pmids)

    return Question(PUBMED, "eutils", job)


def _both(
    search: Reply[list[int]], fetched: Reply[Fetched] | None, pmids: tuple[int, ...]
) -> Reply[Records]:
    """Search and fetch as one reply.

    A fetch that failed altogether makes it FAILED: of what was found there is nothing to show.
    """
    if fetched is None:
        return Reply(**{**vars(search), "value": Records(pmids) if pmids else None})
    detail = "; ".join(text for text in (search.detail, fetched.detail) if text)
    outcome = Outcome.FOUND if fetched.value or len(pmids) > fetched.asked else fetched.outcome
    return Reply(
        source=PUBMED,
        outcome=outcome,
        value=Records(pmids, fetched.value) if outcome is Outcome.FOUND else None,
        detail=detail,
        status=fetched.status or search.status,
        asked=fetched.asked,
        missing=fetched.missing,
        requests=search.requests + fetched.requests,
        seconds=search.seconds + fetched.seconds,
    )


def records(http: Transport, pmids: Sequence[int], not_held: NotHeld) -> Question:
    """The records of PMIDs that another source found."""

    def job(deadline: Deadline) -> Reply[Records]:
        from etl.sources.pubmed import live

        fetched = live.fetch(http, not_held(pmids), within=deadline)
        return Reply(**{**vars(fetched), "value": Records(tuple(pmids), fetched.value)})

    return Question(RECORDS, "eutils", job)


def europepmc(http: Transport, wish: Wish) -> Question:
    """Europe PMC: rows of the LIVE schema, preprints too when they are wished for."""

    def job(deadline: Deadline) -> Reply[pa.Table]:
        search = _function(EUROPEPMC, "search")
        reply: Reply[pa.Table] = search(
            http, wish.words, since=wish.since, until=wish.until, preprints=wish.preprints,
            limit=min(wish.limit, 100), within=deadline,
        )  # fmt: skip
        return reply

    return Question(EUROPEPMC, "europepmc", job)


def europepmc_records(http: Transport, pmids: Sequence[int]) -> Question:
    """The records of ``pmids`` from Europe PMC, for when PubMed itself does not answer."""

    def job(deadline: Deadline) -> Reply[pa.Table]:
        search = _function(EUROPEPMC, "search")
        # a quoted EXT_ID matches nothing there
        named = " OR ".join(f"EXT_ID:{pmid}" for pmid in pmids)
        reply: Reply[pa.Table] = search(
            http, f"SRC:MED AND ({named})", since=None, until=None, preprints=False,
            limit=len(pmids), within=deadline,
        )  # fmt: skip
        return reply

    return Question(EUROPEPMC, "europepmc", job)


def openalex(http: Transport, wish: Wish) -> Question:
    """OpenAlex: rows of the LIVE schema, by relevance; every search costs credits of the day."""

    def job(deadline: Deadline) -> Reply[pa.Table]:
        search = _function(OPENALEX, "search")
        reply: Reply[pa.Table] = search(
            http, wish.words, since=wish.since, limit=min(wish.limit, 100), within=deadline
        )
        return reply

    return Question(OPENALEX, "openalex", job)


def trials(http: Transport, wish: Wish) -> Question:
    """ClinicalTrials.gov: tables as AACT has them."""

    def job(deadline: Deadline) -> Reply[dict[str, pa.Table]]:
        search = _function(TRIALS, "search")
        reply: Reply[dict[str, pa.Table]] = search(
            http, wish.words, since=wish.trials_since, limit=min(wish.limit, 100), within=deadline
        )
        return reply

    return Question(TRIALS, "ctgov", job)


def registered(http: Transport, nct_ids: Sequence[str]) -> Question:
    """The registry entries of NCT numbers that another source found."""

    def job(deadline: Deadline) -> Reply[dict[str, pa.Table]]:
        fetch = _function(TRIALS, "fetch")
        reply: Reply[dict[str, pa.Table]] = fetch(http, nct_ids, within=deadline)
        return reply

    return Question(REGISTERED, "ctgov", job)


def _function(source: str, name: str) -> Any:
    """Raises ``ModuleNotFoundError`` for a source that this installation lacks."""
    return getattr(import_module(MODULES[source]), name)
