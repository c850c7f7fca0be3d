"""A plain question that too few records answer word for word: the records nearest to it.

Their words are compared by stems and weighed by rarity (warehouse/query/question.py). The most
relevant ones are taken first and ordered by grade afterwards, so that a well-graded record that
shares one word with the question does not stand before one that is about it.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from etl.store.index_fields import GRADES
from warehouse.query.plan import Gist, Plan

if TYPE_CHECKING:
    from etl.store.index_search import Hit, SearchIndex

FEW = 10  # a question with fewer records that hold all its words is asked by nearness too
_LEAST_WORDS = 3  # fewer words are a search for just these, not a question
_LONG = 5  # words of a question so long that a few records with all of them are no full answer
_POOL = 50  # records taken at least
# share of the best relevance that a record needs: SciFact's claims lose 0.003 of recall by it
_NEAR = 0.3


def question(index: "SearchIndex", query: str, exact: int) -> Gist | None:
    """``query`` by nearness; None when it is no plain question or ``exact`` records are enough."""
    from warehouse.query.explain import is_plain, nearest

    if exact >= FEW or not is_plain(query):
        return None
    plan, _ = nearest(index, query)
    words = len(dict.fromkeys(plan.stems)) if plan else 0
    return plan if words >= (_LONG if exact else _LEAST_WORDS) else None


def nearest_hits(
    index: "SearchIndex", plan: Gist, within: Callable[[Plan], Plan], limit: int
) -> "list[Hit]":
    """The hits nearest to ``plan`` of those that ``within`` lets through, nearest first."""
    from warehouse.query.compile import compile_plan

    hits = index.best(compile_plan(within(plan), index.schema), max(limit, _POOL))
    return [hit for hit in hits if hit.score >= _NEAR * hits[0].score]


def by_grade(
    index: "SearchIndex", hits: "Sequence[Hit]", excluded: bool
) -> "tuple[dict[str, int], list[Hit]]":
    """Counts of ``hits`` by grade, and the hits best grade first, then by relevance."""
    ranks = index.ranks(hits)
    counts = {grade: ranks.count(rank) for rank, grade in enumerate(GRADES)}
    shown = len(GRADES) if excluded else len(GRADES) - 1
    ordered = sorted(zip(ranks, hits, strict=True), key=lambda one: (one[0], -one[1].score))
    return counts, [hit for rank, hit in ordered if rank < shown]
