"""Numbers whose own word is far or missing, and whose sentence counts things or guesses a range."""

from collections.abc import Sequence
from itertools import pairwise

from etl.text.candidates import Count
from etl.text.count_words import words

_MET = words("met fulfilled satisfied")
_MADE_OF = words("derived")
_RATES = words("incidence prevalence rate frequency proportion")


def mark(counts: Sequence[Count]) -> None:
    """Add to the features of counts, in the order of the text, which of them go with things."""
    for one, other in pairwise(counts):
        if one.sentence is other.sentence:
            _range(one, other)
            _met(one, other)
    for count in counts:
        if _made_of_people(count):
            count.features.append("goes_with_things")
        if count.form == "n" and _of_a_rate(count):
            count.features.append("n_of_share")


def _range(one: Count, other: Count) -> None:
    """Mark both ends of "from 110,000 to 210,000 cases": what changes is no sample."""
    tokens = one.sentence.tokens
    if other.at == one.at + 2 and tokens[one.at + 1] == "to" and tokens[one.at - 1] == "from":
        one.features.append("range_of_people")
        other.features.append("range_of_people")


def _met(one: Count, other: Count) -> None:
    """Tell those taken from those found: "of 388 patients identified, 47 met the criteria"."""
    tokens = one.sentence.tokens
    if one.noun != "P" or "first_of" not in one.features:
        return
    if other.noun or other.value >= one.value:
        return
    if tokens[other.at - 1] != "," or tokens[other.at + 1 : other.at + 2] == []:
        return
    if tokens[other.at + 1] not in _MET or "criteria" not in tokens[other.at + 2 : other.at + 8]:
        return
    one.features.append("of_then_met")
    other.features.append("met_criteria")


def _made_of_people(count: Count) -> bool:
    """Whether what was made from people is counted: "eighteen patient-derived explants"."""
    after = count.sentence.tokens[count.at + 1 : count.at + 9]
    if after[1:2] not in (["-"], ["‐"], ["‑"]) or after[2:3] == [] or after[2] not in _MADE_OF:
        return False
    return "P" in count.sentence.classes[count.at + 1]


def _of_a_rate(count: Count) -> bool:
    """Whether those with an event are counted: "the incidence of gout was 66% (n = 79)"."""
    tokens, at = count.sentence.tokens, count.at
    if tokens[max(0, at - 4) : at] != ["%", "(", "n", "="]:
        return False
    return not _RATES.isdisjoint(tokens[max(0, at - 14) : at - 4])
