"""Answers read once: what the check of a request made of the body is what the caller gets."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from etl.sources.http_errors import Passing

if TYPE_CHECKING:
    from etl.sources.http import Response

T = TypeVar("T")


class Reading(Generic[T]):
    """A check for ``Transport.get`` and ``post`` that keeps what it read of a good answer.

    ``read`` raises ``Passing`` or ``SourceError`` as any check does. ``value`` is that of the
    last answer that passed; only to be asked for after the request has returned.
    """

    def __init__(self, read: "Callable[[Response], T]") -> None:
        self._read = read
        self.value: T

    def __call__(self, response: "Response") -> None:
        """Reads one whole answer."""
        self.value = self._read(response)


def json_of(response: "Response", *, strict: bool = True) -> Any:
    """The JSON of a body; ``strict`` False lets raw control characters stand in its texts.

    Raises ``Passing`` when it is none: such answers come in outages.
    """
    try:
        return json.loads(response.body, strict=strict)
    except (ValueError, RecursionError):
        raise Passing("answered with broken JSON", response.status) from None
