"""Gaps of a search filled from live sources on real sockets."""

import json
import time
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from etl.jobs.refresh import Request, refresh
from etl.sources import http as http_module
from etl.sources.http import Transport
from etl.store.home import Home, open_home
from etl.store.lock import refresh_lock
from etl.store.snapshot import current
from tests.fault_server import FaultServer, Reply, stall_at_once
from tests.live.conftest import loaded_home, settings
from tests.live.ctgov import page, study
from tests.live.europepmc import answer, preprint, record
from tests.live.eutils import EFETCH, ESEARCH, form, serve
from tests.pubmed_xml import GUIDELINE, RCT, article
from warehouse import evidence_search
from warehouse import fill as fill_module
from warehouse import gaps as gaps_module

NOW = datetime.now(UTC).year
NEW = {
    900: article(
        900, "Asthma: a new randomized controlled trial", types=[RCT], year=NOW,
        abstract="We randomised 2,400 patients with asthma.",
    ),
    901: article(901, "Asthma in Mars colonies", year=NOW),
}  # fmt: skip
OLD = [
    article(1, "Asthma guideline", types=[GUIDELINE], year=NOW - 1),
    *(article(n, f"Asthma trial number {n}", types=[RCT], year=NOW - 1) for n in range(2, 9)),
    article(20, "Copd trial", types=[RCT], year=NOW - 1),
]
EPMC = "/europepmc/search"
CTGOV = "/ctgov/studies"


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return loaded_home(tmp_path_factory.mktemp("loaded"), *OLD)


