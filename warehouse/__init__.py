"""The answers: one file a question."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warehouse.check import cross_validate_evidence
    from warehouse.grade import grade_pmid_list
    from warehouse.report import evidence_summary
    from warehouse.search import evidence_search
    from warehouse.strategy import recommend_search_strategy

# Imported on first use: a command that only grades should not pay for the search engine.
_HOMES = {
    "cross_validate_evidence": "warehouse.check",
    "evidence_search": "warehouse.search",
    "evidence_summary": "warehouse.report",
    "grade_pmid_list": "warehouse.grade",
    "recommend_search_strategy": "warehouse.strategy",
}

__all__ = [
    "cross_validate_evidence",
    "evidence_search",
    "evidence_summary",
    "grade_pmid_list",
    "recommend_search_strategy",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
