"""BioMCP, where it is set up, as the finder: it asks several sources in one question.

It finds and does not tell: only PMIDs and NCT numbers are taken from it, the records come from the
warehouse and from PubMed. Whatever goes wrong there is a warning, and the sources are asked by
ourselves.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from etl.sources.http import Transport
from etl.sources.http_limits import Deadline
from etl.sources.outcome import Outcome, Reply
from warehouse.side_by_side import Question, ask_all
from warehouse.sources import BIOMCP, MODULES, Wish

SHARE = 0.5  # of the deadline: a source that hangs behind BioMCP hangs all of it

# Which of our sources stands in for one that failed behind BioMCP, by a part of its name.
STANDS_IN = {"europe": "europepmc", "trial": "trials", "ctgov": "trials", "pubmed": "pubmed"}
ALL = frozenset({"pubmed", "europepmc", "trials"})


@dataclass(frozen=True)
class Fast:
    """What the fast path did: its reply (None: not set up), what is still to be asked, notices."""

    reply: Reply[Any] | None
    left: frozenset[str] = ALL
    notices: tuple[str, ...] = ()

    @property
    def finds(self) -> Any:
        """What BioMCP found; None when nothing or when it was not asked."""
        return self.reply.value if self.reply is not None else None

    @property
    def used(self) -> bool:
        """Whether it found something, so that its part need not be asked again."""
        return self.finds is not None


def take(http: Transport, wish: Wish, trials: bool, seconds: float) -> Fast:
    """Asks BioMCP when a server of it is configured in one of the known places."""
    try:
        biomcp: Any = import_module(MODULES[BIOMCP])
    except ModuleNotFoundError:
        return Fast(None)
    there = biomcp.detect(os.environ, Path.home(), Path.cwd())
    if there.endpoint is None:
        return Fast(None, notices=tuple(there.notices))
    question = Question(BIOMCP, None, _job(biomcp, there.endpoint, wish, trials))
    reply = ask_all(http, [question], Deadline(seconds * SHARE))[BIOMCP]
    return _judged(reply, tuple(there.notices))


def _job(biomcp: Any, endpoint: Any, wish: Wish, trials: bool) -> Callable[[Deadline], Reply[Any]]:
    def job(deadline: Deadline) -> Reply[Any]:
        reply: Reply[Any] = biomcp.ask(
            endpoint, wish.words, limit=min(wish.limit, 50), trials=trials, within=deadline
        )
        return reply

    return job


def _judged(reply: Reply[Any], notices: tuple[str, ...]) -> Fast:
    if reply.value is None:
        why = reply.detail or "it found nothing, which may be an outage behind it"
        if reply.outcome in {Outcome.FAILED, Outcome.STOPPED, Outcome.NOT_AVAILABLE}:
            notices += (f"{BIOMCP} was not used: {why}",)
        return Fast(reply, notices=notices)
    left = {
        ours for name in reply.value.failed for part, ours in STANDS_IN.items()
        if part in name.lower()
    }  # fmt: skip
    if reply.value.failed:
        named = ", ".join(reply.value.failed)
        notices += (f"{BIOMCP}: no answer from {named}; asked by ourselves where that is possible",)
    return Fast(reply, frozenset(left), notices)
