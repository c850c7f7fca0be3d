"""Which PMIDs the warehouse lacks, and which of given ones match a query."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from etl.store.home import Home
from etl.store.snapshot import Snapshot
from etl.store.views import held

if TYPE_CHECKING:
    from etl.store.index_search import SearchIndex


def not_held(home: Home, snapshot: Snapshot) -> Callable[[Sequence[int]], list[int]]:
    """A function that gives those of its PMIDs that ``snapshot`` lacks, in their order."""
    known: dict[int, bool] = {}

    def lacking(pmids: Sequence[int]) -> list[int]:
        unknown = [pmid for pmid in dict.fromkeys(pmids) if pmid not in known]
        if unknown:
            there = held(home, snapshot, unknown)
            known.update({pmid: pmid in there for pmid in unknown})
        return [pmid for pmid in dict.fromkeys(pmids) if not known[pmid]]

    return lacking


def matching(index: "SearchIndex", query: str, pmids: Sequence[int]) -> set[int]:
    """Those of ``pmids`` (in an index of trials: NCT numbers) that ``query`` finds in ``index``."""
    from warehouse.query.compile import compile_plan
    from warehouse.query.explain import understand
    from warehouse.query.plan import Both, Either, Pmids

    if not pmids:
        return set()
    plan, _ = understand(index, query)
    these = Either(tuple(Pmids(pmid, pmid, f"{pmid}[uid]") for pmid in pmids))
    hits = index.best(compile_plan(Both((plan, these)), index.schema), len(pmids))
    return {hit.pmid for hit in hits}
