"""Records that came from live sources as rows of a search result, graded like all others."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import duckdb
import pyarrow as pa

import sql
from etl.jobs.live import keep
from etl.jobs.overlay import overlay
from etl.sources.pubmed.live import Fetched
from etl.store.home import Home
from etl.store.schema import TABLES
from etl.store.snapshot import Snapshot
from etl.store.views import connect
from warehouse.doubtful import is_doubtful

Row = dict[str, Any]

# How a result names the source of its record; the chain holds the sources' full names.
SHORT = {
    "pubmed-eutils": "pubmed",
    "europepmc-search": "europepmc",
    "clinical-trials-v2": "clinicaltrials",
    "openalex": "openalex",
}


def as_of_year(snapshot: Snapshot | None) -> int:
    """The year against which the warehouse measures age; this one when it is empty."""
    said = snapshot.versions.get("as_of_year") if snapshot else None
    return int(said) if said else datetime.now(UTC).year


def cards(con: duckdb.DuckDBPyConnection, pmids: Sequence[int]) -> list[Row]:
    """Result rows of ``pmids`` that ``con`` holds, in this order."""
    places = pa.array(range(len(pmids)), pa.int64())
    con.register("asked", pa.table({"place": places, "pmid": pa.array(pmids, pa.int64())}))
    return [
        _card(row) for row in con.sql(sql.load("answers/live_cards")).to_arrow_table().to_pylist()
    ]


def _card(row: Row) -> Row:
    pmid = str(row.pop("pmid"))
    return {"evidence_id": f"PMID:{pmid}", "pmid": pmid, **row}


def held(home: Home, snapshot: Snapshot, pmids: Sequence[int], chain: Sequence[str]) -> list[Row]:
    """Rows of ``pmids`` as the warehouse holds them."""
    if not pmids:
        return []
    with connect(home, snapshot) as con:
        return [_from(row, "pubmed", [*chain, "warehouse"]) for row in cards(con, pmids)]


def of_pubmed(
    home: Home, snapshot: Snapshot, fetched: Fetched, chain: Sequence[str]
) -> tuple[list[Row], Snapshot, str]:
    """Rows of fetched records, the snapshot that holds them, and why they were not kept.

    They are kept in the warehouse when it can be written; else they are graded in memory for
    this answer, the snapshot is the given one, and the reason is not empty.
    """
    kept = keep(home, fetched.citations, fetched.xml)
    if kept.snapshot is not None:
        with connect(home, kept.snapshot) as con:
            rows = cards(con, fetched.pmids)
    else:
        with overlay(home, snapshot, fetched.citations, as_of_year(snapshot)) as con:
            rows = cards(con, fetched.pmids)
    found = [_from(row, "pubmed", chain) for row in rows]
    return found, kept.snapshot or snapshot, kept.why


def of_others(home: Home, snapshot: Snapshot | None, rows: pa.Table, source: str) -> list[Row]:
    """Rows of records that only ``source`` gave (LIVE schema), graded in memory, never kept."""
    if not rows.num_rows:
        return []
    given = rows.column("pmid").to_pylist()
    pmids = [-place if pmid is None else pmid for place, pmid in enumerate(given, 1)]
    names = dict(zip(pmids, rows.column("evidence_id").to_pylist(), strict=True))
    at = rows.schema.get_field_index("pmid")
    table = of_citations(rows.set_column(at, "pmid", pa.array(pmids, pa.int64())))
    with overlay(home, snapshot, table, as_of_year(snapshot)) as con:
        found = cards(con, pmids)
    return [_named(_from(row, SHORT.get(source, source), [source]), names) for row in found]


def of_citations(rows: pa.Table) -> pa.Table:
    """The columns of ``citations`` of rows of the LIVE schema."""
    return rows.select([c.name for c in TABLES["citations"].columns])


def _from(row: Row, source: str, chain: Sequence[str]) -> Row:
    return {
        **row, "match": "source", "source": source, "source_chain": list(chain), "score": None,
    }  # fmt: skip


def _named(row: Row, names: Mapping[int, str]) -> Row:
    """A record without PMID under the name that its source gave it."""
    number = int(row["pmid"])
    over = row["superseded_by"]
    row["superseded_by"] = names[over] if over is not None and over < 0 and over in names else over
    if number < 0:
        row |= {"evidence_id": names[number], "pmid": None}
    return row


def of_trials(tables: Mapping[str, pa.Table], known: set[str]) -> list[Row]:
    """Result rows of live trials (AACT's tables) that are not among ``known`` NCT numbers."""
    lists = {name: _by_trial(tables, name) for name in ("trial_conditions", "trial_interventions")}
    summaries = _by_trial(tables, "trial_brief_summaries", "description")
    sponsors = _by_trial(tables, "trial_sponsors")
    trials = tables["trials"].to_pylist() if "trials" in tables else []
    return [
        {
            "evidence_id": t["nct_id"], "pmid": None, "pmcid": None, "doi": None,
            "title": t.get("brief_title") or t.get("official_title"),
            "authors": sponsors.get(t["nct_id"], [])[:1],
            "journal": "ClinicalTrials.gov", "year": _year(t), "publication_types": [],
            "sample_size": t.get("enrollment"), "is_preprint": False, "grade": None,
            "grade_rationale": "registered trial, not graded",
            "abstract": next(iter(summaries.get(t["nct_id"], [])), None),
            "source": "clinicaltrials", "source_chain": ["clinical-trials-v2"],
            "nct_id": t["nct_id"], "overall_status": t.get("overall_status"),
            "phase": t.get("phase"), "study_type": t.get("study_type"),
            "enrollment_type": t.get("enrollment_type"),
            "conditions": lists["trial_conditions"].get(t["nct_id"], []),
            "interventions": lists["trial_interventions"].get(t["nct_id"], []),
            "has_results": bool(t.get("were_results_reported")),
            "enrollment_doubtful": is_doubtful(t.get("enrollment")),
            "match": "source", "score": None,
        }
        for t in trials
        if t["nct_id"] not in known
    ]  # fmt: skip


def _by_trial(
    tables: Mapping[str, pa.Table], name: str, column: str = "name"
) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in tables[name].select(["nct_id", column]).to_pylist() if name in tables else []:
        if row[column]:
            found.setdefault(row["nct_id"], []).append(row[column])
    return found


def _year(trial: Row) -> int | None:
    day = trial.get("start_date") or trial.get("study_first_posted_date")
    return day.year if day else None
