"""ClinicalTrials.gov: its pages, its refusals, and the same rows as AACT."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from etl.errors import UsageError
from etl.sources.http import Transport
from etl.sources.outcome import Outcome
from etl.sources.trials import aact, registry
from etl.sources.trials.study import day, nct_id
from etl.store.schema import TABLES
from tests.fault_server import FaultServer, Reply, Request
from tests.live.ctgov import STUDIES, page, study

# the recorded study and the snapshot are of different days
CHANGED = {
    "trials": {"number_of_sae_subjects", "number_of_nsae_subjects"},
    "trial_milestones": {"description"},
}


def names(tables: dict[str, pa.Table] | None) -> list[str]:
    assert tables is not None
    found: list[str] = tables["trials"].column("nct_id").to_pylist()
    return found


def test_what_a_study_says(server: FaultServer, http: Transport) -> None:
    server.on(STUDIES, Reply(page([study(1)])))
    tables = registry.search(http, "drops").value
    assert tables is not None
    (trial,) = tables["trials"].to_pylist()
    assert (trial["phase"], trial["enrollment"], trial["acronym"]) == ("PHASE2/PHASE3", 248, None)
    assert (trial["start_date"], trial["start_month_year"]) == (date(2024, 2, 29), "2024-02")
    assert (trial["investigator_masked"], trial["subject_masked"]) == (True, False)
    assert trial["actual_duration"] == 11 and trial["were_results_reported"] is False
    assert tables["trial_design_group_interventions"].num_rows == 1
    first, second = tables["trial_references"].to_pylist()
    assert (first["pmid"], second["pmid"], second["pmid_text"]) == (123, None, "PMC1")
    for name, table in tables.items():
        assert table.column_names == [c.name for c in TABLES[name].columns]


def test_the_question_is_asked_in_its_fields(server: FaultServer, http: Transport) -> None:
    server.on(STUDIES, Reply(page([study(1)])))
    registry.search(
        http, "asthma AREA[Phase] (x)", conditions="copd", since=date(2026, 1, 2), limit=7
    )
    asked = server.seen[0].query
    assert asked["query.term"] == "asthma Phase x" and asked["query.cond"] == "copd"
    assert asked["filter.advanced"] == "AREA[LastUpdatePostDate]RANGE[2026-01-02,MAX]"
    assert asked["pageSize"] == "7" and "pageToken" not in asked


def test_a_last_page_that_is_exactly_full(server: FaultServer, http: Transport) -> None:
    def reply(request: Request) -> Reply:
        if "pageToken" in request.query:
            return Reply(page([]))
        return Reply(page([study(n) for n in range(1, 101)], "t1"))

    server.on(STUDIES, reply)
    found = registry.search(http, "drops", limit=500)
    assert found.outcome is Outcome.FOUND and len(names(found.value)) == 100
    assert found.requests == 2 and not found.partial


def test_all_pages_are_of_one_size(server: FaultServer, http: Transport) -> None:
    def reply(request: Request) -> Reply:
        first = 1 if "pageToken" not in request.query else 101
        return Reply(page([study(n) for n in range(first, first + 100)], f"t{first}"))

    server.on(STUDIES, reply)
    found = registry.search(http, "drops", limit=130)
    assert names(found.value) == [f"NCT{n:08d}" for n in range(1, 131)]
    assert [r.query["pageSize"] for r in server.seen] == ["100", "100"]


def test_the_day_of_the_data_is_kept(server: FaultServer, http: Transport) -> None:
    of = [study(n) for n in (1, 2, 3)]
    of[0]["derivedSection"] = {"miscInfoModule": {"versionHolder": "2026-11-26"}}
    of[1]["derivedSection"] = {"miscInfoModule": {"versionHolder": "2026-11-27"}}
    server.on(STUDIES, Reply(page(of)))
    tables = registry.search(http, "drops").value
    assert tables is not None and registry.data_version(tables) == "2026-11-27"
    assert len(server.seen) == 1
    assert registry.data_version(registry.tables([study(1)])) is None


def test_a_token_of_yesterday_has_it_asked_anew(server: FaultServer, http: Transport) -> None:
    refused = [True]

    def reply(request: Request) -> Reply:
        if "pageToken" not in request.query:
            return Reply(page([study(1)], "t1"))
        if refused.pop() if refused else False:
            return Reply(b"Invalid page token", 400, {"Content-Type": "text/plain"})
        return Reply(page([study(2)]))

    server.on(STUDIES, reply)
    found = registry.search(http, "drops", limit=500)
    assert sorted(names(found.value)) == ["NCT00000001", "NCT00000002"]


def test_a_refusal_says_what_the_registry_said(server: FaultServer, http: Transport) -> None:
    server.on(STUDIES, Reply(b"`query.recrs` is unknown parameter", 400))
    found = registry.search(http, "drops")
    assert found.outcome is Outcome.FAILED and "unknown parameter" in found.detail
    server.on(STUDIES, Reply(b"<html>Forbidden", 403))
    said = registry.search(http, "drops").detail
    assert "403" in said and "transport" in said
    assert "EVIDENCE_USER_AGENT" in said and "EVIDENCE_BASE_CTGOV" in said


def test_unknown_numbers_are_named(server: FaultServer, http: Transport) -> None:
    server.on(STUDIES, Reply(page([study(1)])))
    found = registry.fetch(http, ["NCT00000001", "nct00000002"])
    assert (found.outcome, found.asked, found.missing) == (Outcome.FOUND, 2, ("NCT00000002",))
    assert server.seen[0].query["filter.ids"] == "NCT00000001,NCT00000002"


def test_an_alias_brings_its_study(server: FaultServer, http: Transport) -> None:
    alias = {"nctId": "NCT00000001", "nctIdAliases": ["NCT00000009"]}
    server.on(STUDIES, Reply(page([study(1, identificationModule=alias)])))
    found = registry.fetch(http, ["NCT00000009"])
    assert found.missing == () and names(found.value) == ["NCT00000001"]


def test_batches_of_numbers(server: FaultServer, http: Transport) -> None:
    def reply(request: Request) -> Reply:
        asked = request.query["filter.ids"].split(",")
        if "NCT00000101" in asked:
            return Reply(status=500)
        return Reply(page([study(int(n[3:])) for n in asked]))

    server.on(STUDIES, reply)
    found = registry.fetch(http, [f"NCT{n:08d}" for n in range(1, 251)])
    assert len(names(found.value)) == 150 and len(found.missing) == 100
    assert found.partial and found.status == 500


@pytest.mark.parametrize("bad", ["NCT1", "12345678", "NCT00000001,NCT00000002", ""])
def test_text_that_is_no_number_is_refused(http: Transport, bad: str) -> None:
    with pytest.raises(UsageError):
        registry.fetch(http, ["NCT00000001", bad])


@pytest.mark.parametrize(
    "odd", [None, 3, "x", {}, {"protocolSection": []}, study(1, designModule=4)]
)
def test_odd_studies_break_nothing(server: FaultServer, http: Transport, odd: Any) -> None:
    server.on(STUDIES, Reply(page([odd, study(2)])))
    assert "NCT00000002" in names(registry.search(http, "x").value)


def test_dates() -> None:
    assert day("2025-02") == date(2025, 2, 28)
    assert day("2025-13") is None and day("soon") is None and day(None) is None


def test_the_same_rows_as_aact(shared_data: Path) -> None:
    paths = sorted((shared_data / "api" / "ctgov").glob("aact_v2_NCT*.json"))
    studies = [json.loads(path.read_text()) for path in paths]
    wanted = pa.array([nct_id(s) for s in studies])
    held: dict[str, list[dict[str, Any]]] = {}

    def write(name: str, batches: Iterable[pa.Table]) -> None:
        kept = [b.filter(pc.is_in(b["nct_id"], wanted)) for b in batches]
        held[name] = pa.concat_tables(kept).to_pylist() if kept else []

    aact.load(str(next((shared_data / "aact").glob("*_clinical_trials_ctgov.zip"))), write)
    there = {row["nct_id"] for row in held["trials"]}
    assert len(there) == 10
    made = registry.tables([s for s in studies if nct_id(s) in there])
    for name, rows in held.items():
        assert counted(name, made[name].to_pylist()) == counted(name, rows), name


def counted(name: str, rows: list[dict[str, Any]]) -> Counter[tuple[Any, ...]]:
    """Rows without the numbers that AACT gives out."""
    columns = [
        c.name
        for c in TABLES[name].columns
        if c.name == "nct_id" or not (c.name.endswith("_id") or c.name in CHANGED.get(name, ()))
    ]
    found: defaultdict[tuple[Any, ...], int] = defaultdict(int)
    for row in rows:
        found[tuple(row[c] for c in columns)] += 1
    return Counter(found)
