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


def marked(trial: dict[str, Any]) -> dict[str, Any]:
    """``trial`` (a search result) with ``enrollment_doubtful``."""
    return {**trial, "enrollment_doubtful": is_doubtful(trial.get("sample_size"))}
