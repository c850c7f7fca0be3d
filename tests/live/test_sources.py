"""What other sources bring laid beside the warehouse and PubMed; BioMCP first where it is."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from etl.sources.http import Transport
from etl.sources.outcome import Outcome, Reply
from etl.store.home import Home
from tests.fault_server import FaultServer
from tests.fault_server import Reply as Answer
from tests.live.conftest import loaded_home, settings
from tests.live.eutils import EFETCH, ESEARCH, serve
from tests.live.live_rows import live_table
from tests.pubmed_xml import RCT, article
from warehouse import evidence_search, live_grade, sources
from warehouse import fill as fill_module
from warehouse import gaps as gaps_module
from warehouse.grade import filled_grades, grades

NOW = datetime.now(UTC).year
TITLE = "Asthma and budesonide in the children of Mars"
HELD = [
    article(n, f"Asthma trial number {n} of many trials", types=[RCT], year=NOW)
    for n in range(1, 8)
]
PUBMED = {900: article(900, TITLE, types=[RCT], year=NOW, authors=["Lee"])}


@dataclass(frozen=True)
class Detected:
    endpoint: str | None
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finds:
    pmids: tuple[int, ...] = ()
    nct_ids: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return loaded_home(tmp_path_factory.mktemp("loaded"), *HELD)


class Others:
    """Stands for the sources that are not PubMed: what each replies."""

    def __init__(self) -> None:
        self.europepmc: Reply[Any] = Reply(sources.EUROPEPMC, Outcome.NONE)
        self.trials: Reply[Any] = Reply(sources.TRIALS, Outcome.NONE)
        self.asked: list[str] = []

    def function(self, asked: str, name: str) -> Any:
        source = "europepmc" if asked == sources.EUROPEPMC else "trials"

        def ask(*args: Any, **options: Any) -> Reply[Any]:
            self.asked.append(f"{source}.{name}")
            reply: Reply[Any] = getattr(self, source)
            return reply

        return ask


@pytest.fixture(autouse=True)
def others(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Others]:
    stand = Others()
    client = Transport(settings(server))
    for module in (fill_module, live_grade):
        monkeypatch.setattr(module, "transport", lambda: client)
    late = datetime.now(UTC).date() - timedelta(days=30)
    monkeypatch.setattr(gaps_module, "watermark", lambda snapshot: late)
    monkeypatch.setattr(sources, "_function", stand.function)
    monkeypatch.setenv("EVIDENCE_LIVE", "gaps")
    monkeypatch.setenv("EVIDENCE_LIVE_SECONDS", "3")
    serve(server, PUBMED)
    yield stand


def ask(home: Home, query: str = "asthma", **options: Any) -> dict[str, Any]:
    return evidence_search(query, home=home.root, date_range="all", cache=Path("off"), **options)


def row_of(found: dict[str, Any], name: str) -> dict[str, Any]:
    return next(row for row in found["results"] if row["evidence_id"] == name)


PREPRINT = {
    "evidence_id": "PPR:PPR1", "source": "europepmc", "title": TITLE, "authors": ["Lee J"],
    "year": NOW, "doi": "10.1101/x", "publication_types": ["Preprint"],
    "publication_type_uis": ["D000076942"], "journal": "medRxiv",
}  # fmt: skip


def test_a_preprint_is_graded_and_follows_its_article(home: Home, others: Others) -> None:
    value = live_table(PREPRINT, {"evidence_id": "PMID:900", "pmid": 900, "title": "again"})
    others.europepmc = Reply(sources.EUROPEPMC, Outcome.FOUND, value)
    found = ask(home, include_preprints=True)
    preprint = row_of(found, "PPR:PPR1")
    assert preprint["pmid"] is None and preprint["is_preprint"]
    assert preprint["source"] == "europepmc" and preprint["source_chain"] == ["europepmc-search"]
    assert preprint["grade_label"] == "D-" and preprint["superseded_by"] == "900"
    assert row_of(found, "PMID:900")["preprints"] == ["PPR:PPR1"]
    assert found["results"].index(preprint) > found["results"].index(row_of(found, "PMID:900"))
    assert "PPR:PPR1" not in {r["evidence_id"] for r in ask(home)["results"]}


def test_trials_are_shown_and_not_kept(home: Home, others: Others) -> None:
    import pyarrow as pa

    day = datetime(NOW, 1, 2, tzinfo=UTC).date()
    tables = {
        "trials": pa.table({
            "nct_id": ["NCT00000009"], "brief_title": ["Asthma trial"], "enrollment": [120],
            "overall_status": ["RECRUITING"], "phase": ["PHASE3"], "start_date": [day],
        }),
        "trial_conditions": pa.table({"nct_id": ["NCT00000009"], "name": ["Asthma"]}),
    }  # fmt: skip
    others.trials = Reply(sources.TRIALS, Outcome.FOUND, tables)
    found = ask(home)
    trial = row_of(found, "NCT00000009")
    assert trial["sample_size"] == 120 and trial["conditions"] == ["Asthma"]
    assert trial["source_chain"] == ["clinical-trials-v2"] and found["trials_total"] == 1
    assert any("not kept" in line for line in found["notices"])
    assert ask(home, include_trials=False)["trials_total"] == 0


def test_europepmc_stands_in_for_a_pubmed_that_fails(
    server: FaultServer, home: Home, others: Others
) -> None:
    server.on(EFETCH, Answer(status=503))
    value = live_table({
        "evidence_id": "PMID:900", "pmid": 900, "title": TITLE, "year": NOW,
        "publication_types": ["Randomized Controlled Trial"],
        "publication_type_uis": ["D016449"], "abstract": "We randomised 1,300 patients.",
    })  # fmt: skip
    others.europepmc = Reply(sources.EUROPEPMC, Outcome.FOUND, value)
    rows, notices = filled_grades(home, grades(home, [900]))
    assert (rows[0]["found"], rows[0]["grade"], rows[0]["source"]) == (True, "A", "europepmc")
    assert [s["outcome"] for s in rows[0]["sources"]] == ["failed", "found"]
    assert any("gave no answer" in line for line in notices)
    assert not grades(home, [900])[0]["found"]


@pytest.fixture
def biomcp(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    module: Any = ModuleType("etl.sources.biomcp")
    module.detect = lambda environ, user_home, project: Detected("http://127.0.0.1:1/mcp")
    module.ask = lambda *args, **options: Reply(
        "biomcp", Outcome.FOUND, Finds((900, 1), failed=("europepmc",))
    )
    monkeypatch.setitem(sys.modules, "etl.sources.biomcp", module)
    yield module


def test_biomcp_finds_and_only_what_failed_there_is_asked_again(
    server: FaultServer, home: Home, others: Others, biomcp: Any
) -> None:
    found = ask(home)
    assert found["fast_path_used"] is True and others.asked == ["europepmc.search"]
    assert row_of(found, "PMID:900")["source_chain"] == ["biomcp", "pubmed-eutils"]
    assert not server.asked(ESEARCH) and len(server.asked(EFETCH)) == 1
    assert any("no answer from europepmc" in line for line in found["notices"])


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.UNKNOWN, Outcome.NONE])
def test_biomcp_failing_falls_back(
    server: FaultServer, home: Home, others: Others, biomcp: Any, outcome: Outcome
) -> None:
    biomcp.ask = lambda *args, **options: Reply("biomcp", outcome, detail="refused")
    found = ask(home)
    assert found["fast_path_used"] is False and server.asked(ESEARCH)
    assert row_of(found, "PMID:900")["grade"]
    told = any("biomcp was not used" in line for line in found["notices"])
    assert told == (outcome is Outcome.FAILED)
    assert found["sources"][0]["outcome"] == str(outcome) and found["incomplete"] == []


def test_biomcp_is_not_asked_when_it_may_not_be(home: Home, others: Others, biomcp: Any) -> None:
    biomcp.ask = biomcp.detect = None
    assert ask(home, use_biomcp_if_available=False)["fast_path_used"] is False


def test_a_source_that_breaks_takes_no_other_with_it(home: Home, others: Others) -> None:
    others.europepmc = Reply(sources.EUROPEPMC, Outcome.FOUND, "no table")  # type: ignore[arg-type]
    found = ask(home)
    assert row_of(found, "PMID:900")["grade"] and found["incomplete"] == ["europepmc-search"]
    assert any("europepmc-search gave no answer" in line for line in found["notices"])
