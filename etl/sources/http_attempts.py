"""Trying again: which failures may pass, how long to wait, when to give up."""

import http.client
import secrets
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

import urllib3.exceptions as faults

from etl.errors import SourceError
from etl.sources.http_errors import Passing, UnavailableError, scrub
from etl.sources.http_limits import Budget, Deadline, Limiter
from etl.sources.http_settings import Family, Settings
from etl.sources.http_watch import Watch

T = TypeVar("T")

TRANSIENT = frozenset({429, 500, 502, 503, 504})
_random = secrets.SystemRandom()


def persist(settings: Settings, url: str, deadline: Deadline, attempt: Callable[[], T]) -> T:
    """The result of ``attempt``, called again with growing pauses while it raises ``Passing``.

    Raises ``UnavailableError`` after ``settings.attempts`` failures, or as soon as the next
    attempt would come after ``deadline``. An attempt that brought at least
    ``settings.worth_bytes`` does not count.
    """
    failures = 0
    while True:
        try:
            return attempt()
        except Passing as failure:
            failures = 1 if failure.gained >= settings.worth_bytes else failures + 1
            wait = 0.0 if failure.after is not None else _backoff(settings, failures)
            if failures >= settings.attempts or max(wait, failure.after or 0.0) > deadline.left:
                raise _given_up(url, failure, failures) from None
        time.sleep(wait)  # what a server asked for is waited in the limiter, by all threads


def _given_up(url: str, failure: Passing, failures: int) -> UnavailableError:
    times = "once" if failures == 1 else f"{failures} times"
    asked = f"; it asks to wait {failure.after:.0f} s" if failure.after else ""
    return UnavailableError(
        f"{scrub(url)}: {scrub(failure.reason)} (tried {times}){asked}; "
        "run the command again later",
        failures,
        failure.status,
    )


def _backoff(settings: Settings, failures: int) -> float:
    longest = min(settings.backoff_cap, settings.backoff_seconds * 2.0 ** (failures - 1))
    return longest * _random.uniform(0.5, 1.0)


def refused(  # noqa: PLR0913, PLR0917 - what a refusal touches
    settings: Settings,
    limiter: Limiter,
    budget: Budget,
    family: Family,
    status: int,
    headers: Mapping[str, str],
) -> Exception:
    """The failure that a transient status is; its Retry-After holds for the whole family."""
    after = retry_after(headers.get("retry-after"), datetime.now(UTC))
    if after is not None and family.budgeted and after > settings.budget_after:
        return budget.close(family, after)
    if after is not None:
        after = min(after, settings.retry_after_cap)
        limiter.pause(family, after)
    return Passing(f"answered {status} {reason(status)}", status, after)


def reason(status: int) -> str:
    """The usual words for a status, empty for an unusual one."""
    return http.client.responses.get(status, "")


def retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds of a Retry-After header, which holds seconds or a date; None without a good one."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, IndexError, OverflowError):  # what it raises depends on what it gets
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())


@contextmanager
def named_failures(url: str, watch: Watch) -> Iterator[None]:
    """Turns what the network does inside the block into ``Passing`` or ``SourceError``."""
    try:
        yield
    except Passing:
        if watch.expired:
            raise Passing("no whole answer within the time given") from None
        raise
    except faults.LocationValueError:
        raise SourceError(f"{scrub(url)}: not an address; write http(s)://host/path") from None
    except (faults.HTTPError, http.client.HTTPException, OSError) as error:
        if watch.expired:
            raise Passing("no whole answer within the time given") from None
        if isinstance(_root(error), ssl.SSLCertVerificationError):
            raise SourceError(
                f"{scrub(url)}: its certificate is not accepted ({_root(error)}); "
                "mend the clock or the certificates of this machine"
            ) from None
        raise Passing(_words(error)) from None


def _root(error: BaseException) -> BaseException:
    """The first cause; urllib3 keeps it in the arguments of its own exceptions."""
    inner = [a for a in error.args if isinstance(a, BaseException)]
    return _root(inner[-1]) if inner else error


def _words(error: BaseException) -> str:
    if isinstance(error, faults.NameResolutionError):
        return "the name of the host cannot be resolved"
    if isinstance(error, faults.NewConnectionError):
        return f"no connection ({str(error).rpartition(': ')[2]})"
    if isinstance(error, faults.TimeoutError):
        return "no answer in time"
    root = _root(error)
    if isinstance(root, http.client.IncompleteRead):
        # urllib3 keeps the number there, the standard library the bytes
        got = root.partial if isinstance(root.partial, int) else len(root.partial)
        return f"the answer was cut after {got} bytes"
    return f"the connection broke ({str(root) or type(root).__name__})"
