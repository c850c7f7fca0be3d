"""A real PostgreSQL for the tests, from whatever this machine offers.

In this order: the DSN in ``EVIDENCE_TEST_DSN`` (a user that may create databases and roles), a
container where a Docker engine answers, a server started from the system's own binaries, a server
from a wheel. Without any of them the tests that need one are skipped; in CI they fail.
"""

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

PASSWORD = "s3cret-Pa55word"


@dataclass(frozen=True)
class Server:
    """A running server. ``folder`` and ``binaries`` are known when the tests started it."""

    dsn: str
    binaries: Path | None = None
    folder: Path | None = None
    run_as: dict[str, str] = field(default_factory=dict)

    def address(self, **parts: str | int) -> str:
        """The DSN with some parts changed, such as ``dbname`` or ``user``."""
        return make_conninfo(self.dsn, **parts)

    def run(self, statement: str, **parts: str) -> list[tuple]:
        with psycopg.connect(self.address(**parts), autocommit=True) as con:
            cursor = con.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def crash_and_start(self) -> None:
        """Stops the server as a power cut would, and starts it again."""
        assert self.binaries and self.folder
        command = [self.binaries / "pg_ctl", "-D", self.folder / "data", "-w"]
        command += ["-l", self.folder / "log", "-m", "immediate", "restart"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **self.run_as)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server on which databases and roles may be created."""
    with running_server() as found:
        if found is None:
            fail_in_ci_else_skip()
        yield found


@contextmanager
def running_server() -> Iterator[Server | None]:
    """The first server that this machine offers; None when it has none."""
    for start in (_given, _container, _local, _wheel):
        with start() as found:
            if found:
                yield found
                return
    yield None


def fail_in_ci_else_skip() -> NoReturn:
    """In CI a missing server is a fault of the set-up, not a reason to test less."""
    missing = (
        "no PostgreSQL for the tests: set EVIDENCE_TEST_DSN, start Docker, install postgresql, "
        "or pip install pgserver"
    )
    if os.environ.get("CI", "").lower() in ("true", "1"):
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture
def database(server: Server) -> Iterator[str]:
    """DSN of a new, empty database, dropped afterwards."""
    with new_database(server) as dsn:
        yield dsn


@contextmanager
def new_database(server: Server) -> Iterator[str]:
    """DSN of a new, empty database, dropped afterwards."""
    name = f"evidence_{secrets.token_hex(4)}"
    server.run(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
    try:
        yield server.address(dbname=name)
    finally:
        server.run(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def _given() -> Iterator[Server | None]:
    dsn = os.environ.get("EVIDENCE_TEST_DSN")
    yield Server(dsn) if dsn else None


@contextmanager
def _container() -> Iterator[Server | None]:
    if not _docker_answers():
        yield None
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from testcontainers.community.postgres import PostgresContainer

        with PostgresContainer("postgres:17", driver=None) as container:
            yield Server(container.get_connection_url())


def _docker_answers() -> bool:
    program = shutil.which("docker")
    if program is None:
        return False
    ask = [program, "version", "--format", "{{.Server.Version}}"]
    try:
        return subprocess.run(ask, capture_output=True, timeout=20, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


@contextmanager
def _local() -> Iterator[Server | None]:
    binaries = _binaries()
    # PostgreSQL refuses to run as root
    run_as = {"user": "postgres"} if os.geteuid() == 0 else {}
    if binaries is None or (run_as and not _has_user("postgres")):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="evidence-pg-") as name:
        folder = Path(name)
        if run_as:
            shutil.chown(folder, "postgres")
        port = _free_port()
        _initdb(binaries, folder, run_as)
        options = f"-k {folder} -p {port} -c listen_addresses=127.0.0.1 -c fsync=off"
        control = [binaries / "pg_ctl", "-D", folder / "data", "-w", "-l", folder / "log"]
        run = {"stdout": subprocess.DEVNULL, **run_as}
        subprocess.run([*control, "-o", options, "start"], check=True, **run)
        try:
            dsn = f"host={folder} port={port} user=postgres dbname=postgres"
            yield Server(dsn, binaries, folder, run_as)
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=True, **run)


def _initdb(binaries: Path, folder: Path, run_as: dict[str, str]) -> None:
    # passwords are asked for over TCP only: the tests of refused users go that way
    auth = ["--auth-local=trust", "--auth-host=scram-sha-256"]
    command = [binaries / "initdb", "-D", folder / "data", "-U", "postgres", "-E", "UTF8", *auth]
    subprocess.run([*command, "--locale=C", "-N"], check=True, stdout=subprocess.DEVNULL, **run_as)


def _binaries() -> Path | None:
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[-3])
    )
    on_path = shutil.which("initdb")
    found = installed[-1] if installed else (Path(on_path).resolve() if on_path else None)
    return found.parent if found and (found.parent / "postgres").exists() else None


def _has_user(name: str) -> bool:
    import pwd

    return any(entry.pw_name == name for entry in pwd.getpwall())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _wheel() -> Iterator[Server | None]:
    try:
        import pgserver
    except ImportError:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="evidence-pg-") as folder:
        running = pgserver.get_server(folder)
        try:
            yield Server(running.get_uri())
        finally:
            running.cleanup()
