"""What became of a question to somebody else's server: six things that are not the same.

A failure is never an empty answer: "none" is said only when the server itself said that there is
none, and what was asked for and did not come is named.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from etl.errors import SourceError
from etl.sources.http_errors import BudgetError, StatusError, UnavailableError, scrub

T = TypeVar("T")


class Outcome(StrEnum):
    """How a question ended."""

    FOUND = "found"  # rows came; partial when ``missing`` or ``detail`` say so
    NONE = "none"  # the server searched and there is none
    NOT_AVAILABLE = "not_available"  # it exists, and not for us (not open access, not installed)
    UNKNOWN = "unknown"  # the server does not know the id, or does not say what empty means
    FAILED = "failed"  # no good answer
    STOPPED = "stopped"  # the budget of the day is used up; nothing was asked


@dataclass(frozen=True)
class Reply(Generic[T]):
    """One source's answer. ``value`` is None unless rows came; ``asked`` counts ids (a search: 0).

    ``missing`` are the ids asked for and not answered; ``detail`` is one line without secrets;
    ``status`` the last HTTP status that was seen, None without any; ``seconds`` how long it took.
    """

    source: str
    outcome: Outcome
    value: T | None = None
    detail: str = ""
    status: int | None = None
    asked: int = 0
    missing: tuple[str, ...] = ()
    requests: int = 0
    seconds: float = 0.0

    @property
    def partial(self) -> bool:
        """Whether rows came and others that were asked for did not."""
        return self.outcome is Outcome.FOUND and bool(self.missing or self.detail)

    def row(self) -> dict[str, Any]:
        """The entry of this source in an answer's ``sources``."""
        return {
            "source": self.source,
            "outcome": str(self.outcome),
            "partial": self.partial,
            "detail": self.detail,
            "status": self.status,
            "asked": self.asked,
            "missing": list(self.missing),
            "requests": self.requests,
            "seconds": round(self.seconds, 3),
        }


def failed(source: str, error: SourceError, **more: Any) -> Reply[Any]:
    """The reply that ``error`` is; ``more`` are further fields of ``Reply``."""
    outcome = Outcome.STOPPED if isinstance(error, BudgetError) else Outcome.FAILED
    status = error.status if isinstance(error, UnavailableError | StatusError) else None
    return Reply(source, outcome, detail=scrub(str(error)), status=status, **more)
