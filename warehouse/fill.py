"""A gap of a search filled: the sources asked side by side, what came laid beside the answer.

What came is graded by the same SQL, kept where it can be kept, and shown with its source; what
failed is named in ``sources`` and is never taken for "none".
"""

import re
from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from etl.sources.http import Transport, transport
from etl.sources.outcome import Outcome, Reply
from etl.sources.pubmed.eutils import REST_FAILED, UNASKED
from etl.store.home import Home
from etl.store.snapshot import Snapshot
from warehouse import gaps as gap
from warehouse import sources
from warehouse.gather import Come, gather
from warehouse.held import matching
from warehouse.live_mode import Live
from warehouse.merge import merged
from warehouse.novelty_words import core_words
from warehouse.plain_words import plain_words

if TYPE_CHECKING:
    from etl.store.index_search import SearchIndex
    from warehouse.local_search import Asked

Answer = dict[str, Any]

_SENTENCE = 5  # words without any syntax are a question, of which PubMed would want every word
_SYNTAX = re.compile(r"\b(?:AND|OR|NOT)\b|[\[\]\"*()]")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def fill(  # noqa: PLR0913 - the question, the warehouse, and how far to go
    answer: Answer,
    asked: "Asked",
    home: Home,
    mode: Live,
    *,
    snapshot: Snapshot,
    gaps: Sequence[str],
    index: "SearchIndex",
    http: Transport | None = None,
) -> Answer:
    """As ``warehouse.gaps.filled``, for ``gaps`` that were found."""
    wish = _wish(answer, asked, snapshot, gaps, mode)
    come = gather(Come(home, snapshot), wish, asked, mode, http or transport())
    own = partial(matching, index, asked.query)
    whole = merged(answer, asked, come, own, partial(_trials_matching, index, asked.query))
    return {**whole, **told(come.replies, offline=come.offline), "gaps": list(gaps)}


def _trials_matching(index: "SearchIndex", query: str, numbers: Sequence[int]) -> set[int]:
    from etl.store.index import open_trials

    return matching(open_trials(index), query, numbers)


def told(replies: Sequence[Reply[Any]], *, offline: bool = False) -> dict[str, Any]:
    """``sources``, ``incomplete`` and ``offline`` (nobody could be reached) of an answer."""
    rows = [reply.row() for reply in replies]
    incomplete = [reply.source for reply in replies if not _is_whole(reply)]
    return {"sources": rows, "incomplete": incomplete, "offline": offline}


def _is_whole(reply: Reply[Any]) -> bool:
    """Whether nothing is missing but what does not exist."""
    if reply.source == sources.BIOMCP:
        return True  # what failed there was asked by ourselves
    if reply.outcome in {Outcome.FAILED, Outcome.STOPPED}:
        return False
    if reply.source in {sources.PUBMED, sources.RECORDS}:
        return REST_FAILED not in reply.detail and UNASKED not in reply.detail
    return not reply.partial


def _wish(
    answer: Answer, asked: "Asked", snapshot: Snapshot, found: Sequence[str], mode: Live
) -> sources.Wish:
    first = date(asked.years[0], 1, 1) if asked.years and asked.years[0] >= 1800 else None
    last = date(asked.years[1], 12, 31) if asked.years and asked.years[1] < 9999 else None
    new_only = tuple(found) == (gap.NEW,)
    term = term_of(asked.query, answer["query_translation"])
    aact = snapshot.watermarks.get("aact_date") if new_only else None
    return sources.Wish(
        term=_within_years(term, asked) if not new_only else term,
        words=plain_words(term) or term,
        since=gap.watermark(snapshot) if new_only else first,
        until=None if new_only else last,
        limit=mode.records,
        preprints=asked.preprints,
        trials_since=date.fromisoformat(str(aact)[:10]) if aact else None,
    )


def term_of(query: str, translation: str) -> str:
    """``query`` as PubMed reads it; how the warehouse read it where PubMed would not.

    Line numbers are explained, Chinese is translated, a question loses its idle words.
    """
    plain = " ".join(query.split())
    if "#" in plain or _CHINESE.search(plain):
        return translation.removeprefix("nearest to: ")
    sentence = len(plain.split()) >= _SENTENCE and not _SYNTAX.search(plain)
    return core_words(plain) if sentence else plain


def _within_years(term: str, asked: "Asked") -> str:
    """The term bound to the years of publication; dates of entry are another thing."""
    if asked.years is None:
        return term
    low, high = asked.years
    return f"({term}) AND {max(low, 1800)}:{min(high, 3000)}[dp]"
