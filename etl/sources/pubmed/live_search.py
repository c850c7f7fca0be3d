"""PubMed searched live: PMIDs of a term, windows of dates where there are more than 9,999.

Facts: NBK25499; a PubMed search gives its first 9,999 records only, with or without the history
server, so that longer ones are asked again by halves of their dates of entry.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from etl.sources.http_errors import Passing
from etl.sources.http_reading import Reading
from etl.sources.pubmed.eutils import LONG, ask, searched

if TYPE_CHECKING:
    from etl.sources.http import Response, Transport
    from etl.sources.http_limits import Deadline

MOST = 9_999  # records that one PubMed search gives
FIRST_DAY = date(1800, 1, 1)  # no record entered PubMed before

_TAGGED = re.compile(r'("[^"]+"|[^\s()\[\]"]+)\s*\[([^\[\]:]+)(?::[^\[\]]*)?\]')
_ALL = frozenset({"all", "all fields", "filter", "sb"})


@dataclass
class Page:
    """One answer: how many records there are, those given, what PubMed says of the term."""

    count: int
    pmids: list[int]
    translation: str
    not_found: tuple[str, ...]
    status: int


@dataclass
class Search:
    """One search on its way. ``found`` keeps what came, whatever fails later."""

    http: "Transport"
    term: str
    limit: int
    within: "Deadline | None"
    found: dict[int, None] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    requests: int = 0
    status: int | None = None
    count: int = 0

    def run(self, since: date | None, until: date | None) -> None:
        """Fills ``found``. Raises ``SourceError`` as soon as a request fails for good."""
        window = (since, until) if since or until else None
        page = self._page(window, min(self.limit, MOST))
        self.count = page.count
        self._said(page)
        wanted = min(self.limit, page.count)
        if page.count > self.limit:
            self.notes.append(f"{self.limit} of {page.count} were asked for")
        if wanted <= MOST:
            self._take(page, min(wanted, MOST))
            return
        low, high = since or FIRST_DAY, until or _tomorrow()
        for part in self._windows(low, high):
            self._take(part, part.count)
            if len(self.found) >= self.limit:
                return
        if len(self.found) < wanted:
            self.notes.append(f"{len(self.found)} of {page.count} PMIDs came")

    def _take(self, page: Page, announced: int) -> None:
        room = self.limit - len(self.found)
        self.found |= dict.fromkeys(page.pmids[:room])
        if len(page.pmids) < min(announced, MOST, room):
            self.notes.append(f"{len(page.pmids)} PMIDs came of {announced} announced")

    def _windows(self, low: date, high: date) -> Iterator[Page]:
        """Pages of whole windows, the newest first, each small enough to be given in full."""
        waiting = [(low, high)]
        while waiting:
            low, high = waiting.pop()
            page = self._page((low, high), MOST)
            if page.count <= MOST:
                yield page
            elif low == high:
                self.notes.append(f"{low} alone has {page.count} records: {MOST} of them came")
                yield page
            else:
                middle = low + (high - low) // 2
                waiting += [(low, middle), (middle + timedelta(days=1), high)]

    def _page(self, window: tuple[date | None, date | None] | None, most: int) -> Page:
        said: dict[str, str | None] = {
            "db": "pubmed", "term": self.term, "retmode": "json", "retstart": "0",
            "retmax": str(most), "sort": "relevance",
        }  # fmt: skip
        if window is not None:  # both dates or neither, else the server ignores the one
            low, high = window[0] or FIRST_DAY, window[1] or _tomorrow()
            said |= {"datetype": "edat", "mindate": _day(low), "maxdate": _day(high)}
        self.requests += 1
        reading = Reading(_read)
        answer = ask(
            self.http, "esearch.fcgi", said, kind="json", check=reading,
            post=len(self.term) > LONG, within=self.within,
        )  # fmt: skip
        self.status = answer.status
        return reading.value

    def _said(self, page: Page) -> None:
        for tag in rewritten(self.term, page.translation):
            self.notes.append(f"PubMed does not know {tag} and searched it in all fields")
        if page.not_found:
            self.notes.append(f"not found in PubMed: {', '.join(page.not_found)[:200]}")


def _read(response: "Response") -> Page:
    said = searched(response)
    try:
        return _page(said, response.status)
    except (KeyError, TypeError, ValueError):
        raise Passing("answered with a search result of another shape") from None


def _page(answer: Mapping[str, Any], status: int) -> Page:
    """The answer of esearch as it stands; counts come as text."""
    said = answer["esearchresult"]
    errors = said.get("errorlist") or {}
    warnings = said.get("warninglist") or {}
    missing = [*(errors.get("phrasesnotfound") or []), *(errors.get("fieldsnotfound") or [])]
    missing += warnings.get("quotedphrasesnotfound") or []
    return Page(
        count=int(said["count"]),
        pmids=[int(pmid) for pmid in said["idlist"]],
        translation=str(said.get("querytranslation") or ""),
        not_found=tuple(dict.fromkeys(str(m).strip('\\"') for m in missing)),
        status=status,
    )


def rewritten(term: str, translation: str) -> list[str]:
    """Operands ``word[tag]`` of ``term`` that PubMed silently searched in all fields.

    An unknown tag is no error there: only the translation shows it.
    """
    shown = " ".join(translation.lower().split())
    found = []
    for match in _TAGGED.finditer(term):
        words, tag = match[1].strip('"').lower(), match[2].strip()
        everywhere = f'"{words}"[all fields]' in shown or f"{words}[all fields]" in shown
        if tag.lower() not in _ALL and everywhere:
            found.append(f"{match[1]}[{tag}]")
    return list(dict.fromkeys(found))


def _day(day: date) -> str:
    return f"{day:%Y/%m/%d}"


def _tomorrow() -> date:
    """Its day may have begun where PubMed's dates are made."""
    return datetime.now(UTC).date() + timedelta(days=1)
