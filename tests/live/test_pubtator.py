"""PubTator3: any order, silent gaps, other shapes."""

import json
from pathlib import Path

import pytest

from etl.sources.http import Transport
from etl.sources.outcome import Outcome
from etl.sources.pubtator.annotate import annotate, tags
from tests.fault_server import FaultServer, Reply, Request
from tests.live.pubtator import EXPORT, answer, document, entity


def test_entities_are_counted(server: FaultServer, http: Transport) -> None:
    asthma, drug = entity("Disease", "Asthma"), entity("Chemical", "Budesonide", None)
    server.on(EXPORT, Reply(answer(document(12), document(11, drug, asthma, asthma))))
    reply = annotate(http, [11, 12, 11])
    assert reply.value is not None and (reply.asked, reply.missing) == (2, ())
    assert reply.value.to_pylist()[0] == {
        "pmid": 11, "type": "Disease", "identifier": "MESH:D1", "name": "Asthma", "mentions": 2,
    }  # fmt: skip
    assert tags(reply.value) == {11: {"diseases": ["Asthma"], "drugs": ["Budesonide"], "genes": []}}


def test_silent_gaps_are_named(server: FaultServer, http: Transport) -> None:
    server.on(EXPORT, Reply(answer(document(11), document(99))))
    reply = annotate(http, [11, 12])
    assert (reply.outcome, reply.missing, reply.partial) == (Outcome.FOUND, ("12",), True)


def test_all_unknown(server: FaultServer, http: Transport, shared_data: Path) -> None:
    body = (shared_data / "api" / "pubtator3" / "err_400_all_pmids_unknown.json").read_bytes()
    server.on(EXPORT, Reply(body, 400))
    reply = annotate(http, [11])
    assert (reply.outcome, reply.value, reply.missing) == (Outcome.UNKNOWN, None, ("11",))


def test_batches(server: FaultServer, http: Transport) -> None:
    def reply(request: Request) -> Reply:
        asked = request.query["pmids"].split(",")
        assert len(asked) <= 100
        return (
            Reply(status=502) if "150" in asked else Reply(answer(*map(document, map(int, asked))))
        )

    server.on(EXPORT, reply)
    found = annotate(http, range(1, 251))
    assert found.outcome is Outcome.FOUND and len(found.missing) == 100 and found.status == 502


@pytest.mark.parametrize("shape", ["list", "documents"])
def test_other_wrappers(server: FaultServer, http: Transport, shape: str) -> None:
    docs = [document(11, entity("Gene", "BRAF", "673"))]
    server.on(EXPORT, Reply(json.dumps(docs if shape == "list" else {"documents": docs}).encode()))
    reply = annotate(http, [11])
    assert reply.value is not None and reply.value.num_rows == 1


def test_a_recorded_answer(server: FaultServer, http: Transport, shared_data: Path) -> None:
    path = shared_data / "api" / "pubtator3" / "biomcp_export_22663011.json"
    server.on(EXPORT, Reply(path.read_bytes()))
    reply = annotate(http, [22663011])
    assert reply.value is not None
    found = tags(reply.value)[22663011]
    assert "Melanoma" in found["diseases"] and "BRAF" in found["genes"]