@pytest.fixture(autouse=True)
def live_here(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every source of this process stands on the scripted server; old enough to have a gap."""
    client = Transport(settings(server))
    monkeypatch.setattr(fill_module, "transport", lambda: client)
    monkeypatch.setattr(http_module, "transport", lambda: client)
    late = datetime.now(UTC).date() - timedelta(days=30)
    monkeypatch.setattr(gaps_module, "watermark", lambda snapshot: late)
    for name, value in {"LIVE": "gaps", "LIVE_SECONDS": "3", "BASE_EUTILS": server.url}.items():
        monkeypatch.setenv(f"EVIDENCE_{name}", value)
    server.on(EPMC, Reply(b'{"hitCount":0,"resultList":{"result":[]}}'))
    server.on(CTGOV, Reply(b'{"studies":[],"totalCount":0}'))
    yield


def ask(home: Home, query: str = "asthma", **options: Any) -> dict[str, Any]:
    found = evidence_search(query, home=home.root, date_range="all", **options)
    json.dumps(found)  # every answer is JSON
    return found


def pmids(found: dict[str, Any]) -> list[str]:
    return [row["pmid"] for row in found["results"]]


def source(found: dict[str, Any], name: str) -> dict[str, Any]:
    return next(s for s in found["sources"] if s["source"] == name)


def test_what_is_newer_is_fetched_graded_kept_and_shown(server: FaultServer, home: Home) -> None:
    serve(server, NEW)
    before = current(home)
    found = ask(home)
    assert found["gaps"] == [gaps_module.NEW]
    rows = {row["pmid"]: row for row in found["results"]}
    assert rows["900"]["grade"] == "A" and rows["900"]["sample_size"] == 2400
    assert rows["900"]["source"] == "pubmed" and rows["900"]["source_chain"] == ["pubmed-eutils"]
    assert rows["2"]["source_chain"] == ["warehouse"]
    assert found["total"] == len(OLD) - 1 + 2 == sum(found["by_grade"].values())
    grades = [row["grade"] for row in found["results"]]
    assert grades == sorted(grades, key=["A", "B", "C", "D", "ungraded"].index)
    now = current(home)
    assert before and now and found["snapshot"] == now.id == before.id + 1
    said = form(server.asked(ESEARCH)[0])
    assert said["term"] == "asthma" and said["datetype"] == "edat" and said["mindate"]


def test_the_second_time_nobody_is_asked(server: FaultServer, home: Home) -> None:
    serve(server, NEW)
    first = ask(home)
    seen = len(server.seen)
    second = ask(home)
    assert first["incomplete"] == [] and second["cache_hit"] and len(server.seen) == seen
    assert pmids(second) == pmids(first)


def test_without_cache_no_record_is_fetched_twice(server: FaultServer, home: Home) -> None:
    serve(server, NEW)
    first = ask(home, cache=Path("off"))
    second = ask(home, cache=Path("off"))
    assert len(server.asked(EFETCH)) == 1 and set(pmids(second)) == set(pmids(first))
    assert first["total"] == second["total"] and first["by_grade"] == second["by_grade"]


def test_too_few_results_are_a_gap(
    server: FaultServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gaps_module, "watermark", lambda snapshot: datetime.now(UTC).date())
    serve(server, {30: article(30, "Copd and something", types=[RCT])})
    found = ask(home, "copd")
    assert found["gaps"] == [gaps_module.FEW] and set(pmids(found)) == {"20", "30"}
    assert "mindate" not in form(server.asked(ESEARCH)[0])
    assert ask(home, "asthma")["gaps"] == []  # seven are enough


def test_never_asks_nobody(server: FaultServer, home: Home) -> None:
    found = ask(home, live="never")
    assert found["sources"] == found["gaps"] == [] and not server.seen


def test_always_asks_without_a_gap(
    server: FaultServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gaps_module, "watermark", lambda snapshot: datetime.now(UTC).date())
    serve(server, NEW)
    assert "900" in pmids(ask(home, live="always"))


def test_old_years_have_no_new_papers(server: FaultServer, home: Home) -> None:
    serve(server, NEW)
    found = evidence_search("asthma", home=home.root, date_range=f"2000:{NOW - 1}")
    assert found["gaps"] == [] and not server.seen


def test_a_failure_is_named_and_is_no_zero_and_not_kept(server: FaultServer, home: Home) -> None:
    server.on(ESEARCH, Reply(status=503))
    found = ask(home)
    assert set(pmids(found)) == {str(n) for n in range(1, 9)}
    assert source(found, "pubmed-eutils")["outcome"] == "failed"
    assert any("pubmed-eutils gave no answer" in line for line in found["notices"])
    serve(server, NEW)
    again = ask(home)
    assert not again["cache_hit"] and "900" in pmids(again)


def test_a_locked_home_shows_but_does_not_keep(server: FaultServer, home: Home) -> None:
    serve(server, NEW)
    before = current(home)
    with refresh_lock(home):
        found = ask(home)
    assert "900" in pmids(found) and before and found["snapshot"] == before.id
    assert any("not kept" in line and "another refresh" in line for line in found["notices"])


def test_every_source_hanging_leaves_the_warehouse_in_time(
    server: FaultServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE_LIVE_SECONDS", "1")
    for path in (ESEARCH, EPMC, CTGOV):
        server.on(path, Reply(b"x", manner=stall_at_once))
    started = time.monotonic()
    found = ask(home)
    assert time.monotonic() - started < 2.0
    assert len(found["results"]) == 8
    outcomes = {s["outcome"] for s in found["sources"]}
    assert outcomes == {"failed"} and len(found["sources"]) == 3


def test_no_network_is_one_line_and_at_once(
    server: FaultServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = Transport(settings(server))
    bases = dict.fromkeys(gone.settings.bases, "http://127.0.0.1:9/")
    from dataclasses import replace

    client = Transport(replace(gone.settings, bases=bases))
    monkeypatch.setattr(fill_module, "transport", lambda: client)
    started = time.monotonic()
    found = ask(home)
    assert time.monotonic() - started < 0.8 and len(found["results"]) == 8
    lines = [line for line in found["notices"] if "network" in line or "gave no answer" in line]
    assert len(lines) == 1 and "pubmed-eutils" in lines[0] and "europepmc-search" in lines[0]


def test_guidelines_only_shows_only_guidelines(server: FaultServer, home: Home) -> None:
    more = {902: article(902, "Asthma practice guideline", types=[GUIDELINE], year=NOW)}
    serve(server, {**NEW, **more})
    found = ask(home, target_grade="guideline_only")
    assert pmids(found) == ["1", "902"] and found["by_grade"]["A"] == 2


def test_excluded_ones_are_counted_and_not_listed(server: FaultServer, home: Home) -> None:
    letter = article(903, "Asthma letter", types=[("D016422", "Letter")], year=NOW)
    serve(server, {903: letter})
    found = ask(home)
    assert "903" not in pmids(found) and found["by_grade"]["excluded"] == 1
    assert "903" in pmids(ask(home, include_excluded=True))


def test_more_matches_than_shown_are_not_counted_twice(server: FaultServer, home: Home) -> None:
    held = {n: OLD[n - 1] for n in range(1, 9)}
    serve(server, {**held, **NEW})
    found = ask(home, max_results=2)
    assert found["total"] == 10 and len(found["results"]) == 2


def test_a_preprint_of_europepmc_is_shown_graded(server: FaultServer, home: Home) -> None:
    serve(server, NEW)
    server.on(EPMC, Reply(answer([preprint(13), record(14)])))
    found = ask(home, include_preprints=True)
    shown = {row["evidence_id"]: row for row in found["results"]}
    assert {"PPR:PPR13", "PMID:14"} <= set(shown)
    assert shown["PPR:PPR13"]["grade"] == "D" and shown["PPR:PPR13"]["is_preprint"]
    assert shown["PMID:14"]["source_chain"] == ["europepmc-search"]
    assert source(found, "europepmc-search")["outcome"] == "found" and found["incomplete"] == []
    assert any(r.query["query"].startswith("(asthma) AND (FIRST_PDATE") for r in server.asked(EPMC))


def test_trials_of_the_registry_are_shown(server: FaultServer, home: Home) -> None:
    serve(server, NEW)
    server.on(CTGOV, Reply(page([study(1), study(2)])))
    found = ask(home)
    trials = [row for row in found["results"] if row.get("nct_id")]
    assert [t["nct_id"] for t in trials] == ["NCT00000001", "NCT00000002"]
    assert trials[0]["sample_size"] == 248 and trials[0]["conditions"] == ["Asthma"]
    assert trials[0]["year"] == 2024 and found["trials_total"] == 2
    assert source(found, "clinical-trials-v2")["outcome"] == "found"
    assert evidence_search("asthma", home=home.root, date_range=f"{NOW}:{NOW}")["trials_total"] == 0


def test_trials_that_are_held_and_not_shown_are_not_counted_twice(
    server: FaultServer, tmp_path: Path
) -> None:
    place = loaded_home(tmp_path, *OLD)
    export = tmp_path / "20260101_export_ctgov.zip"
    names = "id|nct_id|name\n1|NCT00000001|Asthma\n2|NCT00000002|Asthma\n"
    with zipfile.ZipFile(export, "w") as archive:
        archive.writestr("studies.txt", "nct_id|brief_title\nNCT00000001|A\nNCT00000002|B\n")
        archive.writestr("conditions.txt", names)
    refresh(open_home(place), Request(aact=str(export)))
    serve(server, NEW)
    server.on(CTGOV, Reply(page([study(1), study(3)])))
    found = ask(open_home(place), max_results=2)
    assert source(found, "clinical-trials-v2")["outcome"] == "found"
    assert found["trials_total"] == 3 and len(found["results"]) == 2


def test_one_hanging_source_does_not_hold_the_others(
    server: FaultServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE_LIVE_SECONDS", "1")
    serve(server, NEW)
    server.on(EPMC, Reply(b"x", manner=stall_at_once))
    found = ask(home)
    assert "900" in pmids(found) and found["incomplete"] == ["europepmc-search"]
