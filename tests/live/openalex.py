"""Invented works of OpenAlex."""

import json
from typing import Any

WORKS = "/openalex/works"


def work(number: int, **more: Any) -> dict[str, Any]:
    """A work with PMID 1000 + number."""
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/10.1/X{number}",
        "title": f"Drops in <i>children</i> {number}",
        "publication_year": 2026,
        "publication_date": "2026-05-03",
        "ids": {"pmid": f"https://pubmed.ncbi.nlm.nih.gov/{1000 + number}"},
        "type": "article",
        "primary_location": {"source": {"display_name": "Journal of Drops", "issn_l": "1-1"}},
        "authorships": [{"author": {"display_name": "Ann Lee"}}, {"author": None}],
        "biblio": {"volume": "3", "first_page": "7", "last_page": "7"},
        "abstract_inverted_index": {"We": [0, 5], "gave": [1], "drops.": [2], "won.": [9]},
        **more,
    }


def page(works: list[Any], cursor: str | None = None, count: int | None = None) -> bytes:
    """One page."""
    meta = {"count": len(works) if count is None else count, "next_cursor": cursor}
    return json.dumps({"meta": meta, "results": works}).encode()
