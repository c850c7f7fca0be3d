"""What a record's conclusion says about a claim, where it says so beyond doubt.

Certain means: one sentence of the conclusion names the intervention, the comparator (when the
claim has one) and a word of the outcome, states a direction in one of few fixed ways, and holds
no hedge. Everything else is ``unclear``. The rules would rather miss than misread.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from etl.store.index_text import words as fold_words
from warehouse.claims.pico import BETTER, SAME, WORSE, Pico
from warehouse.claims.terms import content_words
from warehouse.report.conclusions import conclusion_sentences

SUPPORTS, CONTRADICTS, UNCLEAR = "supports", "contradicts", "unclear"

_HEDGE = re.compile(
    r"\b(?:may|might|could|would|should|appears?|appeared|seems?|seemed|suggest\w*|possibl\w+"
    r"|potential\w*|probabl\w+|likely|unlikely|unclear|uncertain|inconclusive|whether|if|unless"
    r"|although|though|however|but|while|whereas|except|further|warrant\w*|needed|trend\w*"
    r"|hypothes\w+|similar|comparable|borderline|non-?significant\w*|selected|subgroup\w*)\b",
    re.I,
)
_NO = re.compile(r"\b(?:no|not|nor|neither|never|without|fail\w*|lack\w*|absence)\b", re.I)
_NULL = re.compile(
    r"\b(?:no (?:statistically )?(?:significant )?(?:difference|benefit|effect|reduction|improvement)"
    r"|(?:did|does|do) not (?:significantly )?(?:reduce|lower|decrease|prevent|improve|increase|prolong)"
    r"|(?:was|is|were|are) not (?:superior|more effective|better))\b",
    re.I,
)
_ABOVE = re.compile(
    r"\b(?:(?:was|is|were|are) (?:significantly |clearly )?(?:superior to|more effective|better)"
    r"|outperform(?:s|ed)?)\b",
    re.I,
)
_BELOW = re.compile(
    r"\b(?:was|is|were|are) (?:significantly )?(?:inferior to|less effective|worse)\b", re.I
)
_LESS = re.compile(
    r"\b(?:reduc(?:es|ed)|lower(?:s|ed)|decreas(?:es|ed)|prevent(?:s|ed)"
    r"|(?:was|is|were|are) (?:significantly )?more effective (?:\w+ ){0,6}?(?:in|for|at) preventing)\b",
    re.I,
)
_MORE = re.compile(r"\b(?:improv(?:es|ed)|increas(?:es|ed)|prolong(?:s|ed)|extend(?:s|ed))\b", re.I)
# part of a combination or a choice: the sentence is about something else than the claim
_JOINED_BEFORE = re.compile(r"\b(?:plus|or|combined with|added to)\s+$", re.I)
_JOINED_AFTER = re.compile(r"\s*\b(?:plus|or|with|combined|in combination)\b", re.I)


@dataclass(frozen=True, slots=True)
class Stance:
    """``supports``, ``contradicts`` or ``unclear``, and the sentence that decided (else None)."""

    stance: str = UNCLEAR
    sentence: str | None = None


def stance(claim: Pico, record: Mapping[str, Any]) -> Stance:
    """The stance of ``record`` (title, abstract, abstract_sections) on ``claim``."""
    if claim.intervention is None or claim.outcome is None or claim.relation not in (BETTER, SAME):
        return Stance()
    if not _same_people(claim, record):
        return Stance()
    found = {
        said: sentence
        for sentence in conclusion_sentences(record)
        if (said := _of_sentence(claim, sentence)) is not None
    }
    if len(found) != 1:  # nothing certain, or sentences that disagree
        return Stance()
    ((direction, sentence),) = found.items()
    agrees = direction == claim.relation
    # a better I contradicts "no difference"; so does a worse one
    return Stance(SUPPORTS if agrees else CONTRADICTS, sentence)


def _same_people(claim: Pico, record: Mapping[str, Any]) -> bool:
    if claim.population is None:
        return True
    held = set(fold_words(f"{record.get('title') or ''} {record.get('abstract') or ''}"))
    return set(content_words(claim.population)) <= held


def _of_sentence(claim: Pico, sentence: str) -> str | None:
    """What ``sentence`` says of I: better, worse or same; None when that is not certain."""
    places = _places(claim, sentence)
    if places is None or _HEDGE.search(sentence):
        return None
    if _NULL.search(sentence):
        return SAME
    if _NO.search(sentence):
        return None
    return _direction(claim, sentence, *places)


def _places(claim: Pico, sentence: str) -> tuple[int, int] | None:
    """Where I and C stand; None unless all that the claim names is there, each once."""
    held = set(fold_words(sentence))
    outcome = content_words(claim.outcome or "")
    if not outcome or not set(outcome) <= held:
        return None
    first = _place(claim.intervention or "", sentence)
    second = _place(claim.comparator, sentence) if claim.comparator else len(sentence)
    return (first, second) if first >= 0 and second >= 0 else None


def _place(name: str, sentence: str) -> int:
    found = list(re.finditer(rf"(?<![\w+/-]){re.escape(name)}(?![\w+/-])", sentence, re.I))
    if len(found) != 1:
        return -1
    before, after = sentence[: found[0].start()], sentence[found[0].end() :]
    joined = _JOINED_BEFORE.search(before) or _JOINED_AFTER.match(after)
    return -1 if joined else found[0].start()


def _direction(claim: Pico, sentence: str, first: int, second: int) -> str | None:
    verbs = [(p, m) for p in (_ABOVE, _BELOW, _LESS, _MORE) for m in p.finditer(sentence)]
    changes = {_meaning(claim, pattern) for pattern, _ in verbs}
    if len(changes) != 1 or None in changes:
        return None
    start = min(found.start() for _, found in verbs)
    if not (first < start < second or second < start < first):
        return None
    if claim.comparator is None and re.search(r"\b(?:than|versus|vs|compared)\b", sentence, re.I):
        return None  # compared with something that the claim does not name
    (said,) = changes
    swapped = {BETTER: WORSE, WORSE: BETTER}
    return said if first < second else swapped[str(said)]


def _meaning(claim: Pico, pattern: re.Pattern[str]) -> str | None:
    if pattern is _ABOVE:
        return BETTER
    if pattern is _BELOW:
        return WORSE
    said = "down" if pattern is _LESS else "up"
    if claim.effect is None:
        return None
    return BETTER if said == claim.effect else WORSE
