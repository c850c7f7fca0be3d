"""The sentences of a text that hold a number beside a word for people: where counts may stand."""

from collections.abc import Callable, Sequence, Set

from etl.text.candidates import Sentence
from etl.text.count_words import CLASS
from etl.text.numbers import WORD_MARKS, WORDS, tokenize
from etl.text.patterns import Pattern
from etl.text.sentences import Span, index_at


def may_count(low: str, vocabulary: Set[str]) -> bool:
    """Whether a text holds a number at all; a cheap look before anything dear."""
    if _PLAUSIBLE.search(low) is not None or not WORDS.isdisjoint(vocabulary):
        return True
    return any(mark in low for mark in WORD_MARKS)


def read(
    text: str,
    low: str,
    spans: Sequence[Span],
    vocabulary: Set[str],
    kind_at: Callable[[], Sequence[tuple[int, str]]] = tuple,
) -> list[Sentence]:
    """The sentences of ``text`` that hold a number beside a word for people.

    ``low`` is the same in lower case, of the same length; ``vocabulary`` holds at least its
    words. ``kind_at`` gives where each section starts and its kind; asked only when needed.
    """
    found: list[Sentence] = []
    for order in _with_numbers(low, spans, vocabulary):
        start, end = span = spans[order]
        part = low[start:end]
        for mark in _SENTENCE_MARKS:
            if mark in part:
                break
        else:
            continue
        tokens, values = tokenize(part)
        classes = [_class(token, "") for token in tokens]
        letters = "".join(classes)
        if "P" not in letters and "R" not in letters and "E" not in letters and "=" not in tokens:
            continue
        said = text[start:end]
        capital = "N = " in said or "N=" in said
        found.append(Sentence(span, order, "", tokens, classes, values, capital, letters, said))
    if found:
        _set_kinds(found, kind_at())
    return found


def _with_numbers(low: str, spans: Sequence[Span], vocabulary: Set[str]) -> list[int]:
    """Numbers of the sentences that hold digits or a number word, in order."""
    found = set()
    search = _PLAUSIBLE.of(low).search
    match = search(low)
    while match is not None:
        order = index_at(spans, match.start())
        found.add(order)
        match = search(low, spans[order].end)
    for mark in WORD_MARKS:
        at = low.find(mark)
        while at >= 0:
            order = index_at(spans, at)
            found.add(order)
            at = low.find(mark, max(at + 1, spans[order].end))  # a blank may stand between two
    for word in WORDS & vocabulary:
        found |= _spelled(word, low, spans)
    return sorted(found)


def _spelled(word: str, low: str, spans: Sequence[Span]) -> set[int]:
    """Numbers of the sentences in which a word stands between blanks."""
    found = set()
    at = low.find(word)
    while at >= 0:
        end = at + len(word)
        order = index_at(spans, at)
        first, last = spans[order]
        if (at == first or low[at - 1].isspace()) and (end == last or low[end].isspace()):
            found.add(order)
            end = last
        at = low.find(word, end)
    return found


def _set_kinds(found: Sequence[Sentence], kind_at: Sequence[tuple[int, str]]) -> None:
    for sentence in found if kind_at else ():
        for at, kind in kind_at:
            if at >= sentence.span[1]:
                break
            sentence.kind = kind


_class = CLASS.get

# A number that is neither a decimal nor a percentage nor before a common unit. The digit stands
# first so that the search jumps from digit to digit.
_PLAUSIBLE = Pattern(
    r"\d(?<![\d.,<>≤≥±*$·-]\d)\d*+(?:,\d{3})*+"
    r"(?! ?%|[.,·]\d|-(?:week|month|year|day|h)| (?:mg|weeks?|months?|years?|days?)\b)"
    r"|\d\.\d{3} [a-z]"
)


# Words for people and for what is done with them, the commonest first: most sentences end the
# search early. A sentence with none of them is not looked at.
_SENTENCE_MARKS = (
    "patient", "n =", "n=", "women", "particip", "subjects", "case", "child", "individuals",
    "adults", "people", "person", "volunteer", "infant", "student", "respond", "enrol",
    "recruit", "randomi", "assign", "allocat", "group", "control", " men ", "studies",
    "trials", "surviv", "received", "births", "mothers", "eligible", "males", "practices",
    "clusters", "pts ", "neonat", "residents", "nurses", "worker", "articles", "pregnan", "donors",
    "adolescent", "newborn", "boys", "girls", "couples", "placebo", "client", "carer", "carrier",
    "caregiver", "parents", "constitut", "veterans", "included", "physicians",
)  # fmt: skip
