"""Registered trials by their size, phase, status, condition and intervention, all of AACT."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import duckdb

import sql
from etl.errors import UsageError
from etl.store.home import Home
from etl.store.snapshot import Snapshot, TableState, committed
from etl.store.views import connect
from warehouse.doubtful import doubtful_enrollments
from warehouse.query.chinese import in_english
from warehouse.span import years

COLUMNS = (
    "nct_id", "brief_title", "overall_status", "phase", "study_type", "allocation", "enrollment",
    "enrollment_type", "start_date", "completion_date", "has_results", "sponsor", "conditions",
    "interventions", "result_pmids",
)  # fmt: skip

PHASES: Mapping[str, str] = {
    "early1": "EARLY_PHASE1", "1": "PHASE1", "2": "PHASE2", "3": "PHASE3", "4": "PHASE4",
    "na": "NA",
}  # fmt: skip
STATUSES = (
    "ACTIVE_NOT_RECRUITING", "APPROVED_FOR_MARKETING", "AVAILABLE", "COMPLETED",
    "ENROLLING_BY_INVITATION", "NO_LONGER_AVAILABLE", "NOT_YET_RECRUITING", "RECRUITING",
    "SUSPENDED", "TEMPORARILY_NOT_AVAILABLE", "TERMINATED", "UNKNOWN", "WITHDRAWN", "WITHHELD",
)  # fmt: skip
STUDY_TYPES = ("INTERVENTIONAL", "OBSERVATIONAL", "EXPANDED_ACCESS")
ALLOCATIONS = ("RANDOMIZED", "NON_RANDOMIZED", "NA")
MOST = 1_000_000
NAMED = ("condition", "intervention")


@dataclass(frozen=True)
class Limits:
    """What the trials must fit; None and empty are "any".

    ``condition`` and ``intervention`` are looked for inside names (of the registry, other names,
    MeSH terms, keywords), in any case; an entry term of MeSH and a Chinese word that the
    vocabulary knows are looked for under their English heading too. ``start`` is a span of years
    such as ``2020:2025``.
    """

    min_enrollment: int | None = None
    max_enrollment: int | None = None
    phases: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    study_type: str | None = None
    allocation: str | None = None
    results: bool | None = None
    start: str = "all"
    condition: str | None = None
    intervention: str | None = None
    most: int = 200


@dataclass(frozen=True)
class Found:
    """``rows`` with the keys of ``COLUMNS``, ``total`` of all that fit, what the user must know."""

    rows: list[dict[str, Any]]
    total: int
    notices: list[str]


def trials(home: Home, limits: Limits) -> Found:
    """The trials of the committed snapshot that fit, largest enrolment first, and how many do.

    At most ``limits.most`` rows; ``enrollment`` None is unknown, and
    such a trial fits no limit of enrolment; ``result_pmids`` are the papers that the registry
    itself names as results. Raises ``UsageError`` for a value that is none,
    ``NoSnapshotError`` before the first refresh.
    """
    asked = _parameters(limits)
    snapshot = committed(home)
    with connect(home, snapshot) as con:
        notices = [line for name in NAMED for line in _looked_for(con, asked, name, snapshot)]
        rows = con.sql(sql.load("answers/trials"), params=asked).to_arrow_table().to_pylist()
    total = rows[0].pop("total") if rows else 0
    for row in rows:
        row.pop("total", None)
        for name in ("conditions", "interventions", "result_pmids"):
            row[name] = row[name] or []
    return Found(rows, total, [*notices, *doubtful_enrollments(rows, "enrollment")])


def _looked_for(
    con: duckdb.DuckDBPyConnection, asked: dict[str, Any], name: str, snapshot: Snapshot
) -> list[str]:
    """Puts the texts that stand for ``name`` into ``asked``; returns what to tell of them."""
    text = asked[name]
    if text is None:
        return []
    english, unknown = in_english(text)
    term = english.lower() or text
    headings = con.sql(sql.load("answers/headings_of_term"), params={"term": term}).fetchall()
    asked[name] = list(dict.fromkeys([text, term, *(h.lower() for (h,) in headings)]))
    notices = [f"{name} {text!r} is looked for as {word!r} too" for word in asked[name][1:]]
    if unknown:
        notices.append(f"Chinese words that are not known here: {', '.join(unknown)}")
    if not snapshot.tables.get("mesh_descriptors", TableState()).rows:
        notices.append(f"no MeSH is loaded: {name} is looked for as written, without entry terms")
    return notices


def _parameters(limits: Limits) -> dict[str, Any]:
    if not 1 <= limits.most <= MOST:
        raise UsageError(f"--max {limits.most} is not between 1 and {MOST}")
    for name in ("min_enrollment", "max_enrollment"):
        value = getattr(limits, name)
        if value is not None and not 0 <= value < 2**31:
            option = name.replace("_", "-")
            raise UsageError(f"--{option} {value} is no number of people: give 500")
    least, largest = limits.min_enrollment, limits.max_enrollment
    if least is not None and largest is not None and least > largest:
        raise UsageError(f"--min-enrollment {least} is more than --max-enrollment {largest}")
    span = years(limits.start)
    return {
        "min_enrollment": limits.min_enrollment,
        "max_enrollment": limits.max_enrollment,
        "phases": [_phase(p) for p in limits.phases] or None,
        "statuses": [_one_of(s, STATUSES, "status") for s in limits.statuses] or None,
        "study_type": limits.study_type and _one_of(limits.study_type, STUDY_TYPES, "type"),
        "allocation": limits.allocation and _one_of(limits.allocation, ALLOCATIONS, "allocation"),
        "results": limits.results,
        "first": span[0] if span else None,
        "last": span[1] if span else None,
        "condition": _words(limits.condition, "condition"),
        "intervention": _words(limits.intervention, "intervention"),
        "most": limits.most,
    }


def _phase(text: str) -> str:
    bare = text.strip().lower().replace("phase", "").replace("_", "").replace("/", "").strip()
    bare = {"early": "early1", "i": "1", "ii": "2", "iii": "3", "iv": "4"}.get(bare, bare)
    if bare not in PHASES:
        raise UsageError(f"--phase {text[:40]!r} is none of {', '.join(PHASES)}")
    return PHASES[bare]


def _one_of(text: str, known: tuple[str, ...], option: str) -> str:
    code = text.strip().upper().replace(" ", "_").replace("-", "_").replace(",", "")
    if code not in known:
        raise UsageError(f"--{option} {text[:40]!r} is none of {', '.join(known)}")
    return code


def _words(text: str | None, option: str) -> str | None:
    if text is None:
        return None
    words = " ".join(text.lower().split())
    if not words:
        raise UsageError(f"--{option} is empty: give a word such as asthma, or leave it out")
    return words
