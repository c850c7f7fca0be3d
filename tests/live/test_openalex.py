"""OpenAlex: abstracts rebuilt, credits respected, cursors ended."""

import json
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from etl.sources.http import Transport
from etl.sources.live_rows import live_table
from etl.sources.openalex.search import search
from etl.sources.openalex.work import abstract, row
from etl.sources.outcome import Outcome
from tests.fault_server import FaultServer, Reply, Request
from tests.live.conftest import settings
from tests.live.openalex import WORKS, page, work


def test_what_a_work_says(server: FaultServer, http: Transport) -> None:
    server.on(WORKS, Reply(page([work(1), work(2, ids={}, type="preprint")])))
    reply = search(http, "drops", since=date(2026, 1, 2), limit=50)
    assert reply.value is not None
    first, second = reply.value.to_pylist()
    assert (first["pmid"], first["evidence_id"], first["doi"]) == (1001, "PMID:1001", "10.1/x1")
    assert first["title"] == "Drops in children 1" and first["authors"] == ["Ann Lee"]
    assert first["abstract"] == "We gave drops. We won." and first["pages"] == "7"
    assert (second["pmid"], second["evidence_id"]) == (None, "OPENALEX:W2")
    assert second["publication_types"] == ["Preprint"] and first["publication_types"] == []
    asked = server.seen[0].query
    assert asked["filter"] == "from_publication_date:2026-01-02" and asked["per_page"] == "50"
    assert "sort" not in asked and "authorization" not in server.seen[0].headers


def test_the_key_goes_into_a_header_only(server: FaultServer) -> None:
    server.on(WORKS, Reply(page([work(1)])))
    search(Transport(settings(server, keys={"openalex": "secret-key"})), "drops")
    assert server.seen[0].headers["authorization"] == "Bearer secret-key"
    assert "secret-key" not in str(server.seen[0].query)


def test_the_day_is_over(server: FaultServer, http: Transport, shared_data: Path) -> None:
    body = (shared_data / "api" / "openalex" / "err_429_daily_from_source.json").read_bytes()
    server.on(WORKS, Reply(body, 429, {"Retry-After": "30000"}))
    started = time.monotonic()
    assert search(http, "drops").outcome is Outcome.STOPPED
    assert search(http, "drops").outcome is Outcome.STOPPED
    assert len(server.seen) == 1 and time.monotonic() - started < 1


def credits_left(dollars: str) -> dict[str, str]:
    return {"X-RateLimit-Remaining-USD": dollars, "X-RateLimit-Cost-USD": "0.001"}


def test_no_page_is_asked_that_cannot_be_paid(server: FaultServer, http: Transport) -> None:
    full = page([work(n) for n in range(1, 101)], "c1", 900)
    server.on(WORKS, Reply(full, headers=credits_left("0.0005")))
    reply = search(http, "drops", limit=900)
    assert reply.value is not None and reply.value.num_rows == 100
    assert reply.partial and "credits" in reply.detail and len(server.seen) == 1


@pytest.mark.parametrize(
    ("dollars", "counted", "outcome"),
    [
        ("0.000", 3, Outcome.STOPPED),  # counted, and none of them sent
        ("0.000", 0, Outcome.NONE),  # the last credit paid for a true zero
        ("0.050", 0, Outcome.NONE),
        ("soon", 0, Outcome.NONE),
    ],
)
def test_no_works(
    server: FaultServer, http: Transport, dollars: str, counted: int, outcome: Outcome
) -> None:
    server.on(WORKS, Reply(page([], None, counted), headers=credits_left(dollars)))
    assert search(http, "drops").outcome is outcome


def test_all_pages_are_of_one_size(server: FaultServer, http: Transport) -> None:
    def reply(request: Request) -> Reply:
        first = 1 if request.query["cursor"] == "*" else 101
        return Reply(page([work(n) for n in range(first, first + 100)], f"c{first}", 900))

    server.on(WORKS, reply)
    found = search(http, "drops", limit=130)
    assert found.value is not None and found.value.num_rows == 130
    assert [r.query["per_page"] for r in server.seen] == ["100", "100"]


def test_a_wrong_key_is_named(server: FaultServer, http: Transport) -> None:
    server.on(WORKS, Reply(b'{"error": "Invalid or missing API key"}', 401))
    reply = search(http, "drops")
    assert reply.outcome is Outcome.FAILED and "OPENALEX_API_KEY" in reply.detail


def test_cursors_end(server: FaultServer, http: Transport) -> None:
    def reply(request: Request) -> Reply:
        if request.query["cursor"] == "*":
            return Reply(page([work(n) for n in range(1, 101)], "c1", 900))
        return Reply(page([work(101)], "c1", 900))

    server.on(WORKS, reply)
    found = search(http, "drops", limit=900)
    assert found.value is not None and found.value.num_rows == 101 and found.requests == 2


def test_many_operators_are_words(server: FaultServer, http: Transport) -> None:
    server.on(WORKS, Reply(page([work(1)])))
    search(http, "a AND b OR c")
    search(http, " OR ".join("abcdefgh"))
    assert [r.query["search"].count("OR") for r in server.seen] == [1, 0]


@pytest.mark.parametrize("index", [None, [], {}, {"a": "x"}, {"a": [None, -1, 10**9]}])
def test_no_abstract(index: Any) -> None:
    assert abstract(index) is None


@pytest.mark.parametrize("odd", [{"id": None}, {"id": "x"}])
def test_a_work_without_an_id(odd: dict[str, Any]) -> None:
    assert row(work(1, **odd)) is None


def test_recorded_works(shared_data: Path) -> None:
    made = []
    for path in sorted((shared_data / "api" / "openalex").glob("*200.body.json")):
        body = json.loads(path.read_text())
        works = body.get("results", [body])
        made += [row(w) for w in works if "id" in w]
    assert len(made) > 5 and None not in made
    table = live_table("openalex", [m for m in made if m])
    assert sum(a is not None for a in table.column("abstract").to_pylist()) > 2
    assert all(t for t in table.column("title").to_pylist())
