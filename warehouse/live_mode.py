"""How far an answer may go out: mode, deadline and limits, from the caller or the environment.

Nothing of the network is imported here: an answer that stays at home must be quick to start.
"""

import os
from dataclasses import dataclass

from etl.errors import UsageError

MODES = ("never", "gaps", "always")


@dataclass(frozen=True)
class Live:
    """``mode``: never asks nobody, gaps asks for what the warehouse cannot have, always asks.

    ``seconds``: all sources together get so long. ``least``: fewer results than this are a gap.
    ``days``: a warehouse that lags behind today by so many days or more is a gap. ``records``:
    at most so many are fetched for one answer.
    """

    mode: str
    seconds: float = 10.0
    least: int = 5
    days: int = 2
    records: int = 200

    @property
    def goes_out(self) -> bool:
        """Whether anybody may be asked."""
        return self.mode != "never"


def live(given: str | None = None) -> Live:
    """The settings under ``given`` (None: ``$EVIDENCE_LIVE``, else gaps).

    ``$EVIDENCE_LIVE_SECONDS``, ``_LEAST``, ``_DAYS`` and ``_RECORDS`` replace the numbers.
    Raises ``UsageError`` naming the value that cannot be.
    """
    mode = given or os.environ.get("EVIDENCE_LIVE", "").strip() or "gaps"
    if mode not in MODES:
        named = "live" if given else "EVIDENCE_LIVE"
        raise UsageError(f"{named}={mode!r} is none of {', '.join(MODES)}")
    if mode == "never":
        return Live(mode)
    return Live(
        mode,
        _number("SECONDS", 0.1, 600.0, Live.seconds),
        int(_number("LEAST", 0, 10_000, Live.least)),
        int(_number("DAYS", 1, 10_000, Live.days)),
        int(_number("RECORDS", 1, 10_000, Live.records)),
    )


def _number(name: str, low: float, high: float, default: float) -> float:
    said = os.environ.get(f"EVIDENCE_LIVE_{name}", "").strip()
    if not said:
        return default
    try:
        value = float(said)
    except ValueError:
        value = low - 1
    if not low <= value <= high:
        raise UsageError(f"EVIDENCE_LIVE_{name}={said!r} is no number from {low:g} to {high:g}")
    return value
