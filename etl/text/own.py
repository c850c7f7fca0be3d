"""Whose number it is: planned, of the parent trial, or of the part that makes up this study."""

import re
from collections.abc import Sequence

from etl.text.candidates import Count
from etl.text.count_words import words

_PLAN = words("planned intended aimed designed target targeted anticipated planning")
_SIZES = words("sample size enrolment enrollment recruitment number accrual")
_TO_TAKE = words("enrol enroll recruit randomize randomise include accrue")
_TAKEN = words("randomized randomised enrolled recruited included accrued")
_NEEDED = words("planned needed required anticipated intended")
_STOPPED = words("stopped terminated closed halted discontinued")
_STOPPED_WITH = words("after with at")
_MAKES = words("constitute constituted constitutes comprise comprised comprises formed")
_SAMPLE = words("population sample")
_WORDS = _PLAN | _SIZES | _TO_TAKE | _STOPPED | _MAKES | _NEEDED
_PART = words("substudy sub-study ancillary")
_NOW = words("substudy ancillary followed follow-up followup this present current we took")
_PARTS_OF_TITLES = re.compile(
    r"\bsub-?study\b|\bancillary study\b|\bfollow-?up (?:study )?of (?:the |a |an )?"
    r"(?:[\w-]+ ){0,6}?(?:trial|study)\b"
)


def mark(counts: Sequence[Count], title: str) -> None:
    """Add to the features of counts what makes a number this study's own or another's."""
    for count in counts:
        if not _WORDS.isdisjoint(count.sentence.tokens):
            _planned(count)
            _makes_sample(count)
        if not _PART.isdisjoint(_around(count)) or _sub_study(_around(count)):
            count.features.append("in_substudy")
    if ("study" in title or "trial" in title) and _PARTS_OF_TITLES.search(title):
        _parent(counts)


def _around(count: Count) -> list[str]:
    return count.sentence.tokens[max(0, count.at - 8) : count.at + 12]


def _sub_study(tokens: list[str]) -> bool:
    return "sub" in tokens and tokens[tokens.index("sub") + 1 :][1:2] == ["study"]


def _planned(count: Count) -> None:
    """Mark "planned to enrol 400 patients", "2000 were needed" and "stopped after 300"."""
    tokens, at = count.sentence.tokens, count.at
    before, after = _clause(tokens, at, -8), _clause(tokens, at, 8)
    if not _STOPPED.isdisjoint(before) and not _STOPPED_WITH.isdisjoint(before[-2:]):
        count.features.append("stopped_with")
        return
    to_take = "to" in before and not _TO_TAKE.isdisjoint(before[-3:])
    sized = not _SIZES.isdisjoint(before) and not _PLAN.isdisjoint(before)
    to_come = "to be" in " ".join(after) and not _TAKEN.isdisjoint(after)
    needed = ("was" in after or "were" in after) and not _NEEDED.isdisjoint(after[:5])
    if to_take or sized or to_come or (needed and "for" not in after[2:6]):
        count.features.append("planned")


def _clause(tokens: list[str], at: int, reach: int) -> list[str]:
    """Up to ``reach`` tokens before (negative) or after a number, within its clause."""
    if reach < 0:
        near = tokens[max(0, at + reach) : at]
        ends = [step for step, token in enumerate(near) if token in ".;,"]
        return near[ends[-1] + 1 :] if ends else near
    near = tokens[at + 1 : at + 1 + reach]
    return near[: next((step for step, token in enumerate(near) if token in ".;,"), reach)]


def _makes_sample(count: Count) -> None:
    """Mark "45 of those who had screws constitute the study population"."""
    tokens = count.sentence.tokens[count.at + 1 : count.at + 40]
    if count.form in ("paren", "n") or _another_follows(count, tokens):
        return
    place = next((step for step, token in enumerate(tokens) if token in _MAKES), None)
    made = tokens[place + 1 : place + 5] if place is not None else []
    if not _SAMPLE.isdisjoint(made) and "control" not in made:
        count.features.append("makes_sample")


def _another_follows(count: Count, tokens: list[str]) -> bool:
    """Whether another count, outside brackets, stands between this one and the verb."""
    verb = next((step for step, token in enumerate(tokens) if token in _MAKES), 0)
    return any(
        0 < other.at - count.at <= verb and other.form not in ("paren", "n")
        for other in count.sentence.counts
    )


def _parent(counts: Sequence[Count]) -> None:
    """Mark the parent's people where fewer are counted later for the part that is reported."""
    people = [count for count in counts if count.noun == "P" or count.form == "n"]
    for place, count in enumerate(people):
        own = next(
            (
                other
                for other in people[place + 1 :]
                if other.value < count.value
                and other.sentence is not count.sentence
                and not _NOW.isdisjoint(other.sentence.tokens)
            ),
            None,
        )
        if own is not None and "R" in count.sentence.letters:
            count.features.append("of_parent")
            own.features.append("of_part")
            return
