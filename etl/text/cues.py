"""Cues: phrases that say something about a study, with what takes their meaning away.

A cue costs nothing where none of its trigger words stands in the text: only then is its
pattern tried. A match counts unless the veto matches the sentence that it stands in.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

from etl.text.literals import Needs, may_match, needs
from etl.text.patterns import Pattern
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
    lower case and nothing else. ``bounds`` are the offsets in ``low`` between the title, the rough
    sentences of the abstract and the end; a sentence begins with the full stop and blank before
    it, so that a pattern can ask for the beginning of one. ``by_sentence`` holds the words between
    each two bounds, the title's first; the vocabularies are the distinct words of the title and
    of all.
    """

    title: str
    abstract: str
    title_low: str
    abstract_low: str
    low: str
    bare: str
    bounds: Sequence[int]
    by_sentence: Sequence[Sequence[str]]
    title_vocabulary: Set[str]
    vocabulary: Set[str]

    @property
    def body(self) -> int:
        """Offset in ``low`` at which the abstract begins."""
        return len(self.title) + 1

    def closing_words(self) -> Sequence[str]:
        """The words of the last rough sentence of the abstract, mostly its conclusion."""
        return self.by_sentence[-1] if self.abstract else ()

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
    bounds = _bounds(low, len(title) + 1)
    spoken = [bare[start:end].split() for start, end in pairwise(bounds)]
    in_title, anywhere = frozenset(spoken[0]), frozenset(chain.from_iterable(spoken))
    texts = (title, abstract, title_low, abstract_low, low, bare)
    return Words(*texts, bounds, spoken, in_title, anywhere)


def _bounds(low: str, body: int) -> list[int]:
    """Where the title begins, the abstract, each of its rough sentences, and the end."""
    found, at = [0, body], body
    while (at := low.find(". ", at + 1)) >= 0:
        found.append(at)
    if body < len(low):
        found.append(len(low))
    return found


def _plain_dashes(low: str) -> str:
    if not low.isascii():
        for form, plain_form in _PLAIN_FORMS:
            low = low.replace(form, plain_form)
    return low


@dataclass(frozen=True, slots=True)
class Cue:
    """One phrase. ``where`` is title, abstract or any; ``triggers`` are lower-case tokens.

    ``needs`` and ``veto_needs`` are the words without which pattern and veto cannot match; None:
    there are none.
    """

    name: str
    triggers: tuple[str, ...]
    pattern: Pattern
    veto: Pattern | None = None
    where: str = "any"
    needs: Needs | None = None
    veto_needs: Needs | None = None

    def find(self, low: str, start: int, end: int, part: str) -> Hit | None:
        """The first match between two offsets, unless the veto matches there too.

        ``part`` is ``low[start:end]``, which all cues of a sentence share.
        """
        if self.needs and not may_match(self.needs, part):
            return None
        match = self.pattern.of(low).search(low, start, end)
        if match is None:
            return None
        veto, need = self.veto, self.veto_needs
        if veto is None or (need and not may_match(need, part)):
            return Hit(*match.span())
        if veto.of(low).search(low, start, end):
            return None
        return Hit(*match.span())


def cue(name: str, triggers: str, pattern: str, veto: str | None = None, where: str = "any") -> Cue:
    """A cue from its texts; ``triggers`` are separated by spaces."""
    vetoed = Pattern(veto) if veto else None
    needed, veto_needs = needs(pattern), needs(veto) if veto else None
    words = tuple(triggers.split())
    return Cue(name, words, Pattern(pattern), vetoed, where, needed, veto_needs)


class CueSet:
    """Cues with an index from trigger words, so that only those that can match are tried."""

    def __init__(self, cues: Iterable[Cue]) -> None:
        self.cues = tuple(cues)
        self._in_title = _index(self.cues, "abstract")
        self._in_abstract = _index(self.cues, "title")
        self._title_triggers = frozenset(self._in_title)
        self._abstract_triggers = frozenset(self._in_abstract)

    def find(self, words: Words) -> Mapping[str, Hit]:
        """The first hit of every cue that matches, by name, in the order of declaration."""
        found: dict[int, Hit] = {}
        bounds, low = words.bounds, words.low
        index, triggers = self._in_title, self._title_triggers
        for number, spoken in enumerate(words.by_sentence):
            if present := triggers.intersection(spoken):
                start, end = bounds[number], bounds[number + 1] - (not number)  # no line feed
                part = low[start:end]
                for place in {place for word in present for place in index[word]}:
                    if place in found:
                        continue
                    if hit := self.cues[place].find(low, start, end, part):
                        found[place] = hit
            index, triggers = self._in_abstract, self._abstract_triggers
        return {self.cues[place].name: found[place] for place in sorted(found)}


def _index(cues: Iterable[Cue], elsewhere: str) -> dict[str, list[int]]:
    """Places of the cues by trigger, without those that look ``elsewhere``."""
    index: dict[str, list[int]] = {}
    for place, one in enumerate(cues):
        if one.where != elsewhere:
            for trigger in one.triggers:
                index.setdefault(trigger, []).append(place)
    return index
