"""A dump into a PostgreSQL server, for people who want the database as well."""

import os
import subprocess
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql as pgsql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

import sql
from etl.errors import SourceError, TransientSourceError
from etl.sources.trials import archive
from etl.sources.trials.dump import pg_restore_for
from etl.sources.trials.live import SCHEMA, address, connect, explained, parsed

_LOST = (
    "server closed the connection",
    "could not connect",
    "terminating connection",
    "connection to server",
)


@dataclass(frozen=True)
class RestoreReport:
    """Where a dump was restored to, how many studies are there now, and what is left to do."""

    database: str
    studies: int
    notices: list[str]


def restore(
    source: str, dsn: str, *, replace: bool = False, workdir: Path | None = None
) -> RestoreReport:
    """Restore the dump at ``source`` (zip or ``.dmp``) into the database at ``dsn``.

    One transaction: the database has all of it or is as before. Owner and grants of the dump are
    left out, so its roles need not exist. A schema ``ctgov`` with tables in it is replaced only
    with ``replace``. The database's search_path is set to ctgov, which the functions and the
    published example queries of AACT expect.

    Raises ``SourceError`` naming the mend, ``TransientSourceError`` when the server went away.
    """
    path = Path(source)
    with connect(dsn, autocommit=True) as server, _dump_of(path, workdir) as dump:
        database = address(server)
        exists = _schema_is_there(server, database, replace)
        program = pg_restore_for(dump, source)
        _run(program, dump, dsn, f"{source} into {database}", clean=exists)
        notices = _set_search_path(server, database)
        with explained(database, "counting studies"):
            row = server.execute(sql.load("trials/live_identity")).fetchone()
        return RestoreReport(database, int(row[0]) if row else 0, notices)


def _dump_of(path: Path, workdir: Path | None) -> AbstractContextManager[Path]:
    kind = archive.kind_of(path)
    if kind == "dump":
        return nullcontext(path)
    if kind == "dump_zip":
        return archive.unpacked_dump(path, workdir)
    raise SourceError(
        f"{path}: is the pipe-delimited export, which no server restores; "
        "give YYYYMMDD_clinical_trials_ctgov.zip"
    )


def _schema_is_there(server: psycopg.Connection, database: str, replace: bool) -> bool:
    with explained(database, "looking for schema ctgov"):
        rows = server.execute(sql.load("trials/live_schema"), {"schema": SCHEMA}).fetchall()
    if rows and rows[0][0] and not replace:
        raise SourceError(
            f"{database}: already has schema {SCHEMA} with {rows[0][0]} tables and views; "
            f"ask for it to be replaced, or DROP SCHEMA {SCHEMA} CASCADE first"
        )
    return bool(rows)


def _run(program: str, dump: Path, dsn: str, label: str, *, clean: bool) -> None:
    settings = conninfo_to_dict(parsed(dsn))
    password = settings.pop("password", None)
    # on the command line every user of the machine could read it
    environment = os.environ | ({"PGPASSWORD": str(password)} if password else {})
    # --clean only on a schema that is there: on an empty database it stops at the first DROP
    options = ["--clean", "--if-exists"] if clean else []
    command = [
        program, "--no-owner", "--no-privileges", "--single-transaction", *options,
        "--dbname", make_conninfo("", **settings), str(dump),
    ]  # fmt: skip
    told = subprocess.run(command, capture_output=True, env=environment, check=False)
    if told.returncode:
        raise _failed(label, told.stderr.decode("utf-8", "replace").splitlines())


def _failed(label: str, lines: Sequence[str]) -> SourceError:
    errors = [line for line in lines if "error:" in line] or list(lines) or ["no reason given"]
    why = errors[0].removeprefix("pg_restore: error: ")
    if any(words in line for line in lines for words in _LOST):
        return TransientSourceError(
            f"{label}: the server went away ({why}); nothing was restored, run it again"
        )
    if "permission denied" in why:
        return SourceError(
            f"{label}: {why}; as the owner run GRANT CREATE ON DATABASE <name> TO <user>"
        )
    return SourceError(f"{label}: {why}; nothing was restored, mend this and run it again")


def _set_search_path(server: psycopg.Connection, database: str) -> list[str]:
    change = pgsql.SQL("ALTER DATABASE {} SET search_path = {}, public").format(
        pgsql.Identifier(server.info.dbname), pgsql.Identifier(SCHEMA)
    )
    try:
        server.execute(change)
    except psycopg.errors.InsufficientPrivilege:
        told = change.as_string(server)
        return [f"{database}: only its owner can make {SCHEMA} the default schema: {told}"]
    return []
