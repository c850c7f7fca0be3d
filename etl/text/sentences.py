"""Sentences and sections of an abstract, as offsets into its text.

Quick rather than perfect: one scan for full stops, then a look at what stands on both sides.
Decimals, initials and the abbreviations of medical prose do not end a sentence.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple


class Section(NamedTuple):
    """One section of a structured abstract; label and category are None where not given."""

    label: str | None
    category: str | None
    text: str


class Span(NamedTuple):
    """Character offsets of a sentence, end exclusive."""

    start: int
    end: int


# Group 1 ends the sentence; what follows is white space before a likely beginning.
_STOP = re.compile(r"([.!?][)\]\"'”’]*)\s+(?=[A-Z0-9(\[\"'“‘<≥≤ÀÁÂÄÅÉÈÊÎÍÓÔÖØÚÜ])")
# The same for full stops alone: a pattern that begins with one letter is searched much faster.
_FULL_STOP = re.compile(r"(\.[)\]\"'”’]*)\s+(?=[A-Z0-9(\[\"'“‘<≥≤ÀÁÂÄÅÉÈÊÎÍÓÔÖØÚÜ])")
_STOP_CJK = re.compile(r"([。；])\s*")

# Words before a full stop that seldom end a sentence, lower case; units do end one when a
# capital follows: "aged 20-40 yrs. Patients were".
_UNITS = frozenset({"yrs", "yr", "mo", "mos", "min", "sec", "wk", "hr", "inc", "ltd", "i.v", "i.m"})
_ABBREVIATIONS = _UNITS | {
    *("vs", "v", "e.g", "i.e", "eg", "ie", "cf", "ca", "approx", "resp", "dr", "drs", "prof"),
    *("mr", "mrs", "ms", "st", "jr", "sr", "fig", "figs", "eq", "eqs", "ref", "refs", "no", "nos"),
    *("vol", "pp", "p", "n", "et", "spp", "sp", "subsp", "var", "ser", "co", "corp", "dept"),
    *("univ", "u.s", "u.k", "max", "avg", "s.c", "p.o", "i.p", "incl", "excl", "st"),
}


def _long_word(text: str, stop: int) -> bool:
    """Whether seven letters stand before ``stop``: more than the longest abbreviation has."""
    return stop > 6 and text[stop - 7 : stop].isalpha()


def _goes_on(text: str, stop: int, after: int) -> bool:
    """Whether the full stop at ``stop`` is part of an abbreviation or an initial."""
    word = text[max(0, stop - 8) : stop].rpartition(" ")[2].lstrip("([")
    if len(word) == 1:
        return word.isupper() and text[after].isupper() and word not in "AI"
    word = word.lower()
    if word not in _ABBREVIATIONS:
        return False
    return word not in _UNITS or not text[after].isupper()


@lru_cache(maxsize=8)
def split(text: str) -> tuple[Span, ...]:
    """Sentences of ``text`` in order; empty for an empty text."""
    spans = []
    start = 0
    stops = _STOP if "?" in text or "!" in text else _FULL_STOP
    if "。" in text:
        stops = _STOP_CJK
    for match in stops.finditer(text):
        stop, after = match.span()
        if text[stop] == "." and not _long_word(text, stop) and _goes_on(text, stop, after):
            continue
        spans.append(Span(start, match.end(1)))
        start = after
    end = len(text.rstrip())
    if start < end:
        spans.append(Span(start, end))
    return tuple(spans)


def index_at(spans: Sequence[Span], offset: int) -> int:
    """Index of the sentence that holds ``offset``."""
    return max(0, bisect_right(spans, (offset, 1 << 60)) - 1)


# NlmCategory values and the first words of common labels, to one kind each.
_KINDS = (
    ("conclu", "conclusions"), ("interpret", "conclusions"), ("discus", "conclusions"),
    ("result", "results"), ("finding", "results"), ("main result", "results"),
    ("method", "methods"), ("design", "methods"), ("setting", "methods"),
    ("patient", "methods"), ("participant", "methods"), ("subject", "methods"),
    ("population", "methods"), ("material", "methods"), ("study", "methods"),
    ("sample", "methods"), ("data", "methods"), ("search", "methods"), ("selection", "methods"),
    ("intervention", "methods"), ("measure", "methods"), ("main outcome", "methods"),
    ("procedure", "methods"), ("case", "methods"), ("experimental", "methods"),
    ("background", "background"), ("objective", "background"), ("aim", "background"),
    ("purpose", "background"), ("introduction", "background"), ("context", "background"),
    ("rationale", "background"), ("importance", "background"), ("question", "background"),
)  # fmt: skip


@lru_cache(maxsize=4096)
def kind_of(label: str) -> str:
    """Kind of a section by its label: background, methods, results, conclusions or ''."""
    low = label.strip().lower()
    for prefix, kind in _KINDS:
        if low.startswith(prefix):
            return kind
    return next((kind for prefix, kind in _KINDS if prefix in low), "")


# Starts with a character class so that the search can jump; what stands before is checked after.
_LABEL = re.compile(r"[A-Z][A-Z][A-Z ,/&()'-]{1,60}: ")
_LABEL_AFTER = frozenset(".!?)]%:;")


def kinds(text: str, sections: Sequence[Section] | None = None) -> list[tuple[int, str]]:
    """Where each labelled section starts and its kind, in order; empty when unlabelled.

    ``text`` is the abstract with each label as ``LABEL: `` before its section.
    """
    if not sections:
        if ": " not in text:
            return []
        return [
            (match.start(), kind_of(match.group()))
            for match in _LABEL.finditer(text)
            if match.start() == 0 or text[match.start() - 2] in _LABEL_AFTER
        ]
    found = []
    at = 0
    for section in sections:
        label = section.label or ""
        here = text.find(f"{label}: " if label else section.text, at)
        if here >= 0:
            at = here
            found.append((at, kind_of(label) or kind_of(section.category or "")))
    return found
