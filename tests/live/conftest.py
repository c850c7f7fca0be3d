"""A scripted server that stands for every live source, and a transport that knows no other."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from etl.sources.http import Transport
from etl.sources.http_settings import FAMILIES, Settings
from tests.fault_server import FaultServer
from tests.http.conftest import QUICK

NAMES = ("bioc", "ctgov", "europepmc", "eutils", "idconv", "openalex", "pmc-s3", "pubtator")


def settings(server: FaultServer, **more: object) -> Settings:
    """Quick settings whose every base lies on ``server``; limits wide enough not to matter."""
    bases = {name: f"{server.url}/{name}/" for name in NAMES}
    families = tuple(replace(f, per_second=1000.0) for f in FAMILIES)
    return replace(QUICK, bases=bases, families=families, **more)  # type: ignore[arg-type]


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer() as running:
        yield running


@pytest.fixture
def http(server: FaultServer) -> Transport:
    return Transport(settings(server, keys={"ncbi": "secret-key"}, contact="me@example.org"))
