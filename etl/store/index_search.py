"""Asking an open index: counts by grade, the best citations, what a result shows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from etl.errors import QueryError, StoreError
from etl.store.index_fields import GRADES

if TYPE_CHECKING:
    from tantivy import DocAddress, Index, Query, Schema


_GRADES = {"g": {"terms": {"field": "rank", "size": 10}}}


@contextmanager
def _asking() -> Iterator[None]:
    """tantivy's refusals as errors of ours."""
    try:
        yield
    except ValueError as error:
        if "max expansions" in str(error):
            raise QueryError(
                "a truncated word inside a phrase has too many variants (more than 16,384): "
                "write more characters before *, or truncate a single word"
            ) from error
        raise StoreError(
            f"the search index cannot be read: {error}; run evidence doctor, which verifies it"
        ) from error


@dataclass(frozen=True, slots=True)
class Hit:
    """One citation found: its PMID, relevance (BM25, comparable within one query) and place."""

    pmid: int
    score: float
    address: "DocAddress"


class SearchIndex:
    """An open search index; it stays what it was while the warehouse moves on.

    ``notices`` says what a user should know about it (that it was rebuilt, and why).
    """

    def __init__(self, index: "Index", folder: Path, snapshot: int) -> None:
        index.reload()
        self.index = index
        self.folder = folder
        self.snapshot = snapshot
        self.notices: list[str] = []
        self.trials: SearchIndex | None = None  # opened by ``index.open_trials``, once
        self._searcher = index.searcher()

    @property
    def schema(self) -> "Schema":
        """The schema that queries are built against."""
        return self.index.schema

    @property
    def docs(self) -> int:
        """Citations in the index."""
        return int(self._searcher.num_docs)

    def count(self, query: "Query") -> int:
        """Citations that match ``query``."""
        with _asking():
            found: Any = self._searcher.search(query, 1, count=True)  # the stubs lack "count"
        return int(found.count)

    def by_grade(self, query: "Query") -> dict[str, int]:
        """Citations that match ``query``, by grade; every grade is named, 0 when none."""
        with _asking():
            found = self._searcher.aggregate(query, _GRADES)
        counts = {int(b["key"]): int(b["doc_count"]) for b in found["g"]["buckets"]}
        return {grade: counts.get(rank, 0) for rank, grade in enumerate(GRADES)}

    def best(self, query: "Query", limit: int) -> list[Hit]:
        """The ``limit`` most relevant citations, best first."""
        if limit <= 0:
            return []
        with _asking():
            hits = self._searcher.search(query, limit, count=False).hits
        addresses = [address for _, address in hits]
        pmids = self._searcher.fast_field_values("pmid", addresses)
        return [
            Hit(int(pmid or 0), float(score), address)
            for pmid, (score, address) in zip(pmids, hits, strict=True)
        ]

    def ranks(self, hits: Sequence[Hit]) -> list[int]:
        """Position in ``GRADES`` of each hit's grade."""
        found = self._searcher.fast_field_values("rank", [hit.address for hit in hits])
        return [int(rank or 0) for rank in found]

    def card(self, hit: Hit) -> dict[str, Any]:
        """What a result shows of ``hit``: keys as in ``sql/index/documents.sql``, ``card``."""
        stored: Any = self._searcher.doc(hit.address).get_first("card")
        card: dict[str, Any] = orjson.loads(stored)
        return card

    def frequency(self, field: str, term: str) -> int:
        """Citations that hold ``term`` in ``field``."""
        return int(self._searcher.doc_freq(field, term))

    def starting(self, field: str, prefix: str, limit: int) -> list[str]:
        """Terms of ``field`` that start with ``prefix``, at most ``limit``."""
        return [term for term, _ in self._searcher.terms_with_prefix(field, prefix, limit=limit)]
