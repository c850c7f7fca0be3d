"""Fixtures shared by all tests."""

import ipaddress
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real records beside a checkout of the project; skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"real records are not here: {SHARED}")
    return SHARED


@pytest.fixture(scope="session", autouse=True)
def keeps_answers_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test may touch the answers cache of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVIDENCE_CACHE", str(tmp_path_factory.mktemp("cache") / "cache.sqlite"))
        patch.setenv("EVIDENCE_LIVE", "never")  # the tests of live sources say otherwise
        yield


@pytest.fixture(scope="session", autouse=True)
def stays_on_this_machine() -> Iterator[None]:
    """No test may leave the machine: connecting to anything but loopback is an error."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex"):
            patch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name)))
        patch.setattr(socket, "getaddrinfo", _guarded_lookup(socket.getaddrinfo))
        yield


def _guarded(call: Any) -> Any:
    def connect(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _refuse_others(address[0])
        return call(self, address)

    return connect


def _guarded_lookup(call: Any) -> Any:
    def getaddrinfo(host: Any, *args: Any, **options: Any) -> Any:
        _refuse_others(host)
        return call(host, *args, **options)

    return getaddrinfo


def _refuse_others(host: Any) -> None:
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost", "0.0.0.0", "::"):  # a server's own lookups before binding
        return
    try:
        loopback = ipaddress.ip_address(name).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        # not an OSError, which code under test would take for a bad network
        raise RuntimeError(f"a test tried to reach {name}; tests never leave this machine")
