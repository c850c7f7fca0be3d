"""Diseases, drugs and genes that PubTator3 finds in records, as tags of their rows."""

from collections.abc import Sequence
from typing import Any

from etl.sources.http import Transport, transport
from etl.sources.http_limits import Deadline
from warehouse.live_mode import Live
from warehouse.live_mode import live as live_mode

NAMES = ("diseases", "drugs", "genes")
SECONDS_A_BATCH = 1.5  # beside the deadline of an answer

Row = dict[str, Any]


def tagged(rows: Sequence[Row], live: str | None) -> tuple[list[Row], list[str]]:
    """``with_entities`` as far as ``live`` (None: the environment's) lets it go out."""
    return with_entities(rows, live_mode(live))


def with_entities(
    rows: Sequence[Row], mode: Live, http: Transport | None = None
) -> tuple[list[Row], list[str]]:
    """``rows`` with ``diseases``, ``drugs`` and ``genes``, most mentioned first, and notices.

    An empty list: PubTator3 knows the record and finds none in its title and abstract. None: it
    was not asked (no PMID, ``live`` is never), does not know the record, or did not answer; what
    was asked in vain is told in a notice.
    """
    pmids = [int(r["pmid"]) for r in rows if r.get("pmid") and r.get("found", True)]
    nothing = dict.fromkeys(NAMES)
    if not mode.goes_out or not pmids:
        said = ["entities were not fetched: live is never"] if pmids else []
        return [{**row, **nothing} for row in rows], said
    from etl.sources.pubtator.annotate import BATCH, annotate, tags

    batches = -(-len(pmids) // BATCH)
    reply = annotate(http or transport(), pmids, Deadline(mode.seconds + SECONDS_A_BATCH * batches))
    found = tags(reply.value) if reply.value is not None else {}
    missing = {int(pmid) for pmid in reply.missing}
    empty: Row = {name: [] for name in NAMES}
    known = {p: found.get(p, empty) for p in pmids if reply.value is not None and p not in missing}
    told = [{**row, **known.get(int(row.get("pmid") or 0), nothing)} for row in rows]
    why = f" ({reply.detail})" if reply.detail else ""
    notice = f"{reply.source} has no entities for {len(missing)} of {len(set(pmids))} PMIDs{why}"
    return told, [notice] if missing else []
