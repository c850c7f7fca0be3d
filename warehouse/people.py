"""Authors as a citation style needs them: who is a person, who a group, what the initials are."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Words that only names of groups hold; needed where a record gives authors as plain text.
_GROUP = re.compile(
    r"\b(?:group|investigators?|committee|consortium|collaborat\w+|society|network|team|task force"
    r"|association|organi[sz]ation|council|panel|initiative|federation|institute|agency|ministry"
    r"|department|cent(?:er|re)s?|registry|study|trialists|university|hospital|commission)\b",
    re.IGNORECASE,
)
_LAST_AND_INITIALS = re.compile(r"(?P<last>.+?)\s+(?P<initials>[^\W\d_a-z]{1,5})")


@dataclass(frozen=True, slots=True)
class Author:
    """One author. A group has its whole name in ``last`` and ``is_group`` set."""

    last: str
    initials: tuple[str, ...] = ()
    suffix: str = ""
    is_group: bool = False


def authors_of(record: Mapping[str, Any]) -> list[Author]:
    """Authors of ``record`` in order; empty when it has none.

    ``author_details`` (as in ``citations``) decides where it is there, else the texts of
    ``authors`` (``"DiNardo CD"`` or a group's name) are read.
    """
    details = record.get("author_details")
    if details:
        found = [_from_details(part) for part in details if part.get("valid") is not False]
    else:
        found = [_from_text(" ".join(str(name).split())) for name in record.get("authors") or []]
    return [author for author in found if author.last]


def _from_details(part: Mapping[str, Any]) -> Author:
    if part.get("collective_name"):
        return Author(_clean(part["collective_name"]), is_group=True)
    fore, initials = part.get("fore_name") or "", part.get("initials") or ""
    last = _clean(part.get("last_name") or "")
    if not last:
        return Author(_clean(fore or initials))
    return Author(last, _initials(fore, initials), _clean(part.get("suffix") or ""))


def _from_text(name: str) -> Author:
    if _GROUP.search(name):
        return Author(_clean(name), is_group=True)
    found = _LAST_AND_INITIALS.fullmatch(name)
    if not found:
        return Author(_clean(name), is_group=" " in name)
    return Author(found["last"], _initials("", found["initials"]))


def _initials(fore: str, initials: str) -> tuple[str, ...]:
    """One item an initial; ``J.-P.`` where the fore name is hyphenated."""
    hyphened = re.search(r"(\w)\w*-(\w)", fore)
    letters = [letter for letter in initials if letter.isalpha()]
    if not letters:
        letters = [word[0] for word in re.findall(r"\w+", fore)]
        hyphened = None if not letters else hyphened
    if not hyphened:
        return tuple(f"{letter}." for letter in letters)
    pair = (hyphened[1].upper(), hyphened[2].upper())
    for place in range(len(letters) - 1):
        if (letters[place].upper(), letters[place + 1].upper()) == pair:
            joined = f"{letters[place]}.-{letters[place + 1].upper()}."
            rest = [f"{letter}." for letter in letters[place + 2 :]]
            return (*(f"{letter}." for letter in letters[:place]), joined, *rest)
    return tuple(f"{letter}." for letter in letters)


def _clean(text: str) -> str:
    return " ".join(text.split()).rstrip(",;")


def first_name(authors: Sequence[Author]) -> str:
    """Last name or group name of the first author; empty when there is none."""
    return authors[0].last if authors else ""
