"""Strategies of several numbered lines, as search histories are published."""

import re
from collections.abc import Mapping

from warehouse.query.place import fault
from warehouse.query.tree import Join, Node

LINES = 500

_NUMBER = re.compile(r"\s*#?(\d{1,3})(?:[.):]\s*|\s+)(?=\S)")
_REFERENCE = re.compile(r"#\d")
_TITLE = re.compile(r"[A-Z][^\"“”()\[\]*|]*[a-z]:\s[^\"“”()\[\]*|]*$")
_ONLY_NUMBERS = re.compile(r"[\s()#\d]*(?:\b(?:AND|OR|NOT|and|or|not)\b[\s()#\d]*)+")
_OVID = re.compile(r"\s*(?:(and|or)/(\d+)-(\d+)|(\d+)-(\d+)/(and|or))\s*", re.IGNORECASE)


def history(query: str) -> list[tuple[int, int, int]] | None:
    """The lines of a search history as (number, start, stop) with offsets in ``query``.

    None when ``query`` is one search that merely runs over several lines. Lines carry their
    own numbers, or are counted when one refers to another (``#3``). Raises ``QueryError`` on
    a line that is a title and not a search.
    """
    spans = [(m.start(), m.end()) for m in re.finditer(r"[^\n]+", query) if m.group().strip()]
    if len(spans) > LINES:
        raise fault(query, spans[LINES][0], f"the strategy has more than {LINES} lines")
    numbered = _numbered(query, spans)
    if numbered is not None:
        _refuse_titles(query, numbered)
        return numbered
    if not _REFERENCE.search(query):
        return None
    return [(number, start, stop) for number, (start, stop) in enumerate(spans, 1)]


def _numbered(query: str, spans: list[tuple[int, int]]) -> list[tuple[int, int, int]] | None:
    """Entries by their own ascending numbers from 1; a line without one continues the entry."""
    entries: list[tuple[int, int, int]] = []
    for start, stop in spans:
        match = _NUMBER.match(query, start, stop)
        expected = entries[-1][0] + 1 if entries else 1
        if match and int(match.group(1)) == expected:
            entries.append((expected, match.end(), stop))
        elif entries:
            number, begin, _ = entries[-1]
            entries[-1] = (number, begin, stop)
        else:
            return None
    return entries if len(entries) > 1 else None


def _refuse_titles(query: str, entries: list[tuple[int, int, int]]) -> None:
    for _, start, stop in entries:
        line = query[start:stop].split("\n", 1)[0].strip()
        if _TITLE.fullmatch(line):
            raise fault(query, start, "this line reads as a title, not as a search: leave it out")


def numbers_as_lines(
    query: str, start: int, stop: int, lines: Mapping[int, Node], notices: list[str]
) -> tuple[Node, set[int]] | None:
    """The tree of a line that names others in the manner of Ovid: ``1 AND 2``, ``or/1-4``.

    None when the line is an ordinary search.
    """
    from warehouse.query.parse import read

    text = query[start:stop]
    ovid = _OVID.fullmatch(text)
    if ovid:
        return _ovid(query, start, ovid, lines, notices)
    if not _ONLY_NUMBERS.fullmatch(text) or not re.search(r"(?<!#)\b\d", text):
        return None
    notices.append(f'"{text.strip()}": numbers without # were read as line numbers')
    marked = re.sub(r"(?<![#\d])(\d+)", r"#\1", text)
    marked = re.sub(r"\b(and|or|not)\b", lambda m: m.group().upper(), marked)
    return read(query[:start] + marked, start, None, lines, notices)


def _ovid(
    query: str, start: int, ovid: re.Match[str], lines: Mapping[int, Node], notices: list[str]
) -> tuple[Node, set[int]]:
    operator = (ovid.group(1) or ovid.group(6)).upper()
    first, last = int(ovid.group(2) or ovid.group(4)), int(ovid.group(3) or ovid.group(5))
    named = range(first, last + 1)
    missing = [number for number in named if number not in lines]
    if first >= last or missing:
        raise fault(
            query, start, f"{ovid.group().strip()} names lines that are not before this one"
        )
    notices.append(
        f"{ovid.group().strip()} was read as lines #{first} to #{last} joined by {operator}"
    )
    return Join(operator, tuple(lines[number] for number in named)), set(named)
