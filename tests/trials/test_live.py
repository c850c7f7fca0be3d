"""A live PostgreSQL: rights, passwords, one snapshot, a server that goes away."""

import socket
from collections.abc import Iterable, Iterator

import psycopg
import pyarrow as pa
import pytest

from etl.errors import SourceError, TransientSourceError
from etl.sources.trials import live
from etl.sources.trials.aact import identify, load
from etl.sources.trials.opened import is_dsn
from tests.postgres import PASSWORD, Server
from tests.trials.conftest import load_all
from tests.trials.invented import fill

STUDY = {"nct_id": "NCT90000001", "brief_title": "Invented", "updated_at": "2026-01-01 00:00:00"}
NAMES = [{"id": str(i), "nct_id": "NCT90000001", "name": "x" * 100} for i in range(40_000)]


@pytest.fixture
def filled(database: str) -> str:
    fill(database, {"studies": [STUDY], "keywords": NAMES})
    return database


@pytest.fixture
def reader(server: Server) -> Iterator[str]:
    """A user with a password and no rights."""
    server.run(f"CREATE ROLE evidence_reader LOGIN PASSWORD '{PASSWORD}'")
    yield "evidence_reader"
    server.run("DROP ROLE evidence_reader")


def as_reader(server: Server, dsn: str, **parts: str) -> str:
    host = {"host": "127.0.0.1"} if server.folder else {}
    return psycopg.conninfo.make_conninfo(
        dsn, user="evidence_reader", **{"password": PASSWORD, **host, **parts}
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("postgresql://reader:pw@host:5432/aact", True),
        ("postgres://host/aact", True),
        ("host=/tmp dbname=aact", True),
        ("service=aact", True),
        ("/data/20261130_export_ctgov.zip", False),
        ("aact", False),
    ],
)
def test_what_is_an_address(source: str, expected: bool) -> None:
    assert is_dsn(source) is expected


def test_a_user_without_rights(server: Server, filled: str, reader: str) -> None:
    dsn = as_reader(server, filled)
    with pytest.raises(SourceError, match="GRANT SELECT ON ALL TABLES IN SCHEMA ctgov") as caught:
        load_all(dsn)
    assert not isinstance(caught.value, TransientSourceError)
    assert PASSWORD not in str(caught.value)


def test_a_user_who_may_not_read_one_table(server: Server, filled: str, reader: str) -> None:
    with psycopg.connect(filled, autocommit=True) as con:
        con.execute("GRANT USAGE ON SCHEMA ctgov TO evidence_reader")
        con.execute("GRANT SELECT ON ctgov.studies TO evidence_reader")
    try:
        dsn = as_reader(server, filled)
        assert load_all(dsn, tables=["trials"]).report.rows == {"trials": 1}
        with pytest.raises(SourceError, match=r"reading ctgov\.keywords"):
            load_all(dsn)
    finally:
        with psycopg.connect(filled, autocommit=True) as con:
            con.execute("DROP OWNED BY evidence_reader")


def test_a_wrong_password_is_not_shown(server: Server, filled: str, reader: str) -> None:
    if server.folder is None:
        pytest.skip("whether this server asks for passwords is not known")
    with pytest.raises(SourceError, match="password authentication failed") as caught:
        load_all(as_reader(server, filled, password="wr0ng-word"))
    assert not caught.value.retryable
    assert "wr0ng-word" not in str(caught.value)


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://u:s3cr@et@127.0.0.1:1/aact",
        "postgresql://u:s3cr/et@127.0.0.1:1/aact",
        "postgresql://u:s3cr:et@127.0.0.1:notaport/aact",
        "host=127.0.0.1 port=1 password=s3cr'et dbname",
        "host=127.0.0.1 port=1 password='s3cr et' user=u",
    ],
)
def test_no_message_shows_a_password(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    # a password with '@' or '/' makes the rest of it the name of a host that nobody knows
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(SourceError) as caught:
        load_all(dsn)
    error: BaseException | None = caught.value
    assert "s3cr" not in str(error)
    assert "et@" not in str(error)
    assert error.__cause__ is None


def test_nobody_listens() -> None:
    with pytest.raises(TransientSourceError, match="cannot be reached"):
        load_all("host=127.0.0.1 port=1 dbname=aact user=reader")


def test_a_database_without_the_schema(database: str) -> None:
    with pytest.raises(SourceError, match="has no schema ctgov; restore an AACT snapshot"):
        load_all(database)


def test_the_server_ends_the_connection_during_copy(
    filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "BLOCK", 50_000)
    finished: list[str] = []

    def write(name: str, batches: Iterable[pa.Table]) -> None:
        for at, _ in enumerate(batches):
            if name == "trial_keywords" and at == 0:
                end_others(filled)
        finished.append(name)

    with pytest.raises(TransientSourceError, match=r"went away while reading ctgov\.keywords"):
        load(filled, write, tables=["trials", "trial_keywords"])
    assert finished == ["trials"]


def end_others(dsn: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as con:
        con.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'evidence-warehouse' AND datname = current_database()"
        )


def test_the_server_crashes_during_copy(
    server: Server, filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if server.folder is None:
        pytest.skip("this server was not started by the tests and is not theirs to stop")
    monkeypatch.setattr(live, "BLOCK", 50_000)

    def write(name: str, batches: Iterable[pa.Table]) -> None:
        for at, _ in enumerate(batches):
            if name == "trial_keywords" and at == 0:
                server.crash_and_start()

    with pytest.raises(TransientSourceError, match="nothing was stored, run it again"):
        load(filled, write, tables=["trials", "trial_keywords"])
    assert load_all(filled).report.rows["trial_keywords"] == len(NAMES)


def test_all_tables_are_of_one_moment(filled: str) -> None:
    rows: dict[str, int] = {}

    def write(name: str, batches: Iterable[pa.Table]) -> None:
        rows[name] = sum(batch.num_rows for batch in batches)
        if name == "trials":
            with psycopg.connect(filled, autocommit=True) as con:
                con.execute("DELETE FROM ctgov.keywords")

    load(filled, write)
    assert rows["trial_keywords"] == len(NAMES)


def test_identity_of_a_database(filled: str) -> None:
    name, checksum = identify(filled)
    assert name.startswith("postgresql://")
    assert identify(filled) == (name, checksum)
    with psycopg.connect(filled, autocommit=True) as con:
        con.execute("UPDATE ctgov.studies SET updated_at = '2026-01-02'")
    assert identify(filled)[1] != checksum


def test_whatever_the_database_shows_dates_as(filled: str) -> None:
    with psycopg.connect(filled, autocommit=True) as con:
        con.execute("UPDATE ctgov.studies SET last_update_posted_date = '2026-02-03'")
        name = con.info.dbname
        con.execute(f"ALTER DATABASE {name} SET datestyle = 'German, DMY'")
    trials = load_all(filled, tables=["trials"]).tables["trials"]
    assert str(trials.column("last_update_posted_date")[0].as_py()) == "2026-02-03"
