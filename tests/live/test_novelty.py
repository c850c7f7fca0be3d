"""The novelty scan on real sockets."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from etl.errors import UsageError
from etl.sources.http import Transport
from etl.store.home import Home
from etl.store.snapshot import current
from tests.fault_server import FaultServer, Reply
from tests.fault_server import Request as Asked
from tests.live.conftest import loaded_home, settings
from tests.live.eutils import EFETCH, ESEARCH, form, found, serve
from tests.live.openalex import WORKS, page, work
from tests.pubmed_xml import RCT, REVIEW, article
from warehouse.novelty import novelty_scan
from warehouse.novelty_words import core_words, fewer_words, wordings

NOW = datetime.now(UTC).year
RECORDS = {
    1: article(1, "Venetoclax held already", types=[RCT], year=NOW),
    2: article(2, "A novel venetoclax trial", types=[RCT], year=NOW, abstract="We randomised 90."),
    3: article(3, "Review of venetoclax", types=[REVIEW], year=NOW - 1),
}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return loaded_home(tmp_path_factory.mktemp("loaded"), RECORDS[1], article(9))


@pytest.fixture(autouse=True)
def live_here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("EVIDENCE_LIVE", "gaps")
    monkeypatch.setenv("EVIDENCE_LIVE_SECONDS", "3")
    yield


@pytest.fixture
def client(server: FaultServer) -> Transport:
    server.on("/openalex/works", Reply(b'{"meta":{"count":0,"next_cursor":null},"results":[]}'))
    return Transport(settings(server))


def test_two_wordings_this_and_the_last_year_new_ones_flagged(
    server: FaultServer, client: Transport, home: Home
) -> None:
    serve(server, RECORDS, lambda said: [3] if "meta-analysis" in said["term"] else [1, 2])
    scan = novelty_scan("venetoclax", home=home.root, http=client)
    terms = [form(r)["term"] for r in server.asked(ESEARCH)]
    assert len(terms) == 2 and all(f"{NOW - 1}:{NOW}[dp]" in term for term in terms)
    flags = {row["pmid"]: row["is_new"] for row in scan["results"]}
    assert flags == {"1": False, "2": True, "3": True} and scan["new"] == 2
    assert [row["is_new"] for row in scan["results"]] == [True, True, False]
    groups = {row["pmid"]: row["groups"] for row in scan["results"]}
    assert groups == {"1": ["new"], "2": ["new"], "3": ["reviews"]}
    assert all(row["grade"] for row in scan["results"])
    now = current(home)
    assert now is not None and scan["snapshot"] == now.id


def test_what_was_new_is_held_the_next_time(
    server: FaultServer, client: Transport, home: Home
) -> None:
    serve(server, RECORDS, lambda said: [1, 2])
    assert novelty_scan("venetoclax", home=home.root, http=client)["new"] == 1
    assert novelty_scan("venetoclax", home=home.root, http=client)["new"] == 0
    assert len(server.asked(EFETCH)) <= 2


def test_an_empty_group_is_reworded_once(
    server: FaultServer, client: Transport, home: Home
) -> None:
    def answer(request: Asked) -> Reply:
        return Reply(found([2] if "refractory" not in form(request)["term"] else []))

    serve(server, RECORDS)
    server.on(ESEARCH, answer)
    scan = novelty_scan(
        "venetoclax AND azacitidine AND decitabine AND refractory", home=home.root, http=client
    )
    assert [g["first_wording"] is not None for g in scan["groups"]] == [True, True]
    assert scan["total"] == 1 and len(server.asked(ESEARCH)) == 4
    server.on(ESEARCH, Reply(found([])))
    empty = novelty_scan("one two three four", home=home.root, http=client)
    assert empty["total"] == 0 and len(server.asked(ESEARCH)) == 8
    assert {g["outcomes"]["pubmed-eutils"] for g in empty["groups"]} == {"none"}


def test_a_failed_group_is_not_an_empty_one(
    server: FaultServer, client: Transport, home: Home
) -> None:
    server.on(ESEARCH, Reply(status=503))
    scan = novelty_scan("venetoclax azacitidine decitabine refractory", home=home.root, http=client)
    assert scan["total"] == 0 and "pubmed-eutils" in scan["incomplete"]
    assert all(g["first_wording"] is None for g in scan["groups"])
    assert any("gave no answer" in line for line in scan["notices"])


def test_never_cannot_scan(home: Home) -> None:
    with pytest.raises(UsageError, match="--live gaps"):
        novelty_scan("venetoclax", home=home.root, live="never")


def test_wordings() -> None:
    assert core_words("What is the efficacy of venetoclax?") == "venetoclax"
    assert core_words("asthma[mh] AND budesonide[tiab]") == "asthma AND budesonide"
    assert fewer_words("asthma") == "asthma"
    new, reviews = wordings("asthma AND budesonide")
    assert new.pubmed.startswith("(asthma AND budesonide) AND (new OR novel")
    assert "meta-analysis" in reviews.pubmed and reviews.words == "asthma budesonide review"


def test_works_of_openalex_join_in(server: FaultServer, client: Transport, home: Home) -> None:
    more = {1001: article(1001, "Known to OpenAlex first", types=[RCT], year=NOW)}
    serve(server, {**RECORDS, **more}, lambda said: [2])
    works = [work(1), work(2, ids={}, title="A work without PMID on drops", doi=None)]
    server.on(WORKS, Reply(page(works)))
    scan = novelty_scan("venetoclax", home=home.root, http=client)
    rows = {row["evidence_id"]: row for row in scan["results"]}
    assert rows["PMID:1001"]["source_chain"] == ["openalex", "pubmed-eutils"]
    assert rows["PMID:1001"]["grade"] == "B" and rows["PMID:1001"]["is_new"]
    assert rows["PMID:1001"]["groups"] == ["new", "reviews"]
    bare = rows["OPENALEX:W2"]
    assert bare["pmid"] is None and bare["source"] == "openalex" and bare["is_new"]
    assert len(rows) == 3 and scan["incomplete"] == []
    assert all(f"from_publication_date:{NOW - 1}-01-01" in r.query["filter"]
               for r in server.asked(WORKS))  # fmt: skip
