"""Cues: phrases that say something about a study, with what takes their meaning away.

A cue costs nothing where none of its trigger words stands in the text: only then is its
pattern tried. A match counts unless the veto matches the sentence that it stands in.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from etl.text.sentences import Section, index_at, split

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


@dataclass(slots=True)
class Words:
    """Title and abstract of one citation, prepared once for every cue.

    ``low`` is the title, a line feed and the abstract in lower case with American spelling of
    "randomize", character for character as long as the text, so offsets hold in both.
    """

    title: str
    abstract: str
    sections: tuple[Section, ...]
    low: str
    title_vocabulary: frozenset[str]
    vocabulary: frozenset[str]

    @property
    def body(self) -> int:
        """Offset in ``low`` at which the abstract begins."""
        return len(self.title) + 1

    def near(self, hit: Hit) -> str:
        """The rough sentence around a hit, in lower case."""
        floor, top = (0, self.body - 1) if hit.start < self.body else (self.body, len(self.low))
        begin = max(self.low.rfind(". ", floor, hit.start) + 2, floor)
        end = self.low.find(". ", hit.end, top)
        return self.low[begin : end if end >= 0 else top]

    def sentence(self, hit: Hit) -> str:
        """The sentence, or the title, that a hit stands in, as printed."""
        if hit.start < self.body:
            return self.title
        spans = split(self.abstract)
        span = spans[index_at(spans, hit.start - self.body)]
        return self.abstract[span.start : span.end]


def tokens(low: str) -> frozenset[str]:
    """The distinct words of a lower-case text; digits as 0, letters beyond Latin-1 left out."""
    plain = low.encode("latin-1", "replace").translate(_TOKENS)
    return frozenset(plain.decode("latin-1").split())


def lower(text: str) -> str:
    """``text`` in lower case with plain dashes and "randomize", no character added or lost."""
    low = text.lower()
    if len(low) != len(text):  # some capitals, such as the Turkish dotted I, grow
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return low.translate(_LONG_DASHES) if not low.isascii() else low


def prepare(title: str | None, abstract: str | None, sections: Iterable[Section] = ()) -> Words:
    """``Words`` of a citation; a missing title or abstract is an empty text."""
    title, abstract = title or "", abstract or ""
    low = f"{lower(title)}\n{lower(abstract)}".replace("randomis", "randomiz")
    in_title = tokens(low[: len(title)])
    everywhere = in_title.union(tokens(low[len(title) + 1 :]))
    return Words(title, abstract, tuple(sections), low, in_title, everywhere)


@dataclass(frozen=True, slots=True)
class Cue:
    """One phrase. ``where`` is title, abstract or any; ``triggers`` are lower-case tokens."""

    name: str
    triggers: tuple[str, ...]
    pattern: re.Pattern[str]
    veto: re.Pattern[str] | None = None
    where: str = "any"

    def find(self, words: Words) -> Hit | None:
        """The first match that no veto takes away."""
        begin = words.body if self.where == "abstract" else 0
        end = words.body - 1 if self.where == "title" else len(words.low)
        for match in self.pattern.finditer(words.low, begin, end):
            hit = Hit(*match.span())
            if self.veto is None or not self.veto.search(words.near(hit)):
                return hit
        return None


def cue(
    name: str, triggers: str, pattern: str, veto: str | None = None, where: str = "any"
) -> Cue:
    """A cue from its texts; ``triggers`` are separated by spaces."""
    compiled = re.compile(veto) if veto else None
    return Cue(name, tuple(triggers.split()), re.compile(pattern), compiled, where)


class CueSet:
    """Cues with an index from trigger words, so that only those that can match are tried."""

    def __init__(self, cues: Iterable[Cue]) -> None:
        self.cues = tuple(cues)
        index: dict[str, list[int]] = {}
        for place, one in enumerate(self.cues):
            for trigger in one.triggers:
                index.setdefault(trigger, []).append(place)
        self._index = index

    def find(self, words: Words) -> Mapping[str, Hit]:
        """The first hit of every cue that matches, by name, in the order of declaration."""
        index = self._index
        places = {place for token in index.keys() & words.vocabulary for place in index[token]}
        found: dict[str, Hit] = {}
        for place in sorted(places):
            one = self.cues[place]
            if one.name not in found and (hit := one.find(words)):
                found[one.name] = hit
        return found
