"""References of one record: APA (7th edition), the short Chinese form, and GB/T 7714-2015.

Plain text without italics. What the record lacks is left out, never made up; a missing year is
``n.d.`` in APA (section 9.17) and left out in Chinese.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from warehouse.people import Author, authors_of

_ALL = 20  # APA 9.8: up to twenty authors are all named; of more, the first nineteen and the last
_SHORT = {"N Engl J Med": "NEJM"}  # what readers call it, as the seed's own examples do
_PAGES = re.compile(r"(\d+)\s*[-\u2013]\s*(\d+)")
_ARTICLE_NUMBER = re.compile(r"e\d+|\d{4,}", re.IGNORECASE)


def apa(record: Mapping[str, Any]) -> str:
    """The reference in APA style.

    ``record`` has keys as in ``citations``: authors (or author_details), title, journal, year,
    volume, issue, pages, doi. Without authors the title comes first (APA 9.12).
    """
    names = _apa_names(authors_of(record), record.get("authors_complete") is not False)
    title, year = _title(record), f"({record.get('year') or 'n.d.'})."
    head = [_stop(names), year, _stop(title)] if names else [_stop(title), year]
    return " ".join(part for part in (*head, _stop(_source(record)), _link(record)) if part)


def _apa_names(authors: Sequence[Author], complete: bool) -> str:
    names = [_apa_name(author) for author in authors]
    if not complete and names:
        return f"{', '.join(names[: _ALL - 1])}, et al."
    if len(names) > _ALL:
        return f"{', '.join(names[: _ALL - 1])}, . . . {names[-1]}"
    if len(names) < 2:
        return "".join(names)
    # a comma stands before & even between two names (APA 9.8)
    return f"{', '.join(names[:-1])}, & {names[-1]}"


def _apa_name(author: Author) -> str:
    name = author.last
    if author.initials:
        name += f", {' '.join(author.initials)}"
    return f"{name}, {author.suffix}" if author.suffix else name


def _title(record: Mapping[str, Any]) -> str:
    title = _line(record.get("title"))
    own = _line(record.get("vernacular_title"))
    translated = title.rstrip(".")
    if own and translated.startswith("["):  # APA 9.38: original, then the translation in brackets
        return f"{own.rstrip('.')} {translated}"
    return title or own or _line(record.get("book_title")) or "[Untitled]"


def _source(record: Mapping[str, Any]) -> str:
    journal = _line(record.get("journal")) or _line(record.get("journal_abbreviation"))
    volume, issue = _line(record.get("volume")), _line(record.get("issue"))
    numbers = f"{volume}({issue})" if volume and issue else volume or (issue and f"({issue})")
    return ", ".join(part for part in (journal, numbers, _apa_pages(record)) if part)


def _apa_pages(record: Mapping[str, Any]) -> str:
    pages = full_pages(_line(record.get("pages")))
    if _ARTICLE_NUMBER.fullmatch(pages):
        return f"Article {pages}"
    return pages.replace("-", "\u2013")


def full_pages(pages: str) -> str:
    """``617-29`` as ``617-629``: PubMed leaves out leading digits that do not change."""

    def whole(found: re.Match[str]) -> str:
        first, last = found[1], found[2]
        missing = len(first) - len(last)
        return f"{first}-{first[:missing] + last if missing > 0 else last}"

    return _PAGES.sub(whole, pages)


def _link(record: Mapping[str, Any]) -> str:
    doi = _line(record.get("doi"))
    if doi:
        return f"https://doi.org/{doi}"
    trial = _line(record.get("nct_id"))
    return f"https://clinicaltrials.gov/study/{trial}" if trial else ""


def chinese(record: Mapping[str, Any]) -> str:
    """The short Chinese form: ``DiNardo 等,2020,NEJM``.

    One author and two are named, of three or more the first with 等; nobody is 佚名.
    """
    authors = authors_of(record)
    many = len(authors) > 2 or (authors and record.get("authors_complete") is False)
    if not authors:
        names = "佚名"
    elif many:
        names = f"{authors[0].last} 等"
    else:
        names = "、".join(author.last for author in authors)
    year = record.get("year")
    return ",".join(
        part for part in (names, str(year) if year else "", short_journal(record)) if part
    )


def short_journal(record: Mapping[str, Any]) -> str:
    """The journal as people call it, else its abbreviation, else its title; empty when none."""
    short = _line(record.get("journal_abbreviation"))
    return _SHORT.get(short) or short or _line(record.get("journal"))


def gbt7714(record: Mapping[str, Any]) -> str:
    """The reference after GB/T 7714-2015 (numeric): three authors, then ``et al`` or 等."""
    authors = authors_of(record)
    names = [_gbt_name(author) for author in authors[:3]]
    if len(authors) > 3 or (names and record.get("authors_complete") is False):
        names.append("et al")
    title = _title(record).rstrip(".")
    head = f"{', '.join(names) or '佚名'}. {title}[{'EB/OL' if record.get('nct_id') else 'J'}]"
    journal = _line(record.get("journal")) or _line(record.get("journal_abbreviation"))
    source = ", ".join(part for part in (journal, str(record.get("year") or "")) if part)
    return " ".join(
        part for part in (f"{head}.", _stop(source + _gbt_place(record)), _gbt_link(record)) if part
    )


def _gbt_name(author: Author) -> str:
    if author.is_group or not author.initials:
        return author.last
    initials = " ".join("".join(author.initials).replace("-", "").replace(".", " ").split())
    return f"{author.last.upper()} {initials}"


def _gbt_place(record: Mapping[str, Any]) -> str:
    volume, issue = _line(record.get("volume")), _line(record.get("issue"))
    pages = full_pages(_line(record.get("pages")))
    return (
        (f", {volume}" if volume else "")
        + (f"({issue})" if issue else "")
        + (f": {pages}" if pages else "")
    )


def _gbt_link(record: Mapping[str, Any]) -> str:
    doi = _line(record.get("doi"))
    return f"DOI: {doi}." if doi else _link(record)


def _line(value: object) -> str:
    return " ".join(str(value).split()) if value is not None else ""


def _stop(text: str) -> str:
    return text if not text or text[-1] in ".?!" else f"{text}."
