"""What a report says, before any format: counts, top records, findings, advice, gaps."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

Row = Mapping[str, Any]

GRADES = ("A", "B", "C", "D", "excluded", "ungraded")
LEVELS: dict[str, tuple[str, ...]] = {
    "guideline": ("guideline", "consensus"),
    "synthesis": ("meta_analysis", "systematic_review"),
    "trial": ("rct", "phase_3"),
    "cohort": ("cohort", "prospective_multicenter"),
    "control": ("case_control", "cross_sectional", "observational", "phase_2", "trial_other"),
    "report": ("case_report", "review", "phase_1"),
}
TOP = 5


@dataclass(frozen=True)
class Facts:
    """``counts`` are over all matches where the whole answer was given, else over ``rows``.

    ``rows`` are in order of grade; ``total`` leaves excluded records out, as in a search answer.
    ``answer`` is what the search said beside its rows (``given``: whether there was one),
    ``absent`` the PMIDs asked for that have no record, ``basis`` the warehouse's days
    (warehouse/basis.py; None when not known).
    """

    rows: list[Row]
    trials: list[Row]
    counts: dict[str, int]
    total: int
    query: str | None
    snapshot: int | None
    translation: str | None
    generated: datetime
    counted_beyond: bool
    answer: Row = field(default_factory=dict)
    given: bool = False
    absent: list[Row] = field(default_factory=list)
    basis: Row | None = None

    def graded(self, *grades: str) -> list[Row]:
        """Rows of these grades, in order."""
        return [row for row in self.rows if row.get("grade") in grades]

    @property
    def top(self) -> list[Row]:
        """The first five of grade A."""
        return self.graded("A")[:TOP]

    @property
    def citable(self) -> list[Row]:
        """Grades A and B that are not retracted or superseded."""
        return [
            row
            for row in self.graded("A", "B")
            if not row.get("is_retracted") and not row.get("superseded_by")
        ]

    def levels(self) -> dict[str, int]:
        """Graded rows by level of the pyramid."""
        by_design = {design: level for level, designs in LEVELS.items() for design in designs}
        graded = self.graded("A", "B", "C", "D")
        found = Counter(by_design.get(str(row.get("design"))) for row in graded)
        return {level: found[level] for level in LEVELS}

    def years(self) -> dict[int, dict[str, int]]:
        """Graded rows by year, every year from the first to the last, and grade."""
        dated = [row for row in self.graded("A", "B", "C", "D") if row.get("year")]
        if not dated:
            return {}
        found = Counter((int(row["year"]), str(row["grade"])) for row in dated)
        first, last = min(y for y, _ in found), max(y for y, _ in found)
        return {y: {g: found[y, g] for g in "ABCD"} for y in range(first, last + 1)}


def gather(
    rows: Sequence[Row],
    answer: Row | None = None,
    query: str | None = None,
    now: datetime | None = None,
    basis: Row | None = None,
) -> Facts:
    """Facts of ``rows``; PMIDs that the warehouse does not hold and trials are kept apart."""
    said = answer or {}
    told = said.get("warehouse")
    known = [_typed(row) for row in rows if row.get("found") is not False]
    records = [row for row in known if not row.get("nct_id")]
    place = {grade: number for number, grade in enumerate(("A", "B", "C", "D", "ungraded"))}
    ordered = sorted(records, key=lambda row: place.get(str(row.get("grade")), len(place)))
    own = Counter(str(row.get("grade") or "ungraded") for row in records)
    counts = said.get("by_grade") or own
    counts = {grade: int(counts.get(grade, 0)) for grade in GRADES}
    return Facts(
        rows=ordered,
        trials=[row for row in known if row.get("nct_id")],
        counts=counts,
        total=sum(counts.values()) - counts["excluded"],
        query=query,
        snapshot=said.get("snapshot"),
        translation=said.get("query_translation"),
        generated=now or datetime.now(UTC),
        counted_beyond=sum(counts.values()) > len(records),
        answer=said,
        given=answer is not None,
        absent=[row for row in rows if row.get("found") is False],
        basis=told if isinstance(told, Mapping) else basis,
    )


_LISTS = ("authors", "author_details", "abstract_sections", "nct_ids")


def _typed(row: Row) -> Row:
    """``row`` with numbers and lists where they are looked for: lists may come from a file."""
    numbers = {key: _number(row.get(key)) for key in ("year", "sample_size")}
    lists = {key: row[key] for key in _LISTS if isinstance(row.get(key), list)}
    return {**row, **dict.fromkeys(_LISTS), **lists, **numbers}


def _number(value: object) -> int | None:
    try:
        return int(str(value))
    except ValueError:
        return None


def identifier(row: Row) -> str:
    """The PMID, else the trial number, else what the row calls itself."""
    return str(row.get("pmid") or row.get("nct_id") or row.get("evidence_id") or "?")
