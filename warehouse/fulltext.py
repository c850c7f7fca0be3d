"""Numbers of people from open full texts: three channels in turn, the first open one counts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from etl.sources.bioc import fulltext as bioc
from etl.sources.europepmc import fulltext as europepmc
from etl.sources.europepmc.search import search
from etl.sources.fulltext_reply import Text, pmcid
from etl.sources.http import Transport
from etl.sources.http_limits import Deadline
from etl.sources.outcome import Outcome, Reply
from etl.sources.pmc_s3 import fulltext as pmc_s3
from etl.store.home import Home
from etl.text import fulltext

ABSTRACT_ONLY = "abstract-only"
SIDE_BY_SIDE = 4

Tried = tuple[str, int | None, str]


@dataclass(frozen=True)
class FullTextSize:
    """What the full text of one PMID says.

    ``channel`` is where an open text was found, ``abstract-only`` when none is open; ``value``
    is None then, and also when the text does not state the number. ``tried`` holds channel, last
    HTTP status (None without any) and outcome of each that was asked; ``europepmc-search`` is
    among them when the PMCID had to be looked up and that failed.
    """

    pmid: str
    value: int | None
    evidence: str | None
    channel: str
    tried: tuple[Tried, ...]


def sample_sizes(
    home: Home,
    records: Sequence[Mapping[str, Any]],
    http: Transport,
    within: Deadline | None = None,
) -> list[FullTextSize]:
    """The numbers of people of ``records`` (pmid, pmcid, title if known), in order."""
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        return list(pool.map(lambda record: _one(record, http, within), records))


def _one(record: Mapping[str, Any], http: Transport, within: Deadline | None) -> FullTextSize:
    pmid = str(record["pmid"])
    tried: list[Tried] = []
    for reply in _replies(pmid, record.get("pmcid"), http, within):
        tried.append((reply.source, reply.status, str(reply.outcome)))
        if reply.value is None:
            continue
        found = fulltext.find(record.get("title"), [(s.kind, s.text) for s in reply.value])
        value, evidence = (found.value, found.evidence) if found else (None, None)
        return FullTextSize(pmid, value, evidence, reply.source, tuple(tried))
    return FullTextSize(pmid, None, None, ABSTRACT_ONLY, tuple(tried))


def _replies(
    pmid: str, given: object, http: Transport, within: Deadline | None
) -> Iterator[Reply[Any]]:
    known = pmcid(given)
    if known is None:
        looked = search(http, f"EXT_ID:{pmid} AND SRC:MED", limit=1, within=within)
        if looked.outcome not in (Outcome.FOUND, Outcome.NONE):
            yield looked  # not knowing the PMCID is no proof that there is none
        known = _pmcid(pmid, looked)
    channels: list[tuple[Callable[..., Reply[Text]], str | None]] = [
        (europepmc.full_text, known),
        (bioc.full_text, known or pmid),
        (pmc_s3.full_text, known),
    ]
    for ask, name in channels:
        if name is not None:
            yield ask(http, name, within)


def _pmcid(pmid: str, looked: Reply[Any]) -> str | None:
    """The PMCID that the look-up of ``pmid`` found; None when it has none."""
    rows = looked.value.select(["pmid", "pmcid"]).to_pylist() if looked.value is not None else []
    return next((pmcid(row["pmcid"]) for row in rows if str(row["pmid"]) == pmid), None)
