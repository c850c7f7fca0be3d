"""How many people a study enrolled or randomised, from the words of its title and abstract.

The total is this study's own: never what was planned, screened or counted as events, never the
people of a cited study, never animals. For a review the studies and their participants are
given apart and ``value`` is None. Where the unit of randomisation is not a person, the people
are still counted and the units stand in ``n_clusters``.
"""

import math
import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from etl.text import arms, count_words, pooled, ranking, reviews, sentences, special_counts
from etl.text.candidates import Count, Sentence
from etl.text.count_words import PEOPLE_MARKS, PEOPLE_WORDS
from etl.text.cues import Words, prepare, tokens
from etl.text.numbered import may_count
from etl.text.sentences import Section
from etl.text.weighing import gather, weigh


class Candidate(NamedTuple):
    """A number that may be the total: value, its sentence, confidence 0..1."""

    value: int
    sentence: str
    confidence: float


@dataclass(frozen=True, slots=True)
class SampleSize:
    """What is said about the number of people; None and empty tuples where nothing is said.

    ``start`` and ``end`` are character offsets of ``evidence`` in the abstract or title that
    ``source`` names. ``confidence`` is the chance, 0..1, that ``value`` is right. ``analysed``
    is a smaller number of people analysed or followed to the end, ``arms`` the people by arm
    in the order of the text. A protocol's planned number is only among ``alternatives``.
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

# A planned number, and numbers of a text that is not a study, are kept with this little trust.
_PLANNED = 0.05


class _Text(NamedTuple):
    """A source text in both cases with the lower-case title that goes with it.

    ``vocabulary`` holds the distinct words of the text, and maybe others.
    """

    title: str
    text: str
    low: str
    vocabulary: Set[str]
    source: str
    sections: Sequence[Section] | None


def find(
    title: str | None,
    abstract: str | None,
    sections: Sequence[Section] | None = None,
    language: str = "eng",
) -> SampleSize:
    """The number of people of this study, read from the abstract, else from the title.

    ``abstract`` has each section label as ``LABEL: `` before its text; ``sections`` may be
    left out. ``language`` is the MEDLINE code; a text that is not English is read only where
    digits make it certain. Nothing found: ``value`` None and ``source`` "none".
    """
    return find_in(prepare(title, abstract), sections, language)


def find_in(
    words: Words, sections: Sequence[Section] | None = None, language: str = "eng"
) -> SampleSize:
    """``find`` in a citation whose words are prepared already."""
    title, abstract = words.title_low, words.abstract_low
    if abstract:
        head = title or abstract[: abstract.find(". ") + 1]
        here = _Text(head, words.abstract, abstract, words.vocabulary, "abstract", sections)
        result = _read(here, language)
        if result is not NOTHING:
            return result
    if title:
        here = _Text(title, words.title, title, words.title_vocabulary, "title", None)
        result = _read(here, language)
        return NOTHING if _of_things(result.value, abstract) else result
    return NOTHING


def _of_things(value: int | None, low: str) -> bool:
    """Whether the abstract counts things, not people, by the number of the title."""
    if value is None or not low:
        return False
    said = re.search(rf"(?<![\d.,])(?:{value}|{value:,}) (?:[\w-]+ )?(?:{_THINGS})\b", low)
    return said is not None


_THINGS = "cycles|eyes|prescriptions|samples|specimens|procedures|visits|admissions|operations"


def _read(here: _Text, language: str) -> SampleSize:
    if language != "eng" and not special_counts.is_english(here.low):
        return _placed(here, special_counts.foreign(here.text))
    gathered = _gather(here)
    if not gathered:
        return _placed(here, special_counts.one_case(here.title, here.low))
    return _gathered(here, gathered)


def _gather(here: _Text) -> list[Sentence]:
    if not may_count(here.low, here.vocabulary) or not _has_people(here):
        return []
    return gather(here.text, here.low, here.vocabulary, here.sections)


def _has_people(here: _Text) -> bool:
    if not PEOPLE_WORDS.isdisjoint(here.vocabulary) and here.source == "abstract":
        return True
    low = here.low
    return any(mark in low for mark in PEOPLE_MARKS)


def _gathered(here: _Text, gathered: Sequence[Sentence]) -> SampleSize:
    counted = any(sentence.counts for sentence in gathered)
    if not counted and special_counts.one_case(here.title, here.low) is None:
        return NOTHING
    if reviews.is_review(here.title, here.low):
        return _review(here, gathered)
    if reviews.is_protocol(here.title, here.low):
        return _protocol(here, gathered)
    if _is_about_animals(here) or reviews.is_meeting(set(tokens(here.title))):
        return NOTHING
    return _study(here, gathered)


_ANIMALS = count_words.words(
    """
    rat rats mice mouse murine dog dogs canine cat cats feline pig pigs piglet piglets
    porcine rabbit rabbits sheep ovine goat goats cow cows cattle bovine calves horse
    horses equine monkey monkeys macaque macaques chicken chickens broiler broilers hens
    zebrafish animal animals lamb lambs hamster hamsters swine foals mares ewes sows
    ferret ferrets gerbil gerbils minipig minipigs rodent rodents heifers steers
    """
)
_HUMANS = (
    "patient",
    "women",
    "participants",
    "volunteers",
    "children",
    "individuals",
    " men ",
    "people",
    "infants",
)


# Of these a biologist counts "individuals"; words that name foods, bites or drugs too are left out.
_WILD = count_words.words(
    """
    bird birds plover plovers sparrow sparrows gulls owls penguins mosquito mosquitoes lice louse
    beetles bees ants moths butterflies spiders snails frogs toads lizards turtles fishes bats deer
    foxes seals whales dolphins insects
    """
)
_HUMANS_AMONG_WILD = (
    *(mark for mark in _HUMANS if mark != "individuals"),
    *("adults", "subjects", "persons", "residents", "cases", "households"),
)


def _is_about_animals(here: _Text) -> bool:
    title = tokens(here.title)
    if not _ANIMALS.isdisjoint(title):
        return not any(mark in here.low for mark in _HUMANS)
    if _WILD.isdisjoint(title):
        return False
    return not any(mark in here.low for mark in _HUMANS_AMONG_WILD)


def _study(here: _Text, gathered: Sequence[Sentence]) -> SampleSize:
    """A study of people: the best candidate, or the one patient of a case report."""
    found = weigh(here.title, here.text, gathered)
    best = max(found, key=lambda count: count.score, default=None)
    if best is None or best.score <= ranking.ACCEPT or (best.value < 10 and "report" in here.title):
        alone = special_counts.one_case(here.title, here.low)
        if alone is not None:
            return _placed(here, alone)
    if best is None or best.score <= ranking.ACCEPT:
        return NOTHING
    chances = _chances(found)
    row = arms.best_row(
        [count for count in found if count.distance >= 0], best.value, ranking.weights().all
    )
    span = best.sentence.span
    value = special_counts.both_sexes(best, found) or best.value
    return SampleSize(
        value=value,
        source=here.source,
        evidence=here.text[span.start : span.end],
        start=span.start,
        end=span.end,
        confidence=chances[best.value],
        analysed=_analysed(found, best),
        arms=_arms(row, best.value),
        n_clusters=special_counts.clusters(found, here.low),
        alternatives=_alternatives(here, found, chances, best.value, 1.0),
    )


def _arms(row: arms.Row | None, total: int) -> tuple[int, ...]:
    """People by arm; men and women of one group are none, nor are controls of each case."""
    if (
        row is None
        or (total in row.values and min(row.values) < 6)
        or special_counts.are_sexes(row.counts)
    ):
        return ()
    return row.values


def _review(here: _Text, gathered: Sequence[Sentence]) -> SampleSize:
    found = weigh(here.title, here.text, gathered)
    studies, participants = pooled.read_pooled(found)
    if studies is None and participants is None:
        return NOTHING
    return SampleSize(n_studies=studies, n_participants=participants)


def _protocol(here: _Text, gathered: Sequence[Sentence]) -> SampleSize:
    """A study to come has no people yet: what is planned is kept as alternatives only."""
    found = weigh(here.title, here.text, gathered)
    others = _alternatives(here, found, _chances(found), None, _PLANNED)
    clusters = special_counts.clusters(found, here.low)
    if not others and clusters is None:
        return NOTHING
    return SampleSize(n_clusters=clusters, alternatives=others)


def _placed(here: _Text, place: special_counts.Place | None) -> SampleSize:
    """The result for a number whose place in the text is known."""
    if place is None:
        return NOTHING
    spans = sentences.split(here.text)
    span = spans[sentences.index_at(spans, place.offset)]
    return SampleSize(
        value=place.value,
        source=here.source,
        evidence=here.text[span.start : span.end],
        start=span.start,
        end=span.end,
        confidence=place.confidence,
    )


def _chances(found: Sequence[Count]) -> dict[int, float]:
    """Share of each value in the softmax over all candidates and "none"."""
    odds: dict[int, float] = {}
    for count in found:
        odds[count.value] = odds.get(count.value, 0.0) + math.exp(min(count.score, 30.0))
    everything = 1.0 + sum(odds.values())
    return {value: odd / everything for value, odd in odds.items()}


def _analysed(found: Sequence[Count], best: Count) -> int | None:
    """A smaller number that is said to be analysed, evaluable or to have completed."""
    for count in found:
        if best.value > count.value >= best.value * 0.5 and count.distance >= 0:
            if "in_row" in count.features or count.noun not in ("P", ""):
                continue
            if not _ANALYSED.isdisjoint(count.features):
                return count.value
    return None


_ANALYSED = frozenset({"r1_A", "r1_C", "l1_A", "l1_C"})


def _alternatives(
    here: _Text, found: Sequence[Count], chances: dict[int, float], chosen: int | None, trust: float
) -> tuple[Candidate, ...]:
    """Up to three other values, the likeliest first."""
    seen = {chosen}
    others: list[Candidate] = []
    for count in sorted(found, key=lambda count: -count.score):
        if count.value in seen or len(others) == 3 or chances[count.value] < 0.005:
            continue
        seen.add(count.value)
        span = count.sentence.span
        sentence = here.text[span.start : span.end]
        others.append(Candidate(count.value, sentence, chances[count.value] * trust))
    return tuple(others)
