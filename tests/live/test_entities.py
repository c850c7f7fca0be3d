"""Entities as tags of rows: none found, not known and not asked are three things."""

import pytest

from etl.sources.http import Transport
from tests.fault_server import FaultServer, Reply
from tests.live.pubtator import EXPORT, answer, document, entity
from warehouse.entities import tagged, with_entities
from warehouse.live_mode import Live

ROWS = [
    {"pmid": "11", "found": True}, {"pmid": "12"}, {"pmid": "13"}, {"pmid": None},
    {"pmid": "14", "found": False},
]  # fmt: skip
GAPS = Live("gaps", seconds=2)


def test_tags(server: FaultServer, http: Transport) -> None:
    found = document(11, entity("Gene", "BRAF", "673"), entity("Disease", "Melanoma"))
    server.on(EXPORT, Reply(answer(document(12), found)))
    rows, notices = with_entities(ROWS, GAPS, http)
    assert rows[0]["genes"] == ["BRAF"] and rows[0]["diseases"] == ["Melanoma"]
    assert rows[0]["drugs"] == [] and rows[1]["diseases"] == []
    assert all(row["genes"] is None for row in rows[2:])
    assert [set(row) - set(old) for row, old in zip(rows, ROWS, strict=True)] == (
        [{"diseases", "drugs", "genes"}] * 5
    )
    assert notices == ["pubtator has no entities for 1 of 3 PMIDs"]
    assert server.seen[0].query["pmids"] == "11,12,13"


def test_a_failure_is_told(server: FaultServer, http: Transport) -> None:
    server.on(EXPORT, Reply(status=500))
    rows, (notice,) = with_entities(ROWS, GAPS, http)
    assert all(row["drugs"] is None for row in rows)
    assert "3 of 3" in notice and "500" in notice


def test_never_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, notices = tagged(ROWS, "never")
    assert notices == ["entities were not fetched: live is never"]
    assert all(row["drugs"] is None for row in rows)
    assert tagged([], "never") == ([], [])
