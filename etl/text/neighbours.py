"""What the next number of a sentence, or the patients of a text, say about a number of people."""

from collections.abc import Sequence
from itertools import pairwise

from etl.text import things
from etl.text.candidates import Count
from etl.text.count_words import words

_CONTAINING = words("of in from on among")
_NO_THINGS = frozenset("VEXRCATU")
_STAFF = words(
    """
    physicians doctors nurses clinicians practitioners professionals providers gps pharmacists
    surgeons therapists midwives prescribers
    """
)
_PATIENTS = words("patients patient children infants women participants")


def mark(counts: Sequence[Count]) -> None:
    """Add to the features of counts, in the order of the text, what their neighbours say."""
    for one, other in pairwise(counts):
        if one.sentence is other.sentence:
            _things(one, other)
            _screened(one, other)
            _shared(one, other)
    things.mark(counts)
    _staff(counts)


def _things(one: Count, other: Count) -> None:
    """Mark what people have: "179 valve sites in 129 patients"."""
    tokens, classes = one.sentence.tokens, one.sentence.classes
    if one.noun in ("P", "F") or one.form == "n" or other.noun not in ("P", "O"):
        return
    if one.value < other.value or not 2 < other.at - one.at < 9 or other.distance > 2:
        return
    if tokens[other.at - 1] not in _CONTAINING:
        return
    thing = tokens[other.at - 2]
    if thing.isalpha() and thing.endswith("s") and _NO_THINGS.isdisjoint(classes[other.at - 2]):
        one.features.append("things_of_people")


def _shared(one: Count, other: Count) -> None:
    """Mark a bare number of the same things: "40 AB and 50 CD procedures", "of 90 articles, 12"."""
    if not one.noun and one.form == "other" and other.noun in ("O", "H", "D"):
        between = one.sentence.tokens[one.at + 1 : other.at]
        if 0 < len(between) < 4 and between[-1] in ("and", "or") and other.distance < 4:
            one.features.append("things_shared")
    opening = not {"first_of", "out_of"}.isdisjoint(one.features)
    if opening and one.noun in ("O", "H", "D") and not other.noun and other.form == "other":
        other.features.append("things_shared")


def _screened(one: Count, other: Count) -> None:
    """Mark those who are left: "of 5093 volunteers screened, 2306 had negative tests"."""
    if not {"screened", "first_of"} <= set(one.features) or other.value >= one.value:
        return
    if one.sentence.tokens[other.at - 1] == "," and "part_of" not in other.features:
        if other.noun == "V":
            other.noun = ""
            other.features.remove("noun_V")
        other.features.append("left_of_screened")


def _staff(counts: Sequence[Count]) -> None:
    """Mark those who treat where more patients are counted: "17 nurses and 502 patients"."""
    most = max((count.value for count in counts if _who(count) in _PATIENTS), default=0)
    for count in counts:
        if count.value < most and _who(count) in _STAFF:
            count.features.append("staff_beside")


def _who(count: Count) -> str:
    """The word that a count of people counts; before "(n = 17)" the nearest in the list."""
    tokens, at = count.sentence.tokens, count.at
    if count.noun == "P" and count.distance > 0:
        return tokens[at + count.distance]
    before = reversed(tokens[max(0, at - 6) : at]) if count.form == "n" else ()
    return next((token for token in before if token in _STAFF or token in _PATIENTS), "")
