"""Answers from the cache where they are those that would be given now."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from etl.store.home import Home, open_home
from etl.store.snapshot import Snapshot, current
from warehouse.cache import AnswerCache, is_off

if TYPE_CHECKING:
    from warehouse.local_search import Asked

# Raised when the same snapshot would give other answers (ranking, keys, query language).
ANSWERS = 4

Ask = Callable[[], dict[str, Any]]


def remembered(asked: "Asked", home: Path | None, cache: Path | None, ask: Ask) -> dict[str, Any]:
    """The kept answer to ``asked`` with ``cache_hit`` true, else what ``ask`` gives, then kept.

    Not kept are answers of a snapshot that another run committed meanwhile, those with a notice
    that the index was rebuilt (it is about that one time), and those that a live source failed.
    """
    place = open_home(home)
    snapshot = current(place)
    if snapshot is None or is_off(cache):
        return ask()
    store = AnswerCache(cache)
    key, state = _key(asked), _state(place, snapshot)
    kept = store.search(key, state)
    if kept is not None:
        return kept | {"cache_hit": True}
    answer = ask()
    now = _now(place, snapshot, answer)
    if now is not None and _lasting(answer):
        store.keep_search(key, _state(place, now), asked.query, answer)
    return answer | {"notices": [*answer["notices"], *store.notices]}


def _now(place: Home, snapshot: Snapshot, answer: Mapping[str, Any]) -> Snapshot | None:
    """The snapshot that ``answer`` is of; None when it is not the committed one (any more)."""
    if answer["snapshot"] == snapshot.id:
        return snapshot
    latest = current(place)  # live records may have been kept for this answer
    kept = bool(answer.get("sources")) and latest is not None and latest.id == answer["snapshot"]
    return latest if kept else None


def _lasting(answer: Mapping[str, Any]) -> bool:
    """Whether the same question would get the same answer: nothing rebuilt, no source failed."""
    if any("rebuilt" in notice for notice in answer["notices"]):
        return False
    return not answer.get("incomplete")


def grades(
    pmids: Sequence[str],
    home: Home,
    snapshot: Snapshot,
    grade: Callable[[Sequence[str]], list[dict[str, Any]]],
) -> list[dict[str, Any]]:
    """Rows of ``pmids`` in order: kept ones, and what ``grade`` gives for the others."""
    if is_off(None):
        return grade(pmids)
    store = AnswerCache()
    state = _state(home, snapshot)
    held = store.grades(pmids, state)
    missing = [pmid for pmid in dict.fromkeys(pmids) if pmid not in held]
    if missing:
        fresh = grade(missing)
        store.keep_grades(fresh, state)
        held |= {row["pmid"]: row for row in fresh}
    return [dict(held[pmid]) for pmid in pmids]


def _key(asked: "Asked") -> str:
    """SHA-256 over everything that was asked; ``years`` are resolved, so a new year is another."""
    text = json.dumps(asdict(asked), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _state(home: Home, snapshot: Snapshot) -> str:
    """Which warehouse answers, as committed when and under which rules."""
    said: Mapping[str, Any] = {
        "home": str(home.root),
        "snapshot": snapshot.id,
        "created_at": snapshot.created_at,
        "versions": dict(snapshot.versions),
        "answers": ANSWERS,
    }
    return json.dumps(said, sort_keys=True, default=str)
