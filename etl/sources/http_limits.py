"""Time: deadlines, and the one limiter of this process."""

import threading
import time

from etl.sources.http_errors import Passing
from etl.sources.http_settings import Family


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
                raise Passing(f"no turn for {family.name} within the time given")
            self._next[family.name] = turn + 1.0 / family.per_second
            return turn

    def pause(self, family: Family, seconds: float) -> None:
        """Nobody asks this family for ``seconds``: it said so (Retry-After)."""
        with self._lock:
            until = time.monotonic() + seconds
            self._paused[family.name] = max(until, self._paused.get(family.name, 0.0))
