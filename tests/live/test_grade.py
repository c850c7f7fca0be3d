"""PMIDs that the warehouse lacks: fetched, graded, kept; what could not be asked is told."""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from etl.jobs.refresh import refresh
from etl.jobs.request import Request
from etl.sources.http import Transport
from etl.sources.http_settings import NCBI
from etl.store.home import Home
from etl.store.lock import refresh_lock
from etl.store.snapshot import current
from tests.fault_server import FaultServer, Reply, stall_at_once
from tests.fault_server import Request as Asked
from tests.live.conftest import loaded_home, settings
from tests.live.europepmc import JATS, NOT_OPEN, SEARCH, answer, record
from tests.live.eutils import EFETCH, article_set, form, serve
from tests.pubmed_xml import RCT, article, write
from warehouse import fulltext_grade, grade_pmid_list, live_grade
from warehouse.grade import filled_grades, grades

MISSING = {
    n: article(
        n, f"A trial of drug {n}", types=[RCT], year=2026,
        abstract=f"We randomised {n} patients to a drug or placebo.",
    )
    for n in range(1001, 1101)
}  # fmt: skip


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return loaded_home(
        tmp_path_factory.mktemp("loaded"), *(article(n, types=[RCT]) for n in range(1, 30))
    )


@pytest.fixture(autouse=True)
def live_here(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("EVIDENCE_LIVE", "gaps")
    monkeypatch.setenv("EVIDENCE_LIVE_SECONDS", "3")
    client = Transport(settings(server))
    monkeypatch.setattr(live_grade, "transport", lambda: client)
    yield


def ask(home: Home, *pmids: int, **options: Any) -> list[dict[str, Any]]:
    return grade_pmid_list([str(p) for p in pmids], home=home.root, **options)


def test_a_missing_pmid_is_fetched_graded_and_kept(server: FaultServer, home: Home) -> None:
    serve(server, MISSING)
    local, fetched = ask(home, 1, 1001)
    assert local["source_chain"] == ["warehouse"] and local["sources"] == []
    assert (local["lookup"], fetched["lookup"]) == ("held", "fetched")
    assert fetched["found"] and (fetched["grade"], fetched["sample_size"]) == ("A", 1001)
    assert fetched["source"] == "pubmed" and fetched["source_chain"] == ["pubmed-eutils"]
    assert fetched["sources"][0]["outcome"] == "found" and fetched["sources"][0]["asked"] == 1
    again = ask(home, 1, 1001)
    assert len(server.seen) == 1 and again[1]["source_chain"] == ["warehouse"]
    assert again[1]["grade"] == "A"


def test_unknown_to_pubmed_is_not_a_failure(server: FaultServer, home: Home) -> None:
    serve(server, MISSING)
    known, unknown = ask(home, 1001, 99_999)
    assert known["found"] and not unknown["found"] and unknown["grade"] is None
    assert unknown["sources"][0]["missing"] == ["99999"] and known["sources"][0]["missing"] == []
    (alone,) = ask(home, 99_999)
    assert alone["sources"][0]["outcome"] == "unknown"
    assert unknown["lookup"] == alone["lookup"] == "unknown"


def test_a_failure_is_told_apart(server: FaultServer, home: Home) -> None:
    server.on(EFETCH, Reply(status=503))
    (row,) = ask(home, 1001)
    assert not row["found"] and row["sources"][0]["outcome"] == "failed"
    assert row["sources"][0]["status"] == 503 and row["lookup"] == "failed"


def test_europe_pmc_that_knows_none_is_no_failure(server: FaultServer, home: Home) -> None:
    server.on(EFETCH, Reply(status=503))
    empty = Reply(b'{"version":"6.9","hitCount":0,"request":{},"resultList":{"result":[]}}')
    for path in ("/europepmc/search", "/europepmc/searchPOST"):
        server.on(path, empty)
    rows, notices = filled_grades(home, grades(home, [1001]))
    assert rows[0]["lookup"] == "failed"
    assert "europepmc-search knows none of them" in notices


def test_never_asks_nobody(server: FaultServer, home: Home) -> None:
    (row,) = ask(home, 1001, live="never")
    assert not row["found"] and row["sources"] == [] and not server.seen
    assert row["lookup"] == "not_asked"


def test_a_locked_home_still_answers(server: FaultServer, home: Home) -> None:
    serve(server, MISSING)
    with refresh_lock(home):
        rows, notices = filled_grades(home, grades(home, [1001]))
    assert rows[0]["found"] and rows[0]["grade"] == "A"
    assert any("not kept" in line for line in notices)
    assert not grades(home, [1001])[0]["found"]


@pytest.mark.parametrize("locked", [False, True])
def test_other_profiles_grade_fetched_records_too(
    server: FaultServer, home: Home, locked: bool
) -> None:
    serve(server, {1001: article(1001, "Device trial", types=[RCT], abstract="We randomised 250.")})
    how = {"profile": "rare_disease"}
    local = grades(home, [1001], **how)  # type: ignore[arg-type]
    if locked:
        with refresh_lock(home):
            rows, _ = filled_grades(home, local, **how)
    else:
        rows, _ = filled_grades(home, local, **how)
    assert rows[0]["found"] and rows[0]["rule_version"]
    if not locked:
        assert {k: rows[0][k] for k in local[0]} == grades(home, [1001], **how)[0]  # type: ignore[arg-type]


def test_a_hundred_in_one_request_and_three_seconds_then_none(
    server: FaultServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unkeyed, a server that takes 40 ms."""
    base = settings(server)
    slow = tuple(NCBI if f.name == "NCBI" else f for f in base.families)
    client = Transport(replace(base, families=slow, body_limit=10_000_000))
    monkeypatch.setattr(live_grade, "transport", lambda: client)

    def fetch(request: Asked) -> Reply:
        time.sleep(0.04)
        return Reply(article_set([MISSING[int(p)] for p in form(request)["id"].split(",")]))

    server.on(EFETCH, fetch)
    started = time.monotonic()
    rows = ask(home, *MISSING)
    seconds = time.monotonic() - started
    assert all(row["found"] and row["grade"] for row in rows) and len(server.seen) <= 2
    assert seconds < 3.0, seconds
    assert [r["grade"] for r in ask(home, *MISSING)] == [r["grade"] for r in rows]
    assert len(server.seen) <= 2


def test_hanging_ends_in_time(
    server: FaultServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE_LIVE_SECONDS", "1")
    for path in (EFETCH, "/europepmc/search", "/europepmc/searchPOST"):
        server.on(path, Reply(b"x", manner=stall_at_once))
    started = time.monotonic()
    rows = ask(home, 1, 1001)
    assert time.monotonic() - started < 2.0
    assert rows[0]["found"] and not rows[1]["found"]
    assert rows[1]["sources"][0]["outcome"] == "failed"


def test_no_network_is_said_at_once(
    server: FaultServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = settings(server)
    gone = Transport(replace(base, bases=dict.fromkeys(base.bases, "http://127.0.0.1:9/")))
    monkeypatch.setattr(live_grade, "transport", lambda: gone)
    started = time.monotonic()
    rows, notices = filled_grades(home, grades(home, [1001]))
    assert time.monotonic() - started < 0.5 and not rows[0]["found"]
    assert notices == ["no network: pubmed-eutils was not asked for 1 missing PMIDs"]
    assert rows[0]["lookup"] == "not_asked"


def test_the_watermark_stays(server: FaultServer, home: Home) -> None:
    serve(server, MISSING)
    before = current(home)
    ask(home, 1001)
    after = current(home)
    assert before and after and after.watermarks == before.watermarks and after.id > before.id


@dataclass(frozen=True)
class Size:
    """As ``warehouse.fulltext`` gives it."""

    pmid: str
    value: int | None
    evidence: str | None = None
    channel: str | None = None
    tried: tuple[tuple[str, int | None, str], ...] = ()


def test_full_texts_change_n_and_grade(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(
        home.root / "more.xml",
        article(50, types=[RCT], abstract="We randomised 40 patients.", year=2026),
        article(51, types=[RCT], year=2026),
        article(52, types=[("D016454", "Review")]),
    )
    refresh(home, Request(pubmed=(str(path),)))
    asked: list[str] = []

    def sample_sizes(home: Home, records: Any, http: Any, within: Any) -> list[Size]:
        asked.extend(str(record["pmid"]) for record in records)
        tried = (("europepmc", 404, "not_available"), ("bioc", 200, "not_available"))
        return [
            Size("50", 1450, "1450 patients were randomised.", "europepmc"),
            Size("51", None, channel="abstract-only", tried=tried),
        ]

    module = ModuleType("warehouse.fulltext")
    module.sample_sizes = sample_sizes  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "warehouse.fulltext", module)
    before = ask(home, 50)[0]
    rows = ask(home, 50, 51, 52, fetch_fulltext_for_sample_size=True)
    assert asked == ["50", "51"] and before["grade"] != "A"
    assert (rows[0]["grade"], rows[0]["sample_size"]) == ("A", 1450)
    assert rows[0]["sample_size_source"] == "fulltext"
    assert rows[0]["sample_size_evidence"] == "1450 patients were randomised."
    assert rows[0]["fulltext"]["channel"] == "europepmc" and rows[2]["fulltext"] is None
    assert rows[1]["sample_size"] is None and rows[1]["fulltext"]["channel"] == "abstract-only"
    assert rows[1]["fulltext"]["tried"][0] == {
        "channel": "europepmc", "status": 404, "outcome": "not_available",
    }  # fmt: skip
    assert ask(home, 50)[0] == before  # nothing of it is kept


def test_an_open_full_text_over_the_wire(
    server: FaultServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Transport(settings(server))
    monkeypatch.setattr(fulltext_grade, "transport", lambda: client)
    server.on(SEARCH, Reply(answer([record(1, pmcid="PMC77")])))
    server.on("/europepmc/PMC77/fullTextXML", Reply(JATS))
    (row,) = ask(home, 1, fetch_fulltext_for_sample_size=True)
    assert (row["sample_size"], row["sample_size_source"]) == (248, "fulltext")
    assert "248" in row["sample_size_evidence"] and row["grade"] == "B"
    assert row["fulltext"]["tried"][0]["status"] == 200


def test_no_open_full_text_names_what_was_tried(
    server: FaultServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Transport(settings(server))
    monkeypatch.setattr(fulltext_grade, "transport", lambda: client)
    server.on(SEARCH, Reply(answer([record(1, pmcid="PMC77")])))
    server.on("/bioc/BioC_json/PMC77/unicode", Reply(NOT_OPEN))
    (row,) = ask(home, 1, fetch_fulltext_for_sample_size=True)
    assert row["fulltext"]["channel"] == "abstract-only" and row["sample_size"] is None
    assert len(row["fulltext"]["tried"]) == 3
