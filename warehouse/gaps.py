"""What the warehouse cannot have: days after its last record, or more than its few results.

Only to find that there is a gap costs nothing of the network; filling it is ``warehouse/fill.py``.
"""

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from etl.store.home import Home
from etl.store.snapshot import Snapshot
from warehouse.live_mode import Live

if TYPE_CHECKING:
    from etl.sources.http import Transport
    from etl.store.index_search import SearchIndex
    from warehouse.local_search import Asked

Answer = dict[str, Any]

FEW, NEW, ALWAYS = "fewer results than wished", "later than the warehouse", "asked always"
NOBODY: Answer = {"sources": [], "incomplete": [], "offline": False, "gaps": []}


def filled(  # noqa: PLR0913 - the question, the warehouse, and how far to go
    answer: Answer,
    asked: "Asked",
    home: Home,
    mode: Live,
    *,
    index: "SearchIndex",
    http: "Transport | None" = None,
) -> Answer:
    """``answer`` (of the warehouse) with what it lacks from the live sources.

    Added keys: ``sources`` (one entry a source that was asked: outcome, detail, status, ids that
    did not come, requests, seconds), ``incomplete`` (names of those whose part is missing or not
    whole), ``offline`` (nobody could be reached) and ``gaps`` (why they were asked; empty: nobody
    was). ``index`` is the one that answered; ``http`` None is the transport of this process.
    """
    from etl.store.snapshot import current

    snapshot = current(home)
    found = gaps_of(answer, asked, snapshot, mode) if snapshot else ()
    if snapshot is None or not found:
        return {**answer, **NOBODY}
    from warehouse.fill import fill

    return fill(answer, asked, home, mode, snapshot=snapshot, gaps=found, index=index, http=http)


def gaps_of(answer: Answer, asked: "Asked", snapshot: Snapshot, mode: Live) -> tuple[str, ...]:
    """Why live sources are to be asked for this search; empty when they are not."""
    if not mode.goes_out or not answer["query_translation"]:
        return ()
    if mode.mode == "always":
        return (ALWAYS,)
    late = watermark(snapshot) <= _today() - timedelta(days=mode.days)
    wants_new = asked.years is None or asked.years[1] >= watermark(snapshot).year
    found = [NEW] if late and wants_new else []
    if answer["total"] < min(mode.least, asked.limit):
        found.append(FEW)
    return tuple(found)


def watermark(snapshot: Snapshot) -> date:
    """The last day of PubMed that the warehouse holds; the day of its refresh when not known."""
    said = snapshot.watermarks.get("pubmed_date") or snapshot.watermarks.get("refreshed_at")
    return date.fromisoformat(str(said or snapshot.created_at)[:10])


def _today() -> date:
    return datetime.now(UTC).date()
