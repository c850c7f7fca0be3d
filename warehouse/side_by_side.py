"""Several sources asked at once under one deadline; whoever is late is left behind.

A source that cannot even be reached (no route, name not resolved, connection refused) is found
out before anything is sent, so that a machine without network has its local answer at once.
"""

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from etl.errors import EvidenceError
from etl.sources.http import Transport
from etl.sources.http_errors import scrub
from etl.sources.http_limits import Deadline
from etl.sources.outcome import Outcome, Reply

log = logging.getLogger(__name__)

NAME_SECONDS = 2.0  # a name that is not resolved by then is taken for no network
UNREACHABLE = "no network: "

Job = Callable[[Deadline], Reply[Any]]


@dataclass(frozen=True)
class Question:
    """One source's part: its name, the base whose host must be reachable (or None), the work."""

    source: str
    base: str | None
    job: Job


def ask_all(
    http: Transport, questions: Iterable[Question], deadline: Deadline
) -> dict[str, Reply[Any]]:
    """The reply of every source by name, at the latest a moment after ``deadline``.

    A source that has not answered by then is FAILED. Threads that are left behind end by
    themselves: every request of theirs has the same deadline.
    """
    asked = {question.source: question for question in questions}
    replies: dict[str, Reply[Any]] = {}
    done = threading.Condition()

    def run(question: Question) -> None:
        reply = _answer(http, question, deadline)
        with done:
            replies[question.source] = reply
            done.notify_all()

    for question in asked.values():
        # daemons: an interpreter that has its answer does not wait for those left behind
        threading.Thread(target=run, args=(question,), daemon=True).start()
    with done:
        while len(replies) < len(asked) and deadline.left > 0:
            done.wait(deadline.left)
        done.wait(0.05 if len(replies) < len(asked) else 0)
        found = dict(replies)
    late = {name: _late(name) for name in asked if name not in found}
    return {name: (found | late)[name] for name in asked}


def _late(source: str) -> Reply[Any]:
    return Reply(source, Outcome.FAILED, detail="no answer within the time given")


def _answer(http: Transport, question: Question, deadline: Deadline) -> Reply[Any]:
    started = time.monotonic()
    try:
        if question.base is not None:
            why = unreachable(http.base(question.base), deadline)
            if why:
                return Reply(question.source, Outcome.FAILED, detail=f"{UNREACHABLE}{why}")
        reply = question.job(deadline)
    except ModuleNotFoundError as error:
        text = f"{error.name} is not installed"
        reply = Reply(question.source, Outcome.NOT_AVAILABLE, detail=text)
    except EvidenceError as error:
        reply = Reply(question.source, Outcome.FAILED, detail=scrub(str(error)))
    except Exception as error:
        # one source's answer that we cannot read must not take the others' with it
        log.exception("%s", question.source)
        text = scrub(f"{type(error).__name__}: {error}")[:200]
        reply = Reply(question.source, Outcome.FAILED, detail=f"cannot be understood ({text})")
    return reply if reply.seconds else replace(reply, seconds=time.monotonic() - started)


def offline(replies: Mapping[str, Reply[Any]]) -> bool:
    """Whether not a single source could be reached."""
    return bool(replies) and all(
        r.outcome is Outcome.FAILED and r.detail.startswith(UNREACHABLE) for r in replies.values()
    )


def unreachable(address: str, deadline: Deadline) -> str | None:
    """Why the host of ``address`` cannot be reached; None when it can, or when it is not known.

    Only what is certain counts: a host that does not answer at all is left to the request itself.
    """
    parts = urlsplit(address)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    places = _resolved(host, port, min(NAME_SECONDS, deadline.left))
    if not places:
        return f"the name {host} is not resolved"
    refusal = None
    for family, _, _, _, place in places:
        refusal = _refused(family, place, min(NAME_SECONDS, max(deadline.left, 0.01)))
        if refusal is None:
            return None
    return f"{host}: {refusal}"


def _resolved(host: str, port: int, seconds: float) -> list[Any]:
    """Addresses of ``host``; [] when there are none, or none in time (nobody can stop a lookup)."""
    found: list[Any] = []

    def look() -> None:
        try:
            found.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError):
            found.clear()

    lookup = threading.Thread(target=look, daemon=True)
    lookup.start()
    lookup.join(seconds)
    return list(found)


def _refused(family: int, place: Any, seconds: float) -> str | None:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.settimeout(seconds)
            probe.connect(place)
    except TimeoutError:
        return None
    except OSError as error:
        return error.strerror or type(error).__name__
    return None
