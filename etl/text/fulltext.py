"""How many people a study had, from the paragraphs of its full text.

Each paragraph of methods and results that may state it is read like an abstract
(``sample_size``); the randomised total wins over the enrolled, that over anything else; then what
most paragraphs say, then the confidence.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from etl.text import sample_size

MOST_PARAGRAPHS = 60
MOST_CHARACTERS = 6_000  # of one paragraph; longer ones are no flow of participants

_WEIGHT = {"results": 2, "methods": 2, "abstract": 2, "other": 1}
_PEOPLE = re.compile(
    r"\b(?:patient|participant|subject|women|men|children|adult|infant|people|person|individual|"
    r"volunteer|case|control|student|resident|veteran|adolescent|girl|boy|mother|couple)s?\b",
    re.I,
)
_RANDOMISED = re.compile(
    r"\brandomi[sz]ed\b|\brandomly (?:assigned|allocated)\b|\bunderwent randomi", re.I
)
_ENROLLED = re.compile(r"\benrol|\brecruited\b|\bincluded\b|\bparticipated\b|\bconsecutive", re.I)
_OTHERS = re.compile(
    r"\btrials? (?:was|were) (?:included|identified)\b|\bprevious(?:ly)? (?:study|trial|reported)",
    re.I,
)
_SPLIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class FullTextCount:
    """The number of people and the sentence that states it, as it stands in the full text."""

    value: int
    evidence: str


def find(title: str | None, paragraphs: Iterable[tuple[str, str]]) -> FullTextCount | None:
    """The number of people by ``paragraphs`` (kind of section, text); None when none states it.

    ``kind`` is that of the sources of full texts: abstract, methods, results, other, ...
    """
    read = [
        (kind, found)
        for kind, text in _promising(paragraphs)
        if (found := sample_size.find(title, text)).source == "abstract"
        and found.value is not None
        and found.evidence
    ]
    if not read:
        return None
    votes = Counter(found.value for _, found in read)
    best = max(
        (found for _, found in read),
        key=lambda f: (_rank(f.evidence or ""), votes[f.value], f.confidence or 0.0),
    )
    return FullTextCount(best.value or 0, best.evidence or "")


def _promising(paragraphs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    kept = [
        (kind, text)
        for kind, text in paragraphs
        if kind in _WEIGHT
        and len(text) <= MOST_CHARACTERS
        and _SPLIT.search(text)
        and _PEOPLE.search(text)
        and (_RANDOMISED.search(text) or _ENROLLED.search(text))
        and not _OTHERS.search(text)
    ]
    return kept[:MOST_PARAGRAPHS]


def _rank(evidence: str) -> int:
    return 2 if _RANDOMISED.search(evidence) else 1 if _ENROLLED.search(evidence) else 0
