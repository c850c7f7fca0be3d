"""The years that a search is limited to, and what it says of those outside them."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from etl.errors import UsageError

Years = tuple[int, int]


def years(date_range: str) -> Years | None:
    """First and last year of ``date_range``; None for all. Raises ``UsageError``."""
    text = date_range.strip().lower().replace(" ", "")
    this = datetime.now(UTC).year
    if text == "all":
        return None
    span = re.fullmatch(r"([0-9]{1,3})years?", text)
    if span and int(span.group(1)):
        return this - int(span.group(1)), 9999
    low, colon, high = text.partition(":")
    if colon and (low or high) and all(not part or _year(part) for part in (low, high)):
        first, last = int(low or 0), int(high or 9999)
        if first <= last:
            return first, last
    raise UsageError(
        f"date range {date_range!r} is none of all, 5years, 10years, 2020:2025: give one of these"
    )


def _year(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) == 4


def told(
    asked: str, span: Years | None, outside: int | None, trials_outside: int | None
) -> dict[str, Any]:
    """An answer's ``date_range``: ``asked`` as given, ``first`` and ``last`` year (None: open).

    ``outside`` counts the citations that match and lie outside or name no year, excluded ones not
    counted, ``trials_outside`` the trials; None: not counted, as for all years.
    """
    first, last = span or (0, 9999)
    return {
        "asked": asked,
        "first": first or None,
        "last": last if last < 9999 else None,
        "outside": outside,
        "trials_outside": trials_outside,
    }


def worded(said: Mapping[str, Any]) -> str:
    """The years of ``told`` in words."""
    first, last = said["first"], said["last"]
    if first and last:
        return f"{first} to {last}" if first != last else f"{first}"
    return f"{first} and later" if first else f"up to {last}" if last else "all years"


def notice(said: Mapping[str, Any]) -> str | None:
    """The line that tells of a limit of years and of what it leaves out; None without a limit."""
    if not said["first"] and not said["last"]:
        return None
    left = [
        _counted(said[key], one)
        for key, one in (("outside", "citation"), ("trials_outside", "trial"))
        if said[key]
    ]
    outside = f"{' and '.join(left)} more match outside: ask for all years" if left else (
        "no more match outside"
    )  # fmt: skip
    asked = f" (date range {said['asked']})" if said["asked"] else ""
    return f"only {worded(said)}{asked}; {outside}"


def _counted(count: int, one: str) -> str:
    return f"{count:,} {one}{'' if count == 1 else 's'}"
