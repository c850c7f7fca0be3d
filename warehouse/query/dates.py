"""Dates as PubMed writes them: years, months, days, open ends, "last 5 years"."""

import calendar
import re
from datetime import UTC, date, datetime, timedelta

_DATE = re.compile(r"(\d{4})(?:[/-](\d{1,2})(?:[/-](\d{1,2}))?)?")
_LAST = re.compile(r"last (\d{1,4}) (day|month|year)s?", re.IGNORECASE)
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}


def bounds(text: str) -> tuple[int, int] | None:
    """First and last day (YYYYMMDD) of the year, month or day ``text``; None when it is none."""
    match = _DATE.fullmatch(_numbers(text.strip()))
    if not match:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    if year is None or not year > 0 or (month is not None and not 1 <= month <= 12):
        return None
    first, last = month or 1, month or 12
    final = calendar.monthrange(year, last)[1]
    if day is not None and not 1 <= day <= final:
        return None
    return _number(year, first, day or 1), _number(year, last, day or final)


def last(text: str, today: date | None = None) -> tuple[int, int] | None:
    """The span that ends today of ``text`` like "last 60 days"; None when it says no such thing."""
    match = _LAST.fullmatch(" ".join(text.split()))
    if not match:
        return None
    now = today or datetime.now(UTC).date()
    count, unit = int(match.group(1)), match.group(2).lower()
    start = back(now, count if unit == "year" else 0, count if unit == "month" else 0)
    if unit == "day":
        start = now - timedelta(days=min(count, 700_000))
    return _number(start.year, start.month, start.day), _number(now.year, now.month, now.day)


def back(day: date, years: int, months: int = 0) -> date:
    """``day`` so many years and months earlier (29 February becomes the 28th)."""
    index = max(12, day.year * 12 + day.month - 1 - years * 12 - months)
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def _numbers(text: str) -> str:
    """``2020 Jan 5`` as ``2020/1/5``."""
    parts = re.split(r"[\s/-]+", text)
    return "/".join(
        str(_MONTHS.get(part.lower()[:3], part)) if part.isalpha() else part for part in parts
    )


def _number(year: int, month: int, day: int) -> int:
    return year * 10000 + month * 100 + day
