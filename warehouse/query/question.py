"""A plain question or claim as a search for the records that are nearest to it.

Nothing must match: every word counts, rare ones more, and the title twice. Words are compared
by their English stems. An entry term brings the words of its heading ("heart attack" those of
"myocardial infarction"), as PubMed's mapping does. Measured in benchmarks/quality_search.py.
"""

from collections.abc import Iterator

from etl.store.index_text import fold, stems
from etl.store.index_text import words as fold_words
from warehouse.query.chinese import in_english
from warehouse.query.context import Context
from warehouse.query.mapping import RUN, STOP_WORDS, stop_words
from warehouse.query.plan import Gist

_LONGEST = 200  # words of a text that are looked at: a claim is a sentence, an abstract has 250


def gist(text: str, context: Context) -> Gist | None:
    """What ``text`` is about; None when it holds no letter or digit."""
    found = fold_words(in_english(text)[0])[:_LONGEST]
    stop = stop_words(text)
    telling = [word for word in found if word not in stop] or found
    if not telling:
        return None
    meant = [word for word in _headings(found, context) if word not in telling]
    typed = [*telling, *dict.fromkeys(meant)]
    return Gist(tuple(stems(typed)), tuple(typed))


def _headings(found: list[str], context: Context) -> Iterator[str]:
    """The words of the headings that entry terms in ``found`` stand for, longest terms first."""
    place = 0
    while place < len(found):
        length, name = _entry_term(found, place, context)
        yield from (word for word in fold(name).split() if word not in STOP_WORDS)
        place += length


def _entry_term(found: list[str], place: int, context: Context) -> tuple[int, str]:
    """Length of the longest heading or entry term at ``place``, and the heading of an entry term
    (else empty)."""
    for length in range(min(RUN, len(found) - place), 0, -1):
        run = found[place : place + length]
        if run[0] in STOP_WORDS or run[-1] in STOP_WORDS:
            continue
        heading = context.vocabulary.find(" ".join(run))
        if heading is not None:
            if not heading.preferred:
                context.mapped.append((" ".join(run), heading.name))
            return length, "" if heading.preferred else heading.name
    return 1, ""
