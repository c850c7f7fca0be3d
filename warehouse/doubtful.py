"""Enrolments of the registry that nobody can believe."""

from collections.abc import Iterable, Mapping
from typing import Any

DOUBTFUL = 10_000_000  # people; 99,999,999 and the like stand in the registry as typed


def is_doubtful(enrollment: object) -> bool:
    """Whether a registered enrolment is larger than any trial can be."""
    return isinstance(enrollment, int) and enrollment > DOUBTFUL


def doubtful_enrollments(rows: Iterable[Mapping[str, Any]], key: str) -> list[str]:
    """A line for each trial of ``rows`` whose enrolment, in ``key``, is doubtful."""
    return [
        f"{row['nct_id']}: the registry itself says an enrollment of {row[key]:,}; "
        "doubtful, look at the entry"
        for row in rows
        if row.get("nct_id") and is_doubtful(row.get(key))
    ]


def doubtful_papers(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """A line for each citation of ``rows`` whose number of people is such an enrolment."""
    return [
        f"PMID {row['pmid']}: its number of people, {row['sample_size']:,}, is an enrollment of "
        "the registry; doubtful, look at the entry"
        for row in rows
        if from_registry(row)
    ]


def from_registry(row: Mapping[str, Any]) -> bool:
    """Whether a citation has its number of people from a registry entry that is doubtful."""
    return row.get("sample_size_source") == "registry" and is_doubtful(row.get("sample_size"))


def marked(trial: dict[str, Any]) -> dict[str, Any]:
    """``trial`` (a search result) with ``enrollment_doubtful``."""
    return {**trial, "enrollment_doubtful": is_doubtful(trial.get("sample_size"))}
