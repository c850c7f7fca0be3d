"""A dump into a server: what stops other people's restores does not stop this one."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from etl.errors import SourceError
from etl.sources.trials.restore import restore
from tests.postgres import PASSWORD, Server

ZIP = "20261130_clinical_trials_ctgov.zip"


def ask(dsn: str, query: str) -> list[tuple]:
    with psycopg.connect(dsn) as con:
        return con.execute(query).fetchall()


def test_restored_with_its_views_functions_and_search_path(restored: str) -> None:
    assert ask(restored, "SELECT count(*) FROM ctgov.studies") == [(7610,)]
    # neither the role of the dump nor its empty search_path is left behind
    assert ask(restored, "SELECT count(*) FROM studies") == [(7610,)]
    assert ask(restored, "SELECT nct_id FROM ids_for_term('no such thing at all')") == []
    assert ask(restored, "SELECT count(*) FROM ctgov.all_sponsors") > [(7000,)]
    assert ask(restored, "SELECT 1 FROM pg_roles WHERE rolname = 'ctti'") == []


def test_a_database_that_has_one_already(aact: Path, database: str) -> None:
    source = str(aact / ZIP)
    report = restore(source, database)
    assert (report.studies, report.notices) == (7610, [])
    with pytest.raises(SourceError, match="already has schema ctgov"):
        restore(source, database)
    with psycopg.connect(database, autocommit=True) as con:
        con.execute("DELETE FROM ctgov.studies")
    assert restore(source, database, replace=True).studies == 7610


def test_an_empty_schema_of_the_name(aact: Path, database: str) -> None:
    with psycopg.connect(database, autocommit=True) as con:
        con.execute("CREATE SCHEMA ctgov")
    assert restore(str(aact / ZIP), database).studies == 7610


def test_a_broken_dump_leaves_the_database_as_it_was(aact: Path, database: str) -> None:
    with pytest.raises(SourceError, match=r"postgres_truncated\.dmp into .*nothing was restored"):
        restore(str(aact / "variants" / "postgres_truncated.dmp"), database)
    assert ask(database, "SELECT 1 FROM pg_namespace WHERE nspname = 'ctgov'") == []


@pytest.fixture
def guest(server: Server) -> Iterator[str]:
    server.run(f"CREATE ROLE evidence_guest LOGIN PASSWORD '{PASSWORD}'")
    yield "evidence_guest"
    server.run("DROP ROLE evidence_guest")


def test_a_user_who_may_not_create(aact: Path, server: Server, database: str, guest: str) -> None:
    dsn = psycopg.conninfo.make_conninfo(
        database, user=guest, password=PASSWORD, **({"host": "127.0.0.1"} if server.folder else {})
    )
    with pytest.raises(SourceError, match="GRANT CREATE ON DATABASE") as caught:
        restore(str(aact / ZIP), dsn)
    assert PASSWORD not in str(caught.value)


def test_the_flat_export_is_for_no_server(aact: Path, database: str) -> None:
    with pytest.raises(SourceError, match="pipe-delimited export, which no server restores"):
        restore(str(aact / "20261130_export_ctgov.zip"), database)
