"""The eight failure modes of the seed, each made to happen on real sockets and files.

BioMCP that is there and fails on a real MCP server: ``tests/biomcp``; here with the fast path.
"""

import socket
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from etl.errors import TransientSourceError
from etl.sources.http import Transport
from etl.sources.outcome import Outcome, Reply, failed
from etl.store.home import Home
from tests.fault_server import FaultServer, stall_at_once
from tests.fault_server import Reply as Answer
from tests.live.conftest import loaded_home, settings
from tests.live.europepmc import SEARCH, answer, record
from tests.live.eutils import EFETCH, ESEARCH, serve
from tests.pubmed_xml import GUIDELINE, RCT, article
from warehouse import evidence_search, grade_pmid_list, live_grade, sources
from warehouse import fill as fill_module
from warehouse import gaps as gaps_module
from warehouse.hints import CHINESE

NOW = datetime.now(UTC).year
FUNCTION = sources._function
PREPRINT = ("D000076942", "Preprint")
UPDATE_OF = (
    '<CommentsCorrectionsList><CommentsCorrections RefType="UpdateOf"><RefSource>medRxiv'
    "</RefSource><PMID>{}</PMID></CommentsCorrections></CommentsCorrectionsList>"
)
NEW = {
    900: article(
        900, "Asthma: a randomized controlled trial of budesonide", types=[], year=NOW,
        abstract="In this randomized controlled trial we randomly assigned 240 patients.",
    ),
    901: article(901, "Asthma trial without numbers", types=[RCT], year=NOW),
    902: article(902, "Asthma as a preprint of a longer story", types=[PREPRINT], year=NOW),
    903: article(
        903, "Asthma as an article", types=[RCT], year=NOW, corrections=UPDATE_OF.format(902)
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    old = [article(n, f"Asthma trial {n}", types=[RCT], year=NOW - 1) for n in range(1, 8)]
    return loaded_home(
        tmp_path_factory.mktemp("loaded"), *old, article(30, "Scabies", year=NOW - 1)
    )


@pytest.fixture(autouse=True)
def live_here(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    client = Transport(settings(server))
    for module in (fill_module, live_grade):
        monkeypatch.setattr(module, "transport", lambda: client)
    late = datetime.now(UTC).date() - timedelta(days=30)
    monkeypatch.setattr(gaps_module, "watermark", lambda snapshot: late)
    monkeypatch.setattr(sources, "_function", lambda module, name: none)
    monkeypatch.setenv("EVIDENCE_LIVE", "gaps")
    monkeypatch.setenv("EVIDENCE_LIVE_SECONDS", "3")
    serve(server, NEW)
    yield


def none(*args: Any, **options: Any) -> Reply[Any]:
    return Reply(sources.EUROPEPMC, Outcome.NONE)


def ask(home: Home, query: str = "asthma", **options: Any) -> dict[str, Any]:
    return evidence_search(query, home=home.root, date_range="all", **options)


def row_of(found: dict[str, Any], pmid: int) -> dict[str, Any]:
    return next(row for row in found["results"] if row["pmid"] == str(pmid))


def test_1_biomcp_is_there_and_refuses(
    server: FaultServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: connections are refused
        place = taken.getsockname()
        module: Any = ModuleType("etl.sources.biomcp")
        module.detect = lambda *where: SimpleNamespace(endpoint=place, notices=())

        def find(endpoint: Any, query: str, **options: Any) -> Reply[Any]:
            try:
                socket.create_connection(endpoint, 1)
            except OSError as error:
                return failed("biomcp", TransientSourceError(str(error)))
            raise AssertionError

        module.ask = find
        monkeypatch.setitem(sys.modules, "etl.sources.biomcp", module)
        found = ask(home)
    assert found["fast_path_used"] is False and row_of(found, 901)["grade"]
    assert any("biomcp was not used: [Errno" in line for line in found["notices"])


def test_2_ncbi_times_out_three_times_then_europepmc(
    server: FaultServer, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.on(EFETCH, Answer(b"<x/>", manner=stall_at_once))
    server.on(SEARCH, Answer(answer([record(901)])))
    monkeypatch.setattr(sources, "_function", FUNCTION)
    started = time.monotonic()
    (row,) = grade_pmid_list(["901"], home=home.root)
    assert time.monotonic() - started < 4.0
    asked = server.asked(EFETCH)
    assert len(asked) == 3 and len(server.asked(SEARCH)) == 1
    # each waited its time out, and a little more
    assert all(after.at - before.at > 0.45 for before, after in pairwise(asked))
    assert row["found"] and row["grade"] == "B" and row["source"] == "europepmc"


def test_3_types_empty_are_inferred_from_words(home: Home) -> None:
    row = row_of(ask(home), 900)
    assert row["publication_types"] == [] and row["inferred"] and row["design"] == "rct"
    assert row["grade_label"] == f"{row['grade']}_inferred"


def test_4_no_number_of_people_is_no_zero(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("warehouse.fulltext")
    tried = (("europepmc", 404, "not_available"), ("bioc", 200, "not_available"))
    size = SimpleNamespace(pmid="901", value=None, evidence=None, channel=None, tried=tried)
    module.sample_sizes = lambda *args: [size]
    monkeypatch.setitem(sys.modules, "warehouse.fulltext", module)
    (row,) = grade_pmid_list(["901"], fetch_fulltext_for_sample_size=True, home=home.root)
    assert row["sample_size"] is None and row["grade"] == "B" and row["design"] == "rct"
    assert [one["channel"] for one in row["fulltext"]["tried"]] == ["europepmc", "bioc"]


def test_5_preprint_and_article_of_one_study(home: Home) -> None:
    found = ask(home, include_preprints=True)
    assert str(row_of(found, 902)["superseded_by"]) == "903"
    numbers = [row["pmid"] for row in found["results"]]
    assert numbers.index("903") < numbers.index("902")


def test_6_chinese_journals_are_missing(home: Home) -> None:
    assert CHINESE in ask(home, "哮喘 asthma")["notices"]
    assert CHINESE in ask(home, "asthma AND chinese[la]")["notices"]
    assert CHINESE not in ask(home, "asthma")["notices"]


def test_7_no_guideline_falls_back_and_says_so(server: FaultServer, home: Home) -> None:
    found = ask(home, target_grade="guideline_only")
    assert found["target_grade"] == "rct_or_above" and len(server.asked(ESEARCH)) == 1
    assert any("no guideline" in line for line in found["notices"])
    assert row_of(found, 901)["design"] == "rct"


def test_7_a_guideline_found_live_is_one(server: FaultServer, home: Home) -> None:
    serve(server, {910: article(910, "Scabies guideline", types=[GUIDELINE], year=NOW)})
    found = ask(home, "scabies", target_grade="guideline_only")
    assert [row["pmid"] for row in found["results"]] == ["910"]


def test_8_a_broken_cache_is_made_anew(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cache.sqlite"
    path.write_bytes(b"SQLite format 3\0" + b"rubbish" * 500)
    monkeypatch.setenv("EVIDENCE_CACHE", str(path))
    found = ask(home)
    assert row_of(found, 901)["grade"] and any("made anew" in line for line in found["notices"])
    assert ask(home)["cache_hit"]
