"""Searches that come in pages: what came, what ended them too early, and the reply that follows."""

import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

from etl.errors import SourceError
from etl.sources.http_errors import scrub
from etl.sources.outcome import Outcome, Reply, failed

T = TypeVar("T")


class Pages(Protocol):
    """The pages of one search, each a list of items.

    ``limit`` is how many items are wanted, ``requests`` counts what was asked, ``detail`` says
    what did not come, ``empty`` what it means that nothing came.
    """

    limit: int
    requests: int
    detail: str

    @property
    def empty(self) -> Outcome:
        """The outcome without a single item."""
        ...

    def __iter__(self) -> Iterator[list[Any]]:
        """Asks for the pages in turn; raises ``SourceError`` when one does not come."""
        ...


def paged(
    source: str,
    pages: Pages,
    unit: str,
    made: Callable[[list[Any]], T],
    told: Callable[[SourceError], SourceError] = lambda error: error,
) -> Reply[T]:
    """The reply of a search: ``made`` of its first ``pages.limit`` items.

    A page that fails after others came leaves a partial reply that says so, counted in
    ``unit``; ``told`` words a failure of the first one.
    """
    started = time.monotonic()
    came: list[Any] = []
    try:
        for page in pages:
            came += page
    except SourceError as error:
        if not came:
            seconds = time.monotonic() - started
            return failed(source, told(error), requests=pages.requests, seconds=seconds)
        pages.detail = f"stopped after {len(came)} {unit}: {scrub(str(error))}"
    came = came[: pages.limit]
    return Reply(
        source,
        Outcome.FOUND if came else pages.empty,
        made(came) if came else None,
        detail=pages.detail,
        status=200,
        requests=pages.requests,
        seconds=time.monotonic() - started,
    )
