"""Sample sizes from open full texts, and the grades that follow from them."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

import sql
from etl.jobs.overlay import stand
from etl.sources.http import Transport, transport
from etl.sources.http_limits import Deadline
from etl.store.home import Home
from etl.store.schema import TABLES, conform
from etl.store.snapshot import Snapshot
from etl.store.views import connect
from warehouse.live_mode import Live

Row = dict[str, Any]

# Designs whose grade looks at the number of people.
ASKED = frozenset(
    {
        "rct", "phase_3", "phase_2", "prospective_multicenter", "cohort", "case_control",
        "cross_sectional", "trial_other", "observational",
    }
)  # fmt: skip
SECONDS_EACH = 2.0  # up to three channels and their limits, beside the deadline of an answer


def with_full_texts(
    home: Home,
    snapshot: Snapshot,
    rows: Sequence[Row],
    mode: Live,
    http: Transport | None = None,
    **how: Any,
) -> tuple[list[Row], list[str]]:
    """``rows`` of trials and cohorts with the number of people that their open full text states.

    Every row gains ``fulltext``: None when it was not asked for, else ``channel`` (where an open
    full text was found, ``abstract-only`` when none is open), ``tried`` (channel, status, outcome)
    and ``sample_size``. A row whose number is another is graded again under ``how`` (as for
    ``warehouse.grade.grades``). Full texts win over abstracts (docs/grading.md).
    """
    wanted = [row for row in rows if row["found"] and row["design"] in ASKED]
    if not mode.goes_out or not wanted:
        said = ["full texts were not fetched: live is never"] if wanted else []
        return [{**row, "fulltext": None} for row in rows], said
    deadline = Deadline(mode.seconds + SECONDS_EACH * len(wanted))
    from warehouse.fulltext import sample_sizes

    records = _records(home, snapshot, wanted)
    sizes = sample_sizes(home, records, http or transport(), deadline)
    found = {str(size.pmid): size for size in sizes}
    again = _graded(home, snapshot, {p: s for p, s in found.items() if s.value is not None}, how)
    told = [{**row, **again.get(row["pmid"], {}), "fulltext": _said(found.get(row["pmid"]))}
            for row in rows]  # fmt: skip
    without = sum(size.value is None for size in found.values())
    notice = f"{without} of {len(wanted)} have no open full text that states the number of people"
    return told, [notice] if without else []


def _records(home: Home, snapshot: Snapshot, rows: Sequence[Row]) -> list[Row]:
    """PMID, PMCID and title of each, as the channels need them; PMCID may be unknown."""
    asked = pa.table({"pmid": pa.array([int(row["pmid"]) for row in rows], pa.int64())})
    with connect(home, snapshot) as con:
        con.register("asked", asked)
        known = con.sql(sql.load("answers/identifiers")).to_arrow_table().to_pylist()
    by_pmid = {str(row["pmid"]): row for row in known}
    return [{"pmid": row["pmid"], **by_pmid.get(row["pmid"], {})} for row in rows]


def _said(size: Any) -> Row | None:
    if size is None:
        return None
    names = ("channel", "status", "outcome")
    return {
        "sample_size": size.value,
        "channel": size.channel,
        "tried": [dict(zip(names, one, strict=True)) for one in size.tried],
    }


def _graded(
    home: Home, snapshot: Snapshot, sizes: Mapping[str, Any], how: Mapping[str, Any]
) -> dict[str, Row]:
    """Rows of these PMIDs graded again with the numbers of their full texts."""
    from warehouse.grade import grades_of

    if not sizes:
        return {}
    pmids = [int(pmid) for pmid in sizes]
    with connect(home, snapshot) as con:
        con.register("asked", pa.table({"pmid": pa.array(pmids, pa.int64())}))
        facts = con.sql(sql.load("answers/facts_of_asked")).to_arrow_table()
        stand(con, "evidence_facts", conform(TABLES["evidence_facts"], _with_sizes(facts, sizes)))
        rows = grades_of(con, pmids, snapshot, again=True, **how)
    return {row["pmid"]: row for row in rows if row["grade"] is not None}


def _with_sizes(facts: pa.Table, sizes: Mapping[str, Any]) -> pa.Table:
    rows = facts.to_pylist()
    for row in rows:
        size = sizes[str(row["pmid"])]
        row |= {
            "sample_size": size.value,
            "sample_size_source": "fulltext",
            "sample_size_evidence": size.evidence,
        }
    return pa.Table.from_pylist(rows, schema=facts.schema)
