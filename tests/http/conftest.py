"""A scripted server and a transport that is quick to lose patience."""

from collections.abc import Iterator

import pytest

from etl.sources.http import Transport
from etl.sources.http_settings import Settings
from tests.fault_server import FaultServer

QUICK = Settings(
    user_agent="evidence-warehouse/test (mailto:tests@localhost)",
    per_second=1000,
    connect_seconds=0.5,
    read_seconds=0.5,
    total_seconds=3.0,
    attempts=3,
    backoff_seconds=0.02,
    backoff_cap=0.05,
    retry_after_cap=0.5,
    body_limit=200_000,
    download_seconds=5.0,
    download_limit=4_000_000,
    slow_seconds=0.3,
    slow_bytes=2_000,
    worth_bytes=10_000,
)


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer() as running:
        yield running


@pytest.fixture
def client() -> Transport:
    return Transport(QUICK)
