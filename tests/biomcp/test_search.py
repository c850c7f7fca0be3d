"""``evidence_search`` with a real BioMCP that is registered where clients register it."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from etl.jobs.refresh import refresh
from etl.jobs.request import Request
from etl.sources.http import Transport
from etl.store.home import open_home
from tests.biomcp.upstreams import environment, europepmc, executable, serve
from tests.fault_server import FaultServer
from tests.fault_server import Reply as Answer
from tests.live import eutils
from tests.live.conftest import settings
from tests.pubmed_xml import RCT, article, write
from warehouse import evidence_search, live_grade
from warehouse import fill as fill_module
from warehouse import gaps as gaps_module

NOW = datetime.now(UTC).year


@pytest.fixture
def home(tmp_path: Path, server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small warehouse a month old, and BioMCP in ``~/.claude.json``."""
    path = write(
        tmp_path / "pubmed26n0001.xml.gz", article(1, "Asthma trial", types=[RCT], year=NOW)
    )
    refresh(open_home(tmp_path / "home"), Request(pubmed=(str(path),)))
    user = tmp_path / "user"
    user.mkdir()
    given = environment(server, tmp_path / "cache")
    registered = {"command": executable(), "args": ["serve"], "env": given}
    (user / ".claude.json").write_text(json.dumps({"mcpServers": {"biomcp": registered}}))
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.delenv("BIOMCP_ENDPOINT", raising=False)
    monkeypatch.setenv("EVIDENCE_LIVE", "gaps")
    monkeypatch.setenv("EVIDENCE_LIVE_SECONDS", "12")
    late = datetime.now(UTC).date() - timedelta(days=30)
    monkeypatch.setattr(gaps_module, "watermark", lambda snapshot: late)
    client = Transport(settings(server))
    for module in (fill_module, live_grade):
        monkeypatch.setattr(module, "transport", lambda: client)
    eutils.serve(server, {900: article(900, "Asthma and drops", types=[RCT], year=NOW)})
    return tmp_path / "home"


def ask(home: Path) -> dict[str, Any]:
    return evidence_search("asthma", home=home, date_range="all", cache=Path("off"))


def test_it_finds_and_the_records_come_from_pubmed(server: FaultServer, home: Path) -> None:
    serve(server, europepmc=Answer(europepmc(900)))
    found = ask(home)
    assert found["fast_path_used"] is True
    row = next(r for r in found["results"] if r["evidence_id"] == "PMID:900")
    assert row["grade"] == "A" or row["design"] == "rct"
    assert row["source_chain"] == ["biomcp", "pubmed-eutils"]
    searched = [r for r in server.seen if r.path == eutils.ESEARCH]
    assert not searched, "what BioMCP found is not searched for again"


def test_it_fails_and_nobody_is_bothered(server: FaultServer, home: Path) -> None:
    broken = {name: Answer(status=500) for name in ("pubmed", "europepmc", "pubtator", "s2")}
    serve(server, **broken)
    found = ask(home)
    assert found["fast_path_used"] is False
    assert any("biomcp was not used" in line for line in found["notices"])
    assert any(r["evidence_id"] == "PMID:900" for r in found["results"])
