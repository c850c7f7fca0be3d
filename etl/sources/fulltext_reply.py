"""What the channels of full texts have in common: how a question to one becomes a reply."""

import time
from collections.abc import Callable

from etl.errors import SourceError
from etl.sources.http_errors import StatusError
from etl.sources.live_rows import Section
from etl.sources.outcome import Outcome, Reply, failed

Text = tuple[Section, ...]

CLOSED = frozenset({403, 404, 410})  # what a channel answers for a text that is not open


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
