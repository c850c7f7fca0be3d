"""A scripted server that stands for every live source, and a transport that knows no other."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from etl.jobs.refresh import refresh
from etl.jobs.request import Request
from etl.sources.http import Transport
from etl.sources.http_settings import FAMILIES, Settings
from etl.store.home import Home, open_home
from tests.fault_server import FaultServer
from tests.http.conftest import QUICK
from tests.pubmed_xml import write

NAMES = ("bioc", "ctgov", "europepmc", "eutils", "idconv", "openalex", "pmc-s3", "pubtator")


def settings(server: FaultServer, **more: object) -> Settings:
    """Quick settings whose every base lies on ``server``; limits wide enough not to matter."""
    bases = {name: f"{server.url}/{name}/" for name in NAMES}
    families = tuple(replace(f, per_second=1000.0) for f in FAMILIES)
    return replace(QUICK, bases=bases, families=families, **more)  # type: ignore[arg-type]


def loaded_home(folder: Path, *records: str) -> Path:
    """A warehouse below ``folder`` that holds ``records`` as one file of NLM's."""
    path = write(folder / "pubmed26n0001.xml.gz", *records)
    refresh(open_home(folder / "home"), Request(pubmed=(str(path),)))
    return folder / "home"


@pytest.fixture
def home(loaded: Path, tmp_path: Path) -> Home:
    """A copy of what the module's ``loaded`` made, for one test."""
    shutil.copytree(loaded, tmp_path / "home")
    return open_home(tmp_path / "home")


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer() as running:
        yield running


@pytest.fixture
def http(server: FaultServer) -> Transport:
    return Transport(settings(server, keys={"ncbi": "secret-key"}, contact="me@example.org"))


@pytest.fixture(autouse=True)
def nobody_has_biomcp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What whoever runs the tests has set up is not asked."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("BIOMCP_ENDPOINT", raising=False)
