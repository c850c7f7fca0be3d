"""Time: deadlines, the one limiter of this process, its budgets of the day and its fuses."""

import threading
import time
from datetime import UTC, date, datetime

from etl.sources.http_errors import BudgetError, Passing, UnavailableError
from etl.sources.http_settings import Family, Settings


class NoTurnError(Passing):
    """The limiter had no turn in time: the server was not even asked."""


class Deadline:
    """A moment after which nobody waits any more."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds until then; never below zero."""
        return max(0.0, self._end - time.monotonic())


class Limiter:
    """Spaces the requests to each family evenly; every attempt takes its turn, retries too.

    One object serves all threads. Turns are given in advance, so that waiting threads keep
    their order and no burst follows a pause.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next: dict[str, float] = {}
        self._paused: dict[str, float] = {}

    def acquire(self, family: Family, deadline: Deadline) -> None:
        """Waits for a turn; ``Passing`` at once when it would come after ``deadline``."""
        while True:
            turn = self._turn(family, deadline)
            time.sleep(max(0.0, turn - time.monotonic()))
            with self._lock:
                if self._paused.get(family.name, 0.0) <= turn:
                    return  # else the family asked for a pause after the turn was given

    def _turn(self, family: Family, deadline: Deadline) -> float:
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next.get(family.name, 0.0), self._paused.get(family.name, 0.0))
            if turn - now > deadline.left:
                raise NoTurnError(f"no turn for {family.name} within the time given")
            self._next[family.name] = turn + 1.0 / family.per_second
            return turn

    def pause(self, family: Family, seconds: float) -> None:
        """Nobody asks this family for ``seconds``: it said so (Retry-After)."""
        with self._lock:
            until = time.monotonic() + seconds
            self._paused[family.name] = max(until, self._paused.get(family.name, 0.0))


class Budget:
    """Requests of the day (UTC) by family; stops at once when they are used up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spent: dict[str, tuple[date, int]] = {}
        self._closed: dict[str, float] = {}

    def spend(self, family: Family) -> None:
        """Counts one request. Raises ``BudgetError`` when there is none left today."""
        today = datetime.now(UTC).date()
        with self._lock:
            if self._closed.get(family.name, 0.0) > time.monotonic():
                raise self.over(family)
            day, spent = self._spent.get(family.name, (today, 0))
            spent = spent if day == today else 0
            if family.per_day is not None and spent >= family.per_day:
                raise self.over(family)
            self._spent[family.name] = (today, spent + 1)

    def close(self, family: Family, seconds: float) -> BudgetError:
        """The server says that nothing is left for ``seconds``; returns what to raise."""
        with self._lock:
            self._closed[family.name] = time.monotonic() + seconds
        return self.over(family)

    @staticmethod
    def over(family: Family) -> BudgetError:
        """The error that says so."""
        return BudgetError(
            f"{family.name}: the budget of the day is used up; ask again tomorrow, or with a key"
        )


class Fuses:
    """A family that failed many times in a row is left alone for a while."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._failures: dict[str, int] = {}
        self._why: dict[str, str] = {}
        self._until: dict[str, float] = {}

    def check(self, family: Family) -> None:
        """Raises ``UnavailableError`` while the family is left alone."""
        with self._lock:
            left = self._until.get(family.name, 0.0) - time.monotonic()
            failures, why = self._failures.get(family.name, 0), self._why.get(family.name, "")
        if left > 0:
            raise UnavailableError(
                f"{family.name}: failed {failures} times in a row (the last time: {why}), "
                f"not asked again for {left:.0f} s; run the command again later",
                0,
            )

    def failed(self, family: Family, why: str) -> None:
        """One more failure; after the time of rest a single one is enough."""
        with self._lock:
            self._why[family.name] = why
            count = self._failures[family.name] = self._failures.get(family.name, 0) + 1
            if count >= self._settings.breaker_failures:
                self._until[family.name] = time.monotonic() + self._settings.breaker_seconds

    def worked(self, family: Family) -> None:
        """A good answer."""
        with self._lock:
            self._failures.pop(family.name, None)
            self._until.pop(family.name, None)
