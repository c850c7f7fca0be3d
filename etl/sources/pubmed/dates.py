"""Publication dates as PubMed prints them, with the precision that is stated and no more.

Source of the forms: NLM's element descriptions of PubDate and MedlineDate
(https://www.nlm.nih.gov/bsd/licensee/elements_descriptions.html).
"""

import datetime as dt
import re
from functools import lru_cache
from typing import NamedTuple

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_NAME = re.compile(
    r"\b(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?",
    re.I,
)
_SEASON = re.compile(r"\b(spring|summer|autumn|fall|winter)\b", re.I)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|21\d\d)(?!\d)")
_YEAR_MONTH = re.compile(r"(\d{4})\s+(\w+)\.?(?:\s+(\d{1,2}))?")


class PublicationDate(NamedTuple):
    """``date`` is YYYY, YYYY-MM or YYYY-MM-DD; ``text`` the printed words of anything else."""

    year: int | None
    date: str | None
    precision: str
    text: str | None


UNKNOWN = PublicationDate(None, None, "unknown", None)


@lru_cache(maxsize=4096)
def month_number(text: str | None) -> int | None:
    """1..12 from a number or an English name; None for anything else (``Sep/Oct``)."""
    word = (text or "").strip().rstrip(".")
    if word.isdecimal():
        return int(word) if 1 <= int(word) <= 12 else None
    match = _MONTH_NAME.fullmatch(word)
    return _MONTHS.index(match[1][:3].lower()) + 1 if match else None


@lru_cache(maxsize=65536)
def day_count(year: str | None, month: str | None, day: str | None) -> int | None:
    """Days since 1970-01-01 (Arrow's date32) of a full date; None when a part lacks or lies."""
    number = month_number(month)
    try:
        date = dt.date(int(year or ""), number or 0, int(day or ""))
    except ValueError:
        return None
    return date.toordinal() - 719163  # ordinal of 1970-01-01


@lru_cache(maxsize=65536)
def stated(year: str | None, month: str | None, day: str | None) -> PublicationDate:
    """An ordinary date: as much of year, month and day as is there and can be."""
    if year is None or not _YEAR.fullmatch(year.strip()):
        return UNKNOWN
    number = int(year)
    month_no = month_number(month)
    if month_no is None:
        return PublicationDate(number, f"{number:04}", "year", None)
    if day_count(year, month, day) is None:
        return PublicationDate(number, f"{number:04}-{month_no:02}", "month", None)
    return PublicationDate(number, f"{number:04}-{month_no:02}-{int(day or 0):02}", "day", None)


@lru_cache(maxsize=65536)
def printed(text: str) -> PublicationDate:
    """A date in words: ``1998 Dec-1999 Jan``, ``Winter 2016``, ``2019 Sep/Oct``, ``2000``.

    The year is the first that is printed; a range or season keeps no more than that.
    """
    words = " ".join(text.split())
    plain = _YEAR_MONTH.fullmatch(words)
    if plain and month_number(plain[2]):
        return stated(plain[1], plain[2], plain[3])._replace(text=words)
    years = _YEAR.findall(words)
    year = int(years[0]) if years else None
    return PublicationDate(year, years[0] if years else None, _precision(words, years), words)


def _precision(words: str, years: list[str]) -> str:
    if not years:
        return "unknown"
    if _SEASON.search(words):
        return "season"
    return "year" if words == years[0] else "range"


def publication_date(parts: dict[str, str | None]) -> PublicationDate:
    """The date that a PubDate's children (tag -> text) state."""
    if medline := parts.get("MedlineDate"):
        return printed(medline)
    year, month, season = parts.get("Year"), parts.get("Month"), parts.get("Season")
    date = stated(year, month, parts.get("Day"))
    if season or (month and month.strip() and month_number(month) is None):
        words = season or month or ""
        whole = printed(f"{year or ''} {words}")
        return whole._replace(text=" ".join(words.split()))
    if date is UNKNOWN and year and year.strip():
        return printed(year)
    return date
