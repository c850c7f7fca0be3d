"""Cues: phrases that say something about a study, with what takes their meaning away.

A cue costs nothing where none of its trigger words stands in the text: only then is its
pattern tried. A match counts unless the veto matches the sentence that it stands in.
"""

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from etl.text.sentences import index_at, split

# Letters stay, every digit becomes 0 (the shape of a number says enough), the rest separates.
_LETTERS = frozenset(range(97, 123)) | frozenset(range(0xDF, 0x100)) - {0xF7}
_TOKENS = bytes(
    c if c in _LETTERS else 48 if 48 <= c <= 57 else 32  # ASCII digits, space
    for c in range(256)
)
_LONG_DASHES = str.maketrans({"‐": "-", "‑": "-", "–": "-", "—": "-", "\n": " ", "\xa0": " "})


class Hit(NamedTuple):
    """Where a cue matched: offsets into ``Words.low``, end exclusive."""

    start: int
    end: int


class Stretch(NamedTuple):
    """A rough sentence of ``Words.low`` and its distinct words; the title is the first."""

    start: int
    end: int
    vocabulary: Set[str]


@dataclass(slots=True)
class Words:
    """Title and abstract of one citation, prepared once for every cue.

    ``low`` is the title, a line feed and the abstract in lower case with American spelling of
    "randomize", character for character as long as the text, so offsets hold in both.
    """

    title: str
    abstract: str
    low: str
    stretches: list[Stretch]

    @property
    def body(self) -> int:
        """Offset in ``low`` at which the abstract begins."""
        return len(self.title) + 1

    @property
    def title_vocabulary(self) -> Set[str]:
        """Distinct words of the title."""
        return self.stretches[0].vocabulary

    @property
    def vocabulary(self) -> Set[str]:
        """Distinct words of title and abstract."""
        return set().union(*(s.vocabulary for s in self.stretches))

    def sentence(self, hit: Hit) -> str:
        """The sentence, or the title, that a hit stands in, as printed."""
        if hit.start < self.body:
            return self.title
        spans = split(self.abstract)
        inside = max(hit.start, hit.end - 1) - self.body
        span = spans[index_at(spans, inside)]
        return self.abstract[span.start : span.end]


def plain(low: str) -> str:
    """A lower-case text with digits as 0 and all but letters as blanks, as long as before."""
    return low.encode("latin-1", "replace").translate(_TOKENS).decode("latin-1")


def tokens(low: str) -> frozenset[str]:
    """The distinct words of a lower-case text; letters beyond Latin-1 are left out."""
    return frozenset(plain(low).split())


def lower(text: str) -> str:
    """``text`` in lower case with plain dashes and "randomize", no character added or lost."""
    low = text.lower()
    if len(low) != len(text):  # some capitals, such as the Turkish dotted I, grow
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return low.translate(_LONG_DASHES) if not low.isascii() else low


def prepare(title: str | None, abstract: str | None) -> Words:
    """``Words`` of a citation; a missing title or abstract is an empty text."""
    title, abstract = title or "", abstract or ""
    low = f"{lower(title)}\n{lower(abstract)}".replace("randomis", "randomiz")
    bare = plain(low)
    body = len(title) + 1
    found = [Stretch(0, body - 1, set(bare[: body - 1].split()))]
    start = body
    while start < len(low):
        stop = low.find(". ", start + 1)
        end = stop if stop >= 0 else len(low)
        found.append(Stretch(start, end, set(bare[start:end].split())))
        start = stop if stop >= 0 else len(low)
    return Words(title, abstract, low, found)


@dataclass(frozen=True, slots=True)
class Cue:
    """One phrase. ``where`` is title, abstract or any; ``triggers`` are lower-case tokens."""

    name: str
    triggers: tuple[str, ...]
    pattern: re.Pattern[str]
    veto: re.Pattern[str] | None = None
    where: str = "any"

    def find(self, low: str, stretch: Stretch) -> Hit | None:
        """The first match inside a stretch, unless the veto matches there too.

        A stretch begins with the full stop and blank before the sentence, so that a pattern
        can ask for the beginning of a sentence.
        """
        match = self.pattern.search(low, stretch.start, stretch.end)
        if match is None:
            return None
        if self.veto and self.veto.search(low, stretch.start, stretch.end):
            return None
        return Hit(*match.span())


def cue(name: str, triggers: str, pattern: str, veto: str | None = None, where: str = "any") -> Cue:
    """A cue from its texts; ``triggers`` are separated by spaces."""
    compiled = re.compile(veto) if veto else None
    return Cue(name, tuple(triggers.split()), re.compile(pattern), compiled, where)


class CueSet:
    """Cues with an index from trigger words, so that only those that can match are tried."""

    def __init__(self, cues: Iterable[Cue]) -> None:
        self.cues = tuple(cues)
        self._in_title = _index(self.cues, "abstract")
        self._in_abstract = _index(self.cues, "title")

    def find(self, words: Words) -> Mapping[str, Hit]:
        """The first hit of every cue that matches, by name, in the order of declaration."""
        found: dict[int, Hit] = {}
        index = self._in_title
        for stretch in words.stretches:
            for token in index.keys() & stretch.vocabulary:
                for place in index[token]:
                    if place not in found and (hit := self.cues[place].find(words.low, stretch)):
                        found[place] = hit
            index = self._in_abstract
        return {self.cues[place].name: found[place] for place in sorted(found)}


def _index(cues: Iterable[Cue], elsewhere: str) -> dict[str, list[int]]:
    """Places of the cues by trigger, without those that look ``elsewhere``."""
    index: dict[str, list[int]] = {}
    for place, one in enumerate(cues):
        if one.where != elsewhere:
            for trigger in one.triggers:
                index.setdefault(trigger, []).append(place)
    return index
