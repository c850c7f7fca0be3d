"""The answers: one file a question."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warehouse.grade import grade_pmid_list
    from warehouse.search import evidence_search

# Imported on first use: a command that only grades should not pay for the search engine.
_HOMES = {"evidence_search": "warehouse.search", "grade_pmid_list": "warehouse.grade"}

__all__ = ["evidence_search", "grade_pmid_list"]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
