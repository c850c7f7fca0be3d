"""Numbers of people that are said in special ways: one case, other languages, clusters."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from etl.text.candidates import Count
from etl.text.count_words import words

# "a 45-year-old man": the unit leads, what stands before it is looked at afterwards.
_OLD = re.compile(r"(?:year|month|week|day|yr)s?[- ](?:old\b|of age\b)")
_ONE_BEFORE = re.compile(
    r"\b(?:an?|the|this|our|one) (?:[a-z-]+ ){0,3}?(?:\d{1,3}|[a-z]+)[- ](?:(?:and[- ]a[- ]half|"
    r"\d)[- ])?$"
)
_ONE_CASE = re.compile(
    r"\b(?:report|describe|present|documents?|illustrate)s?(?:ed)? (?:on |here )?(?:an?|the|our|"
    r"one|this) "
    r"(?:[a-z-]+ ){0,3}?(?:case|patient)\b|\bthe case (?:of|is) an? |\ba (?:rare |"
    r"unusual )?case of\b|"
    r"\bone case (?:of|is|was)\b"
)
_SINGULAR = re.compile(
    r"\bcase report\b|\ba (?:\w+ ){0,2}case\b|\bcase of\b|\bone case\b|\ba patient\b"
)
_PLURAL = re.compile(
    r"\b(?:cases|patients|series|siblings|brothers|sisters|twins|children|infants)\b"
)


class Place(NamedTuple):
    """A value and the offset in the text where it is said."""

    value: int
    offset: int
    confidence: float


def one_case(title: str, text: str) -> Place | None:
    """One patient, when the words of a case report say so; title and text in lower case."""
    titled = ("case" in title or "patient" in title) and _SINGULAR.search(title) is not None
    aged = "old" in text or "of age" in text
    if not (titled or aged) or (_PLURAL.search(title) and "case report" not in title):
        return None
    ages = (
        [age.start() for age in _OLD.finditer(text) if _is_one(text, age.start())] if aged else []
    )
    if len(ages) == 1 and (titled or "case" in text or "report" in text or "present" in text):
        return Place(1, ages[0], 0.85 if titled else 0.7)
    said = _ONE_CASE.search(text) if titled else None
    if titled and (said or ages):
        return Place(1, said.start() if said else ages[0], 0.7)
    return None


def _is_one(text: str, at: int) -> bool:
    """Whether "a" or "the" and an age stand before the unit at ``at``."""
    return _ONE_BEFORE.search(text[max(0, at - 60) : at]) is not None


_FOREIGN_N = re.compile(r"\bn\s?=\s?(\d{1,6})\b", re.IGNORECASE)
_FOREIGN_PEOPLE = re.compile(
    r"(?<![\d.,/<>=%-])(\d{2,6})\s?(?:\w+ )?(?:patient(?:s|es|en|innen|inn?er)?|pacientes|"
    r"pazienti|pacjent\w+|"
    r"personnes|personas|persone|personen|pessoas|sujets|sujetos|soggetti|probanden|enfants|niños|"
    r"kinder|femmes|mujeres|frauen|donne|mulheres|malades|enfermos|participant(?:s|es|i)|"
    r"участник\w+|пациент\w+|больн\w+|例|名|人)",
    re.IGNORECASE,
)


def is_english(text: str) -> bool:
    """Whether a lower-case text is likely English, by its commonest words."""
    return " the " in text or " of " in text or " with " in text


def foreign(text: str) -> Place | None:
    """The number of people in a text that is not English, only where digits make it certain."""
    people = {int(match.group(1)): match.start(1) for match in _FOREIGN_PEOPLE.finditer(text)}
    equal = {int(match.group(1)): match.start(1) for match in _FOREIGN_N.finditer(text)}
    if len(people) == 1:
        value, offset = next(iter(people.items()))
        return Place(value, offset, 0.7) if not equal or max(equal) <= value else None
    if people and equal and max(people) in equal:
        return Place(max(people), people[max(people)], 0.6)
    if not people and len(equal) == 1:
        value, offset = next(iter(equal.items()))
        return Place(value, offset, 0.5) if value >= 10 else None
    return None


_CLUSTER_WORDS = frozenset({"cluster", "clusters", "cluster-randomized"})


def clusters(counts: Sequence[Count], low: str) -> int | None:
    """Units of randomisation that are not people (practices, schools, villages); None when none."""
    best = None
    for count in counts:
        if count.noun != "H" or count.value < 2:
            continue
        near = count.sentence.tokens[max(0, count.at - 8) : count.at + 14]
        randomised = "R" in "".join(count.sentence.classes[max(0, count.at - 8) : count.at + 14])
        if randomised and (
            "cluster" in low or "r1_R" in count.features or "l1_R" in count.features
        ):
            return count.value
        if best is None and not _CLUSTER_WORDS.isdisjoint(near):
            best = count.value
    return best


_WOMEN = words("women woman females female girls girl")
_MEN = words("men man males male boys boy")
_BETWEEN = re.compile(r"[\d()\[\]:;=]")


def both_sexes(best: Count, counts: Sequence[Count]) -> int | None:
    """All people where ``best`` counts one sex ("10 women and eight men"); None elsewhere."""
    one = _sex(best)
    if one is None or best.distance < 0:
        return None
    for other in counts:
        near = other.sentence is best.sentence and 0 < abs(other.at - best.at) <= 6
        stated = other.distance >= 0 and other.noun == "P"
        if near and stated and _sex(other) not in (one, None):
            return best.value + other.value
    return None


def are_sexes(row: Sequence[Count]) -> bool:
    """Whether a row counts the two sexes of one group: "26 males and four females"."""
    said = [_sex(count) for count in row]
    return len(row) == 2 and None not in said and said[0] != said[1]


def _sex(count: Count) -> str | None:
    """The sex that a count counts: its word is one of the next three, with no number before it.

    A share in brackets may stand between: "19 [63%] women".
    """
    after = count.sentence.tokens[count.at + 1 : count.at + 8]
    if after[:1] in (["["], ["("]) and after[2:3] == ["%"] and after[3:4] in (["]"], [")"]):
        after = after[4:]
    for token in after[:3]:
        if token in _WOMEN or token in _MEN:
            return "women" if token in _WOMEN else "men"
        if _BETWEEN.search(token):
            return None
    return None
