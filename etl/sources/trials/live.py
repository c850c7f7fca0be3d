"""A live PostgreSQL that holds schema ``ctgov``: a restored snapshot or AACT's own database."""

import hashlib
import io
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property

import psycopg
import pyarrow as pa
import pyarrow.csv as pacsv
from psycopg import sql as pgsql
from psycopg.conninfo import make_conninfo

import sql
from etl.errors import SourceError, TransientSourceError
from etl.sources.trials.delivery import Rows

SCHEMA = "ctgov"
BLOCK = 16 * 1024 * 1024  # bytes of CSV for one Arrow batch
CONNECT_SECONDS = 30

# what libpq says of a connection that asking again will not mend (it gives no SQLSTATE then)
_REFUSED = (
    "password authentication failed",
    "no password supplied",
    "no pg_hba.conf entry",
    "authentication failed",
    "permission denied",
    "does not exist",
    "is not permitted to log in",
    "Name or service not known",  # a failing name server says "Temporary failure"
    "invalid ",
)
_SETTINGS = """
    SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL extra_float_digits = 1;
    SET LOCAL bytea_output = 'hex'; SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0
"""  # the text of every value is that of pg_dump, whatever the server's defaults


def address(connection: psycopg.Connection) -> str:
    """Where the connection goes, without user and password."""
    info = connection.info
    return f"postgresql://{info.host or info.hostaddr or 'local'}:{info.port}/{info.dbname}"


def parsed(dsn: str) -> str:
    """``dsn`` as libpq understands it; a bad one is refused without being repeated."""
    try:
        return make_conninfo(dsn, application_name="evidence-warehouse")
    except psycopg.ProgrammingError:
        # libpq's own message repeats what it cannot parse, which may be the password
        raise SourceError(
            "the PostgreSQL address cannot be understood; write postgresql://user@host:5432/aact "
            "or 'host=... dbname=aact user=...' (password in PGPASSWORD or ~/.pgpass)"
        ) from None


def connect(dsn: str, *, autocommit: bool = False) -> psycopg.Connection:
    """A connection; ``SourceError`` when refused, ``TransientSourceError`` when unreachable."""
    conninfo = parsed(dsn)
    try:
        return psycopg.connect(conninfo, autocommit=autocommit, connect_timeout=CONNECT_SECONDS)
    except psycopg.OperationalError as error:
        why = without_password(_line(error), dsn)
    if any(words in why for words in _REFUSED):
        raise SourceError(
            f"PostgreSQL refused the connection: {why}; mend the address, the user or its password"
        )
    raise TransientSourceError(f"PostgreSQL cannot be reached: {why}; start it or try again later")


def without_password(message: str, dsn: str) -> str:
    """``message`` with nothing of the password of ``dsn`` in it.

    An unescaped @ or / in a password makes libpq take its end for the host's name, which its
    messages do repeat; so each piece of what stands before the last @ goes.
    """
    uri = re.match(r"postgres(?:ql)?://[^:@]*:(.*)@", dsn)
    named = re.findall(r"password\s*=\s*('(?:[^'\\]|\\.)*'|\S+)", dsn)
    for secret in [*re.split(r"[@/:?]", uri[1] if uri else ""), *(n.strip("'") for n in named)]:
        if secret:
            message = message.replace(secret, "***")
    return message


def _line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines) or type(error).__name__


@contextmanager
def explained(label: str, doing: str) -> Iterator[None]:
    """Turns a server's error into one of ours, naming what was read."""
    try:
        yield
    except psycopg.errors.InsufficientPrivilege as error:
        raise _no_right(label, doing) from error
    except (psycopg.OperationalError, psycopg.errors.AdminShutdown) as error:
        raise TransientSourceError(
            f"{label}: the server went away while {doing} ({_line(error)}); nothing was stored, "
            "run it again"
        ) from error
    except psycopg.Error as error:
        raise SourceError(
            f"{label}: failed while {doing} ({_line(error)}); "
            "check that the database is an AACT snapshot"
        ) from error


def _no_right(label: str, doing: str) -> SourceError:
    return SourceError(
        f"{label}: the user has no right to do this ({doing}); as the owner run GRANT USAGE ON "
        f"SCHEMA {SCHEMA} TO <user>; GRANT SELECT ON ALL TABLES IN SCHEMA {SCHEMA} TO <user>"
    )


