"""Studies and participants of a review: "12 trials (n = 3,456) met the criteria"."""

from collections.abc import Sequence
from typing import NamedTuple

from etl.text.candidates import Count

_TAKEN = frozenset(
    {
        *(
            "included",
            "includes",
            "including",
            "met",
            "meeting",
            "eligible",
            "selected",
            "fulfilled",
        ),
        *("satisfied", "total", "pooled", "involving", "comprising", "analysed", "analyzed"),
        *("inclusion", "criteria", "enrolling", "reviewed", "synthesis", "meta", "with", "from"),
        *("contributed", "qualified", "suitable", "relevant", "found", "were", "involved"),
    }
)
_LEFT_OUT = frozenset(
    {
        *("screened", "retrieved", "potentially", "excluded", "duplicates", "abstracts", "titles"),
        *("citations", "records", "hits", "references", "yielded", "ongoing", "awaiting", "only"),
        *("other", "remaining", "additional"),
    }
)
_KINDS = frozenset(
    {
        *("trial", "trials", "study", "studies", "article", "articles", "paper", "papers", "rcts"),
        *("publications", "reports", "reviews", "cohorts", "comparisons", "datasets", "meta"),
    }
)


class Pooled(NamedTuple):
    """Studies and participants of a review; None where not stated."""

    studies: int | None
    participants: int | None


def read_pooled(counts: Sequence[Count]) -> Pooled:
    """What a review says about its studies, from the counts of its text."""
    studies = _best([(_study_score(count), count) for count in counts if _is_studies(count)])
    people = [(_people_score(count, studies), count) for count in counts if _is_people(count)]
    participants = _best(people)
    return Pooled(
        studies.value if studies is not None else None,
        participants.value if participants is not None else None,
    )


def _best(scored: list[tuple[float, Count]]) -> Count | None:
    """The highest score; the earlier one of equals; None below 1."""
    best = max(scored, key=lambda pair: pair[0], default=None)
    return best[1] if best is not None and best[0] >= 1 else None


def _is_studies(count: Count) -> bool:
    if count.noun != "D" or count.value > 5000:
        return False
    return count.sentence.tokens[count.at + count.distance] in _KINDS


def _is_people(count: Count) -> bool:
    return count.value >= 10 and (count.noun == "P" or count.form == "n")


def _near(count: Count, left: int, right: int) -> list[str]:
    tokens = count.sentence.tokens
    return tokens[max(0, count.at - left) : count.at] + tokens[count.at + 1 : count.at + right]


def _study_score(count: Count) -> float:
    near = _near(count, 5, 14)
    score = 1.0 + sum(word in _TAKEN for word in near[:16]) * 0.7
    score -= 2.0 * sum(word in _LEFT_OUT for word in near)
    if count.form == "paren":
        score -= 2.0
    if "part_of" in count.features or "of" in count.features:
        score -= 0.7
    if count.sentence.kind == "results":
        score += 0.5
    elif count.sentence.kind in ("background", "conclusions"):
        score -= 1.0
    return score - 0.05 * count.sentence.order


def _people_score(count: Count, studies: Count | None) -> float:
    near = _near(count, 6, 8)
    score = 0.6 + sum(word in _TAKEN for word in near) * 0.4
    score -= 1.0 * sum(word in _LEFT_OUT for word in near)
    if studies is not None and count.sentence is studies.sentence:
        score += 2.0
    if studies is not None and count.value < studies.value * 2:
        score -= 2.0
    if "percent_after" in count.features or "part_of" in count.features:
        score -= 1.0
    if count.form == "whole" or "first_of" in count.features:
        score -= 0.5
    if "largest" in count.features:
        score += 0.8
    if count.sentence.kind in ("background", "conclusions"):
        score -= 1.0
    return score - 0.03 * count.sentence.order
