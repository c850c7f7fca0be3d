"""Every source against every fault, on real sockets.

The right typed outcome, no id lost, no unbounded wait, the limiter kept by the server's clock.
"""

import importlib.util
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from etl.sources.http import Transport
from etl.sources.outcome import Outcome
from etl.sources.outcome import Reply as Answer
from tests.fault_server import (
    FaultServer,
    Reply,
    cut,
    error_page,
    reset,
    reset_at_once,
    stall,
    stall_at_once,
)
from tests.live.conftest import settings

FOLDER = Path(__file__).parent / "cases"
PER_SECOND = 40.0
SECONDS = 3.0  # of QUICK.total_seconds: what one question may take


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"tests.live.cases.{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CASES = {path.stem: _module(path) for path in sorted(FOLDER.glob("*.py"))}
# A source of several servers, or of none over HTTP, tests its faults in its own way.
ASKED = [name for name, case in CASES.items() if hasattr(case, "PATHS")]

BROKEN = {  # what a server does in place of a good body
    "429": lambda body: Reply(b"slow down", 429),
    "429 with Retry-After": lambda body: Reply(b"slow down", 429, {"Retry-After": "1"}),
    "500": lambda body: Reply(b"oops", 500),
    "503": lambda body: Reply(b"down", 503),
    "HTML in 200": lambda body: error_page(),
    "empty body": lambda body: Reply(b""),
    "truncated": lambda body: Reply(body[: len(body) * 2 // 3]),
    "cut": lambda body: Reply(body, manner=cut(len(body) // 2)),
    "wrong length": lambda body: Reply(body, length=len(body) + 500, manner=cut(len(body))),
    "reset": lambda body: Reply(body, manner=reset_at_once),
    "reset in the middle": lambda body: Reply(body, manner=reset(len(body) // 2)),
    "stall": lambda body: Reply(body, manner=stall_at_once),
    "stall in the middle": lambda body: Reply(body, manner=stall(len(body) // 2)),
}


@pytest.fixture
def http(server: FaultServer) -> Transport:
    base = settings(server, keys={"ncbi": "secret-key", "openalex": "secret-key"})
    families = tuple(replace(f, per_second=PER_SECOND) for f in base.families)
    return Transport(replace(base, families=families, body_limit=5_000_000))


def good(case: Any, server: FaultServer) -> None:
    for path, body in case.PATHS.items():
        server.on(path, body if callable(body) else Reply(body))


def body_of(case: Any, path: str) -> bytes:
    body = case.PATHS[path]
    return body if isinstance(body, bytes) else getattr(case, "BODIES", {})[path]


def asked(case: Any, http: Transport) -> Answer[Any]:
    started = time.monotonic()
    reply = case.ask(http)
    # a server that asks for a pause gets it once an attempt, within the same total
    assert time.monotonic() - started < SECONDS * max(1, len(case.PATHS)) + 0.7
    return reply


def kept(server: FaultServer) -> None:
    """No window of a tenth of a second or more saw more requests than the limiter gives."""
    times = sorted(request.at for request in server.seen)
    for first, start in enumerate(times):
        for last in range(first + 1, len(times)):
            span = times[last] - start
            assert last - first <= PER_SECOND * (span + 0.03) + 1, (first, last, span)


def asked_again(server: FaultServer) -> bool:
    """Whether any one question was asked more than once."""
    asked = Counter((r.path, *sorted(r.query.items()), r.body) for r in server.seen)
    return max(asked.values()) > 1


def nothing_lost(case: Any, reply: Answer[Any]) -> None:
    """Every id that was asked for came, or is named as missing."""
    assert reply.asked in (0, len(case.IDS))
    if case.IDS and reply.value is None:
        assert set(reply.missing) == set(case.IDS)
    assert "secret-key" not in reply.detail and "\n" not in reply.detail
    assert "secret-key" not in str(reply.row())


@pytest.mark.parametrize("name", ASKED)
def test_normal(server: FaultServer, http: Transport, name: str) -> None:
    case = CASES[name]
    good(case, server)
    reply = asked(case, http)
    assert reply.outcome is Outcome.FOUND and reply.value is not None and reply.missing == ()
    assert reply.requests == len(server.seen) and reply.asked == len(case.IDS)
    kept(server)


@pytest.mark.parametrize("name", [n for n in ASKED if hasattr(CASES[n], "EMPTY")])
def test_empty_is_not_a_failure(server: FaultServer, http: Transport, name: str) -> None:
    case = CASES[name]
    good(case, server)
    for path, body in case.EMPTY.items():
        server.on(path, Reply(body))
    reply = asked(case, http)
    assert reply.outcome in case.EMPTY_OUTCOMES and reply.value is None


@pytest.mark.parametrize("fault", BROKEN)
@pytest.mark.parametrize("name", ASKED)
def test_a_fault_that_stays_is_a_failure(
    server: FaultServer, http: Transport, name: str, fault: str
) -> None:
    case = CASES[name]
    for path in case.PATHS:
        server.on(path, BROKEN[fault](body_of(case, path)))
    reply = asked(case, http)
    assert reply.outcome is Outcome.FAILED and reply.value is None and reply.detail
    if fault[:3].isdigit():
        assert reply.status == int(fault[:3])
    nothing_lost(case, reply)
    kept(server)


@pytest.mark.parametrize("fault", BROKEN)
@pytest.mark.parametrize("name", ASKED)
def test_a_fault_that_passes_loses_nothing(
    server: FaultServer, http: Transport, name: str, fault: str
) -> None:
    case = CASES[name]
    for path, body in case.PATHS.items():
        whole = body if callable(body) else Reply(body)
        server.on(path, BROKEN[fault](body_of(case, path)), whole)
    reply = asked(case, http)
    assert reply.outcome is Outcome.FOUND and reply.missing == (), reply
    kept(server)


@pytest.mark.parametrize("status", [400, 404])
@pytest.mark.parametrize("name", ASKED)
def test_a_refusal_is_asked_once(
    server: FaultServer, http: Transport, name: str, status: int
) -> None:
    case = CASES[name]
    for path in case.PATHS:
        server.on(path, Reply(b"no", status, {"Content-Type": "text/plain"}))
    reply = asked(case, http)
    expected = getattr(case, f"OUTCOMES_{status}", {Outcome.FAILED})
    assert reply.outcome in expected and reply.value is None
    assert reply.status == status
    nothing_lost(case, reply)


def _errors() -> list[tuple[str, int]]:
    return [(n, i) for n in ASKED for i in range(len(getattr(CASES[n], "ERRORS_IN_200", [])))]


@pytest.mark.parametrize(("name", "number"), _errors())
def test_an_error_in_200(server: FaultServer, http: Transport, name: str, number: int) -> None:
    case = CASES[name]
    body, passing = case.ERRORS_IN_200[number]
    for path in case.PATHS:
        server.on(path, Reply(body))
    reply = asked(case, http)
    assert reply.outcome is Outcome.FAILED and reply.value is None and reply.detail
    nothing_lost(case, reply)
    assert asked_again(server) == passing
    if passing:
        server.seen.clear()
        again = Transport(http.settings)
        for path, whole in case.PATHS.items():
            server.on(path, Reply(body), whole if callable(whole) else Reply(whole))
        assert asked(case, again).outcome is Outcome.FOUND