class LiveDelivery:
    """The tables of one database, all read in one snapshot of it."""

    kind = "live"

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection
        self.label = address(connection)

    @cached_property
    def columns(self) -> dict[str, dict[str, bool]]:
        """By table: its columns in their order, and whether each may be read.

        Asked of pg_catalog: information_schema hides what the user may not read, which would
        look like a table that is missing.
        """
        with explained(self.label, "listing the tables"):
            listed = self.connection.execute(sql.load("trials/live_columns"), {"schema": SCHEMA})
            rows = listed.fetchall()
        if not rows:
            raise SourceError(
                f"{self.label}: has no schema {SCHEMA}; restore an AACT snapshot into it first"
            )
        found: dict[str, dict[str, bool]] = {}
        for table, column, readable in rows:
            found.setdefault(table, {})[column] = readable
        return found

    @cached_property
    def snapshot_date(self) -> str | None:
        """The newest date on which a study's record was updated."""
        with explained(self.label, "reading the newest update"):
            row = self.connection.execute(sql.load("trials/live_newest")).fetchone()
        return row[0] if row else None

    def tables(self) -> frozenset[str]:
        """The tables that are there."""
        return frozenset(self.columns)

    def losses(self) -> Sequence[str]:
        """A database loses nothing."""
        return ()

    def read(self, wanted: Mapping[str, Sequence[str]]) -> Generator[Rows]:
        """The tables by COPY, columns matched by name."""
        for table, columns in wanted.items():
            delivered = self.columns[table]
            keep = [name for name in columns if name in delivered]
            if not all(delivered[name] for name in keep):
                raise _no_right(self.label, f"reading {SCHEMA}.{table}")
            yield Rows(table, list(delivered), self._batches(table, keep))

    def _batches(self, table: str, keep: Sequence[str]) -> Iterator[pa.Table]:
        query = pgsql.SQL("COPY (SELECT {} FROM {}) TO STDOUT (FORMAT csv)").format(
            pgsql.SQL(", ").join(map(pgsql.Identifier, keep)), pgsql.Identifier(SCHEMA, table)
        )
        doing = f"reading {SCHEMA}.{table}"
        with (
            explained(self.label, doing),
            self.connection.cursor() as cursor,
            cursor.copy(query) as copy,
        ):
            for block in _blocks(copy):
                yield _parsed(block, keep)


def _blocks(copy: psycopg.Copy) -> Iterator[bytes]:
    """CSV of about ``BLOCK`` bytes; the server sends each row by itself, so none is cut."""
    block = io.BytesIO()
    for row in copy:
        block.write(row)
        if block.tell() >= BLOCK:
            yield block.getvalue()
            block = io.BytesIO()
    if block.tell():
        yield block.getvalue()


def _parsed(block: bytes, keep: Sequence[str]) -> pa.Table:
    """CSV as COPY writes it: NULL is nothing at all, an empty text is ``""``."""
    return pacsv.read_csv(
        io.BytesIO(block),
        read_options=pacsv.ReadOptions(column_names=list(keep), block_size=len(block) + 1),
        parse_options=pacsv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
        convert_options=pacsv.ConvertOptions(
            column_types={name: pa.string() for name in keep},
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


@contextmanager
def open_live(dsn: str) -> Iterator[LiveDelivery]:
    """The database at ``dsn``, read only and in one snapshot for as long as it is open."""
    with connect(dsn) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        label = address(connection)
        with explained(label, "beginning to read"):
            connection.execute(_SETTINGS)
        yield LiveDelivery(connection)


def identify_live(dsn: str) -> tuple[str, str]:
    """Address and a checksum over what changes when the database is loaded anew."""
    with open_live(dsn) as live:
        if "studies" not in live.tables():
            raise SourceError(
                f"{live.label}: has no table {SCHEMA}.studies; restore an AACT snapshot first"
            )
        with explained(live.label, "counting studies"):
            facts = live.connection.execute(sql.load("trials/live_identity")).fetchone()
        return live.label, hashlib.sha256(repr((live.label, facts)).encode()).hexdigest()
