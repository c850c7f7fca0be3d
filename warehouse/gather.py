"""Every source that can fill a gap asked once, and what came as graded rows.

BioMCP, where it is set up, is asked first: it asks the others itself. What failed there, or all of
it when BioMCP fails, is asked by ourselves, side by side.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from etl.sources.http import Transport
from etl.sources.http_errors import scrub
from etl.sources.http_limits import Deadline
from etl.sources.outcome import Outcome, Reply
from etl.store.home import Home
from etl.store.snapshot import Snapshot
from warehouse import fast_path, live_rows, sources
from warehouse.held import not_held
from warehouse.live_mode import Live
from warehouse.side_by_side import Question, ask_all, offline

if TYPE_CHECKING:
    from warehouse.local_search import Asked

log = logging.getLogger(__name__)

Row = dict[str, Any]

_HYDRATED = [sources.BIOMCP, sources.PUBMED]


@dataclass
class Come:
    """What the sources brought for one search, and the warehouse as it is then."""

    home: Home
    snapshot: Snapshot
    rows: list[Row] = field(default_factory=list)
    trials: list[Row] = field(default_factory=list)
    replies: list[Reply[Any]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    fast_path: bool = False
    offline: bool = False


def gather(come: Come, wish: sources.Wish, asked: "Asked", mode: Live, http: Transport) -> Come:
    """Asks every source that can fill the gap, and grades what came."""
    deadline = Deadline(mode.seconds)
    lacking = not_held(come.home, come.snapshot)
    trials = asked.trials and asked.target != "guideline_only"
    fast = (
        fast_path.take(http, wish, trials, mode.seconds) if asked.biomcp else fast_path.Fast(None)
    )
    come.notices += fast.notices
    come.fast_path = fast.used
    questions = _questions(http, wish, lacking, fast, trials)
    replies = ask_all(http, questions, deadline)
    come.replies += [*([fast.reply] if fast.reply else []), *replies.values()]
    if offline(replies) and not fast.used:
        names = ", ".join(replies)
        come.notices.append(f"no network: {names} were not asked; this is the warehouse alone")
        come.offline = True
        return come
    come.notices += notices_of(list(replies.values()))
    _take(come, replies, lacking, fast)
    return come


def _questions(
    http: Transport,
    wish: sources.Wish,
    lacking: sources.NotHeld,
    fast: fast_path.Fast,
    trials: bool,
) -> list[Question]:
    """The sources to ask; after BioMCP only those that failed there, and its own finds."""
    left = fast.left - (set() if trials else {"trials"})
    questions = []
    if "pubmed" in left:
        questions.append(sources.pubmed(http, wish, lacking))
    if "europepmc" in left:
        questions.append(sources.europepmc(http, wish))
    if "trials" in left:
        questions.append(sources.trials(http, wish))
    if fast.used:
        if lacking(fast.finds.pmids):
            questions.append(sources.records(http, fast.finds.pmids, lacking))
        if trials and fast.finds.nct_ids:
            questions.append(sources.registered(http, fast.finds.nct_ids))
    return questions


def _take(
    come: Come,
    replies: Mapping[str, Reply[Any]],
    lacking: sources.NotHeld,
    fast: fast_path.Fast,
) -> None:
    """Rows of everything that came, the surest source first."""
    for name, chain in ((sources.PUBMED, [sources.PUBMED]), (sources.RECORDS, _HYDRATED)):
        if name in replies:
            take_pubmed(come, replies[name].value, lacking, chain)
    if fast.used and sources.RECORDS not in replies:
        take_pubmed(come, sources.Records(fast.finds.pmids), lacking, _HYDRATED)
    if sources.EUROPEPMC in replies:
        take_others(come, replies[sources.EUROPEPMC], lacking)
    for name in (sources.TRIALS, sources.REGISTERED):
        tables = replies.get(name)
        if tables is not None and tables.value:
            come.trials += live_rows.of_trials(tables.value, {t["nct_id"] for t in come.trials})
    if come.trials:
        come.notices.append("live registry entries are shown, not kept in the warehouse")


def notices_of(replies: Sequence[Reply[Any]]) -> list[str]:
    """A line for every source whose part of the answer is missing or not whole."""
    lines = []
    for reply in replies:
        if reply.outcome in {Outcome.FAILED, Outcome.STOPPED}:
            lines.append(f"{reply.source} gave no answer (that is not none): {reply.detail}")
        elif reply.partial and reply.detail:
            lines.append(f"{reply.source}: {reply.detail}")
    return lines


def take_pubmed(
    come: Come, found: sources.Records | None, lacking: sources.NotHeld, chain: Sequence[str]
) -> None:
    """Rows of PMIDs that are held, and of records that were fetched, in the source's order."""
    if found is None:
        return
    new = set(found.fetched.pmids) if found.fetched else set()
    absent = set(lacking(found.pmids))
    known = [pmid for pmid in found.pmids if pmid not in absent]
    rows = live_rows.held(come.home, come.snapshot, known, chain[:1])
    if found.fetched is not None and new:
        more, now, why = live_rows.of_pubmed(come.home, come.snapshot, found.fetched, chain)
        come.snapshot = now
        rows += more
        if why:
            come.notices.append(f"live records are shown, not kept: {why}")
    order = {str(pmid): place for place, pmid in enumerate(found.pmids)}
    come.rows += sorted(rows, key=lambda row: order.get(row["pmid"], len(order)))


def take_others(come: Come, reply: Reply[Any], lacking: sources.NotHeld) -> None:
    """Rows without PMID, and with one that neither the warehouse nor PubMed's answer has."""
    if reply.value is None:
        return
    try:
        have = {row["pmid"] for row in come.rows}
        given = reply.value.column("pmid").to_pylist()
        foreign = set(lacking([pmid for pmid in given if pmid is not None]))
        wanted = [p is None or (p in foreign and str(p) not in have) for p in given]
        rows = reply.value.filter(pa.array(wanted, pa.bool_()))
        come.rows += live_rows.of_others(come.home, come.snapshot, rows, reply.source)
    except Exception as error:
        # rows that we cannot read must not take those of the other sources with them
        log.exception("%s", reply.source)
        text = scrub(f"its rows cannot be read ({type(error).__name__}: {error})")[:200]
        broken = replace(reply, outcome=Outcome.FAILED, value=None, detail=text)
        come.replies = [broken if one is reply else one for one in come.replies]
        come.notices += notices_of([broken])
