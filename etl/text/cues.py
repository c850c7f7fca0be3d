"""Cues: phrases that say something about a study, with what takes their meaning away.

A cue costs nothing where none of its trigger words stands in the text: only then is its
pattern tried. A match counts unless the veto matches the sentence that it stands in.
"""

import re
from bisect import bisect_right
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
_PLAIN_FORMS = (("‐", "-"), ("‑", "-"), ("–", "-"), ("—", "-"), ("\n", " "), ("\xa0", " "))


class Hit(NamedTuple):
    """Where a cue matched: offsets into ``Words.low``, end exclusive."""

    start: int
    end: int


@dataclass(slots=True)
class Words:
    """Title and abstract of one citation, prepared once for every cue and for the sample size.

    ``low`` is the title, a line feed and the abstract in lower case with American spelling of
    "randomize", character for character as long as the text, so offsets hold in both; ``bare``
    is ``low`` with blanks for all but letters and digits. ``title_low`` and ``abstract_low`` are
    lower case and nothing else. The vocabularies are the distinct words of the title and of all.
    """

    title: str
    abstract: str
    title_low: str
    abstract_low: str
    low: str
    bare: str
    title_vocabulary: Set[str]
    vocabulary: Set[str]

    @property
    def body(self) -> int:
        """Offset in ``low`` at which the abstract begins."""
        return len(self.title) + 1

    def bounds(self) -> list[int]:
        """Offsets in ``low`` between the rough sentences of the abstract, both ends included.

        A sentence begins with the full stop and blank before it, so that a pattern can ask for
        the beginning of a sentence.
        """
        low, at = self.low, self.body
        found = [at]
        while (at := low.find(". ", at + 1)) >= 0:
            found.append(at)
        found.append(len(low))
        return found

    def closing_words(self) -> frozenset[str]:
        """The distinct words of the last rough sentence of the abstract, mostly its conclusion."""
        start = max(self.low.rfind(". ", self.body), self.body)
        return frozenset(self.bare[start:].split())

    def sentence(self, hit: Hit) -> str:
        """The sentence, or the title, that a hit stands in, as printed."""
        body = self.body
        if hit.start < body:
            return self.title
        spans = split(self.abstract)
        span = spans[index_at(spans, max(hit.start, hit.end - 1) - body)]
        return self.abstract[span.start : span.end]


def plain(low: str) -> str:
    """A lower-case text with digits as 0 and all but letters as blanks, as long as before."""
    return low.encode("latin-1", "replace").translate(_TOKENS).decode("latin-1")


def tokens(low: str) -> frozenset[str]:
    """The distinct words of a lower-case text; letters beyond Latin-1 are left out."""
    return frozenset(plain(low).split())


def lower(text: str) -> str:
    """``text`` in lower case, no character added or lost."""
    low = text.lower()
    if len(low) != len(text):  # some capitals, such as the Turkish dotted I, grow
        return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return low


def prepare(title: str | None, abstract: str | None) -> Words:
    """``Words`` of a citation; a missing title or abstract is an empty text."""
    title, abstract = title or "", abstract or ""
    title_low, abstract_low = lower(title), lower(abstract)
    low = f"{_plain_dashes(title_low)}\n{_plain_dashes(abstract_low)}"
    low = low.replace("randomis", "randomiz")
    bare = plain(low) + " "
    in_title, anywhere = frozenset(bare[: len(title)].split()), frozenset(bare.split())
    return Words(title, abstract, title_low, abstract_low, low, bare, in_title, anywhere)


def _plain_dashes(low: str) -> str:
    if not low.isascii():
        for form, plain_form in _PLAIN_FORMS:
            low = low.replace(form, plain_form)
    return low


@dataclass(frozen=True, slots=True)
class Cue:
    """One phrase. ``where`` is title, abstract or any; ``triggers`` are lower-case tokens."""

    name: str
    triggers: tuple[str, ...]
    pattern: re.Pattern[str]
    veto: re.Pattern[str] | None = None
    where: str = "any"

    def find(self, low: str, start: int, end: int) -> Hit | None:
        """The first match between two offsets, unless the veto matches there too."""
        match = self.pattern.search(low, start, end)
        if match is None:
            return None
        if self.veto and self.veto.search(low, start, end):
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
        self._triggers = frozenset(self._in_title) | frozenset(self._in_abstract)

    def find(self, words: Words) -> Mapping[str, Hit]:
        """The first hit of every cue that matches, by name, in the order of declaration."""
        found: dict[int, Hit] = {}
        present = self._triggers & words.vocabulary
        if present:
            self._find_in_title(words, present & words.title_vocabulary, found)
            if words.abstract:
                self._find_in_abstract(words, present, found)
        return {self.cues[place].name: found[place] for place in sorted(found)}

    def _find_in_title(self, words: Words, present: Set[str], found: dict[int, Hit]) -> None:
        index, end = self._in_title, len(words.title)
        for place in {place for token in present for place in index.get(token, ())}:
            if hit := self.cues[place].find(words.low, 0, end):
                found[place] = hit

    def _find_in_abstract(self, words: Words, present: Set[str], found: dict[int, Hit]) -> None:
        bounds = words.bounds()
        wanted: dict[int, set[int]] = {}
        for token in present:
            sentences = None
            for place in self._in_abstract.get(token, ()):
                if place not in found:
                    if sentences is None:
                        sentences = _sentences_with(token, words.bare, bounds)
                    if place in wanted:
                        wanted[place].update(sentences)
                    else:
                        wanted[place] = set(sentences)
        for place, numbers in wanted.items():
            one = self.cues[place]
            for number in sorted(numbers):
                if hit := one.find(words.low, bounds[number], bounds[number + 1]):
                    found[place] = hit
                    break


def _sentences_with(token: str, bare: str, bounds: list[int]) -> list[int]:
    """Numbers of the rough sentences that hold a word."""
    found = []
    at, size = bare.find(token, bounds[0]), len(token)
    while at >= 0:
        end = at + size
        if bare[end] == " " and bare[at - 1] == " ":
            number = bisect_right(bounds, at) - 1
            found.append(number)
            end = bounds[number + 1]
        at = bare.find(token, end)
    return found


def _index(cues: Iterable[Cue], elsewhere: str) -> dict[str, list[int]]:
    """Places of the cues by trigger, without those that look ``elsewhere``."""
    index: dict[str, list[int]] = {}
    for place, one in enumerate(cues):
        if one.where != elsewhere:
            for trigger in one.triggers:
                index.setdefault(trigger, []).append(place)
    return index
