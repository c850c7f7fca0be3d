"""The real program of BioMCP, its upstreams on loopback, in good and bad states."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

import pytest

from etl.sources.biomcp import Endpoint, Finds, ask
from etl.sources.http_limits import Deadline
from etl.sources.outcome import Outcome, Reply
from tests.biomcp.upstreams import (
    NAMES,
    endpoint,
    environment,
    europepmc,
    executable,
    serve,
    studies,
)
from tests.fault_server import FaultServer, stall_at_once
from tests.fault_server import Reply as Answer

ROOT = Path(__file__).resolve().parents[2]
UPSTREAMS = ("pubmed", "europepmc", "pubtator", "ctgov", "s2")


@pytest.fixture(params=["stdio", "http"])
def there(
    request: pytest.FixtureRequest, server: FaultServer, tmp_path: Path
) -> Iterator[Endpoint]:
    """BioMCP as a process of ours, or as a server that runs already."""
    if request.param == "stdio":
        yield endpoint(server, tmp_path)
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [executable(), "serve-http", "--host", "127.0.0.1", "--port", port]
    running = subprocess.Popen(
        command,
        env={**os.environ, **environment(server, tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(int(port))
        yield Endpoint("test", url=f"http://127.0.0.1:{port}/mcp")
    finally:
        running.kill()
        running.wait()


def _wait(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("biomcp serve-http does not listen")


def asked(there: Endpoint, seconds: float = 20.0, trials: bool = True) -> Reply[Finds]:
    before, started = children(), time.monotonic()
    reply = ask(there, "asthma budesonide", trials=trials, within=Deadline(seconds))
    assert time.monotonic() - started < seconds + 1
    assert children() == before
    return reply


def children() -> set[str]:
    """Processes that this one has, zombies too."""
    tasks = Path(f"/proc/{os.getpid()}/task")
    return {c for task in tasks.iterdir() for c in (task / "children").read_text().split()}


def test_fine(server: FaultServer, there: Endpoint) -> None:
    serve(server, europepmc=Answer(europepmc(11, 12)), ctgov=Answer(studies(5)))
    reply = asked(there)
    assert reply.outcome is Outcome.FOUND and reply.value is not None, reply
    assert set(reply.value.pmids) == {11, 12} and reply.value.nct_ids == ("NCT00000005",)
    assert not {"pubmed", "europepmc"} & set(reply.value.failed)
    assert reply.requests == 2


def test_articles_only(server: FaultServer, there: Endpoint) -> None:
    serve(server, europepmc=Answer(europepmc(11)))
    reply = asked(there, trials=False)
    assert reply.value is not None and not any("trial" in name for name in reply.value.failed)
    assert not any(r.path.startswith("/ctgov") for r in server.seen)


def test_empty(server: FaultServer, there: Endpoint) -> None:
    serve(server)
    reply = asked(there)
    assert (reply.outcome, reply.value) == (Outcome.NONE, None)


@pytest.mark.parametrize("status", [429, 500])
def test_all_upstreams_refuse(server: FaultServer, there: Endpoint, status: int) -> None:
    serve(server, **{name: Answer(status=status) for name in UPSTREAMS})
    reply = asked(there)
    assert (reply.outcome, reply.value) == (Outcome.FAILED, None) and reply.detail


def test_half_of_them_fail(server: FaultServer, there: Endpoint) -> None:
    broken = Answer(status=500)
    serve(server, europepmc=Answer(europepmc(11)), pubmed=broken, ctgov=broken)
    reply = asked(there)
    assert reply.value is not None and reply.value.pmids == (11,)
    assert {"pubmed", "clinicaltrials"} <= set(reply.value.failed)
    assert "europepmc" not in reply.value.failed and "pubmed" in reply.detail


def test_one_hangs(server: FaultServer, there: Endpoint) -> None:
    """The deadline is ours: what hangs behind it holds it far longer."""
    serve(server, europepmc=Answer(b"{}", manner=stall_at_once))
    reply = asked(there, seconds=5)
    assert reply.outcome is Outcome.FAILED and "no answer within" in reply.detail


def test_a_hanging_registry_does_not_lose_the_articles(
    server: FaultServer, there: Endpoint
) -> None:
    serve(server, europepmc=Answer(europepmc(11)), ctgov=Answer(b"{}", manner=stall_at_once))
    reply = asked(there, seconds=6)
    assert reply.value is not None and reply.value.pmids == (11,)
    assert "clinicaltrials" in reply.value.failed


def test_nothing_leaves_the_machine(server: FaultServer, tmp_path: Path) -> None:
    given = environment(server, tmp_path)
    assert {f"BIOMCP_{name}_BASE" for name in NAMES} <= set(given)
    addresses = [v for n, v in given.items() if n.lower().endswith(("_base", "_proxy", "_origin"))]
    assert all(v.startswith("http://127.0.0.1") or v == "127.0.0.1" for v in addresses)
    serve(server)
    ask(endpoint(server, tmp_path), "asthma", within=Deadline(20))
    assert {"pubmed", "europepmc", "pubtator", "ctgov"} <= {
        r.path.split("/")[1] for r in server.seen
    }


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (Endpoint("here", command="/nowhere/biomcp"), "No such file"),
        (Endpoint("here", command="true"), "here:"),
        (Endpoint("here", command="sleep", arguments=("60",)), "no answer within"),
        (Endpoint("here", url="http://127.0.0.1:9/mcp"), "here:"),
    ],
)
def test_a_server_that_is_not_there(broken: Endpoint, why: str) -> None:
    reply = asked(broken, seconds=3)
    assert (reply.outcome, reply.value) == (Outcome.FAILED, None) and why in reply.detail


def test_secrets_stay_secret() -> None:
    secret = Endpoint("here", command="/nowhere/s3cr3t-key", environment={"KEY": "s3cr3t-key"})
    assert "s3cr3t" not in asked(secret, seconds=3).detail


@pytest.mark.parametrize(
    ("state", "outcome"),
    [("fine", Outcome.FOUND), ("empty", Outcome.UNKNOWN), ("hanging", Outcome.FAILED)],
)
def test_the_older_line(state: str, outcome: Outcome) -> None:
    arguments = ("-m", "tests.biomcp.older", state)
    older = Endpoint("test", None, sys.executable, arguments, {"PYTHONPATH": str(ROOT)})
    reply = asked(older, seconds=8)
    assert reply.outcome is outcome, reply
    if state == "fine":
        assert reply.value == Finds((31,), ("NCT00000031",))


def test_without_the_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    reply = ask(Endpoint("here", command="biomcp"), "asthma")
    assert reply.outcome is Outcome.NOT_AVAILABLE and "evidence-warehouse[mcp]" in reply.detail


def test_the_sdk_and_dask_are_extras() -> None:
    """Installed alone, the project pulls neither."""
    wanted = requires("evidence-warehouse") or []
    plain = {re.split(r"[^\w-]", line)[0] for line in wanted if "extra ==" not in line}
    extra = {re.split(r"[^\w-]", line)[0] for line in wanted if "extra ==" in line}
    assert {"mcp", "distributed"} <= extra and not {"mcp", "distributed", "dask"} & plain
