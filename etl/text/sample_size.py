"""How many people a study enrolled or randomised, from the words of its title and abstract."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from etl.text import arms as arms_
from etl.text import ranking, reviews, sentences
from etl.text.candidates import Count, counts, read
from etl.text.count_words import PEOPLE_MARKS
from etl.text.features import describe, place
from etl.text.sentences import Section


class Candidate(NamedTuple):
    """A number that may be the total: value, the sentence, confidence 0..1."""

    value: int
    sentence: str
    confidence: float


@dataclass(frozen=True, slots=True)
class SampleSize:
    """What is said about the number of people; None and empty tuples where nothing is said.

    ``start`` and ``end`` are character offsets of ``evidence`` in the abstract or title that
    ``source`` names. ``confidence`` is the chance, 0..1, that ``value`` is right.
    """

    value: int | None = None
    source: str = "none"
    evidence: str | None = None
    start: int | None = None
    end: int | None = None
    confidence: float | None = None
    analysed: int | None = None
    arms: tuple[int, ...] = ()
    n_studies: int | None = None
    n_participants: int | None = None
    n_clusters: int | None = None
    alternatives: tuple[Candidate, ...] = ()


NOTHING = SampleSize()


def weigh(title: str, text: str, sections: Sequence[Section] | None) -> list[Count]:
    """All candidates of a text with features and scores, in the order of the text."""
    low = text.lower()
    if len(low) != len(text):
        low = text
    spans = sentences.split(text)
    found = [
        count
        for sentence in read(text, low, spans, sentences.kinds(text, sections))
        for count in counts(sentence)
    ]
    table = ranking.weights()
    for count in found:
        describe(count)
    place(found, len(spans), _numbers_of(title))
    for count in found:
        count.arm = arms_.arm_weight(count.features, table)
    found += _from_arms(found, table)
    for count in found:
        count.score = ranking.score(count.features, table)
    return found


_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+|(?<![\w.,])\d{2,6}(?![\w.%])")


def _numbers_of(title: str) -> frozenset[int]:
    return frozenset(int(number.replace(",", "")) for number in _NUMBER.findall(title))


def _from_arms(found: Sequence[Count], table: Mapping[str, float]) -> list[Count]:
    """Totals that nobody states but the arms add up to; arms and stated sums are marked as such."""
    made = []
    each = arms_.each(found)
    if each is not None:
        count, groups = each
        count.features.append("in_row")
        made.append(_made(count, count.value * groups, "arms_each"))
    row = arms_.best_row(found, None, table)
    if row is not None:
        for count in row.counts:
            count.features.append("in_row")
        made.append(_made(row.counts[0], row.total, "arms_sum" if row.score > 1.0 else "arms_low"))
    totals = {count.value for count in made}
    for count in found:
        if count.value in totals:
            count.features.append("sum_of_row")
            totals.discard(count.value)
            made = [one for one in made if one.value != count.value]
    return made


def _made(count: Count, value: int, how: str) -> Count:
    features = [how] + [name for name in count.features if name[:3] in ("at_", "in_", "s_R", "s_F")]
    return Count(value, count.sentence, count.at, "P", -1, features)


def find(
    title: str | None,
    abstract: str | None,
    sections: Sequence[Section] | None = None,
    language: str = "eng",
) -> SampleSize:
    """The number of people of this study, read from the abstract, else from the title."""
    for source, text in (("abstract", abstract), ("title", title)):
        if not text:
            continue
        low = text.lower()
        if not any(mark in low for mark in PEOPLE_MARKS):
            continue
        found = _from_text(
            title or "", text, low, sections if source == "abstract" else None, source
        )
        if found is not None:
            return found
    return NOTHING


def _from_text(
    title: str, text: str, low: str, sections: Sequence[Section] | None, source: str
) -> SampleSize | None:
    head = title.lower() or low[: low.find(". ") + 1]
    if reviews.is_review(head, low) or reviews.is_protocol(head, low):
        return None
    found = weigh(title, text, sections)
    if not found:
        return None
    best = max(found, key=lambda count: count.score)
    if best.score <= 0:
        return None
    span = best.sentence.span
    row = arms_.best_row(
        [count for count in found if count.distance >= 0], best.value, ranking.weights()
    )
    return SampleSize(
        value=best.value,
        source=source,
        evidence=text[span.start : span.end],
        start=span.start,
        end=span.end,
        confidence=_chance(best, found),
        arms=row.values if row else (),
    )


def _chance(best: Count, found: Sequence[Count]) -> float:
    odds: dict[int, float] = {}
    for count in found:
        odds[count.value] = odds.get(count.value, 0.0) + math.exp(min(count.score, 30.0))
    return odds[best.value] / (1.0 + sum(odds.values()))
