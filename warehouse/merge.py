"""Live rows laid into the warehouse's answer: counted, filtered and ordered as it counts them."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from etl.store.index_fields import GRADES
from warehouse.basis import basis
from warehouse.doubtful import doubtful_enrollments
from warehouse.targets import DESIGNS
from warehouse.unite import keys, united

if TYPE_CHECKING:
    from warehouse.gather import Come
    from warehouse.local_search import Asked

Row = dict[str, Any]
Matching = Callable[[Sequence[int]], set[int]]


def merged(
    answer: dict[str, Any],
    asked: "Asked",
    come: "Come",
    matching: Matching,
    trials_matching: Matching,
) -> dict[str, Any]:
    """``answer`` with the live rows that it has not, best grade first, then relevance.

    A row that the answer has already only gains the source's name in its chain. ``matching``
    and ``trials_matching`` tell which PMIDs and numbers behind NCT the warehouse's own search
    counted, shown or not.
    """
    own = [row for row in answer["results"] if not row.get("nct_id")]
    local_trials = [row for row in answer["results"] if row.get("nct_id")]
    fitting = [row for row in come.rows if _fits(row, answer["target_grade"], asked)]
    before = {name for row in own for name in keys(row)}
    rows = united([*own, *fitting])
    new = [row for row in rows if not before.intersection(keys(row))]
    if answer["total"] + answer["by_grade"]["excluded"] > len(own):
        counted = matching([int(row["pmid"]) for row in new if row["pmid"]])
        new = [row for row in new if not (row["pmid"] and int(row["pmid"]) in counted)]
    counts = dict(answer["by_grade"])
    for row in new:
        counts[row["grade"]] += 1
    own_ids = {row["evidence_id"] for row in own}
    shown = [row for row in rows if row["evidence_id"] in own_ids] + [
        row for row in new if asked.excluded or row["grade"] != "excluded"
    ]
    shown.sort(key=lambda row: GRADES.index(row["grade"]))
    trials = _new_trials(answer, local_trials, come.trials, asked, trials_matching)
    room = max(0, asked.limit - len(shown))
    return {
        **answer,
        "total": sum(counts.values()) - counts["excluded"],
        "by_grade": counts,
        "results": shown[: asked.limit] + [*local_trials, *trials][:room],
        "trials_total": answer["trials_total"] + len(trials),
        "fast_path_used": come.fast_path,
        "notices": [
            *answer["notices"], *come.notices, *doubtful_enrollments(trials, "sample_size"),
        ],
        "snapshot": come.snapshot.id,
        "warehouse": basis(come.snapshot),
    }  # fmt: skip


def _new_trials(
    answer: dict[str, Any],
    shown: Sequence[Row],
    come: Sequence[Row],
    asked: "Asked",
    matching: Matching,
) -> list[Row]:
    """The live trials that the warehouse's own search has not counted."""
    known = {row["nct_id"] for row in shown}
    new = [t for t in come if t["nct_id"] not in known and _in_years(t, asked)]
    if answer["trials_total"] <= len(shown):
        return new
    numbers = {trial["nct_id"]: int(trial["nct_id"].removeprefix("NCT")) for trial in new}
    counted = matching(list(numbers.values()))
    return [trial for trial in new if numbers[trial["nct_id"]] not in counted]


def _fits(row: Row, target: str, asked: "Asked") -> bool:
    """Whether the search as asked would show ``row``: years, preprints, designs."""
    if row["is_preprint"] and not asked.preprints:
        return False
    if not _in_years(row, asked):
        return False
    designs = DESIGNS.get(target)
    return designs is None or row.get("design") in designs


def _in_years(row: Row, asked: "Asked") -> bool:
    """A row that names no year is never lost for it."""
    return not (asked.years and row["year"]) or asked.years[0] <= row["year"] <= asked.years[1]
