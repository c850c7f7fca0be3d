"""What the channels of full texts have in common: how a question to one becomes a reply."""

import re
import time
from collections.abc import Callable

from etl.errors import SourceError, UsageError
from etl.sources.http_errors import StatusError
from etl.sources.live_rows import Section
from etl.sources.outcome import Outcome, Reply, failed

Text = tuple[Section, ...]

CLOSED = frozenset({403, 404, 410})  # what a channel answers for a text that is not open


_PMCID = re.compile(r"PMC0*([1-9][0-9]{0,9})(?:\.[0-9]+)?", re.I)
_PMID = re.compile(r"0*([1-9][0-9]{0,8})")


def pmcid(text: object) -> str | None:
    """``text`` as a PMCID without version (``PMC123``); None when it is none.

    >>> pmcid(" pmc0123.2")
    'PMC123'
    """
    found = _PMCID.fullmatch(text.strip()) if isinstance(text, str) else None
    return f"PMC{found[1]}" if found else None


def asked_pmcid(text: str) -> str:
    """``text`` as a PMCID; ``UsageError`` when it is none."""
    if (known := pmcid(text)) is None:
        raise UsageError(f"{text[:40]!r} is no PMCID; give one such as PMC7654321")
    return known


def asked_name(text: str) -> str:
    """``text`` as a PMCID or, when it is all digits, a PMID; ``UsageError`` when it is neither."""
    found = _PMID.fullmatch(text.strip())
    return found[1] if found else asked_pmcid(text)


class NotOpenError(SourceError):
    """This channel does not have the text, or not for us."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Count:
    """Requests of one question."""

    def __init__(self) -> None:
        self.requests = 0


def reply(source: str, name: str, ask: Callable[[Count], Text]) -> Reply[Text]:
    """What ``ask`` finds for the article ``name``; ``asked`` is 1 and a failure names it."""
    started, count = time.monotonic(), Count()
    try:
        text = ask(count)
        answer = Reply(source, Outcome.FOUND, text, status=200, asked=1)
    except NotOpenError as error:
        answer = _closed(source, name, str(error), error.status)
    except StatusError as error:
        if error.status in CLOSED:
            answer = _closed(source, name, "not open here", error.status)
        else:
            answer = failed(source, error, asked=1, missing=(name,))
    except SourceError as error:
        answer = failed(source, error, asked=1, missing=(name,))
    seconds = time.monotonic() - started
    return Reply(**{**vars(answer), "requests": count.requests, "seconds": seconds})


def _closed(source: str, name: str, why: str, status: int) -> Reply[Text]:
    return Reply(
        source,
        Outcome.NOT_AVAILABLE,
        detail=f"{name}: {why}",
        status=status,
        asked=1,
        missing=(name,),
    )
