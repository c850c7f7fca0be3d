"""Small invented deliveries in the shapes of AACT's."""

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import psycopg
from psycopg import sql

from etl.sources.trials.mapping import CALCULATED, DESIGNS, FEEDS, STUDIES

COLUMNS: dict[str, list[str]] = {
    feed.table: feed.wanted for feed in (STUDIES, DESIGNS, CALCULATED, *FEEDS.values())
}
# the types that the queries on a live database depend on
TYPED = {"last_update_posted_date": "date", "updated_at": "timestamp"}
Tables = Mapping[str, Sequence[Mapping[str, str]]]


def flat_zip(path: Path, tables: Tables, columns: Mapping[str, list[str]] | None = None) -> Path:
    """A pipe-delimited zip; ``columns`` replaces a table's header. Other tables are left out."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for table, rows in tables.items():
            header = (columns or {}).get(table, COLUMNS[table])
            lines = ["|".join(header)]
            lines += ["|".join(row.get(name, "") for name in header) for row in rows]
            archive.writestr(f"{table}.txt", "".join(f"{line}\n" for line in lines))
    return path


def fill(dsn: str, tables: Tables, columns: Mapping[str, list[str]] | None = None) -> None:
    """The same as a schema ``ctgov`` of text columns in a database."""
    with psycopg.connect(dsn, autocommit=True) as con:
        con.execute("CREATE SCHEMA ctgov")
        for table, rows in tables.items():
            header = (columns or {}).get(table, COLUMNS[table])
            name = sql.Identifier("ctgov", table)
            fields = sql.SQL(", ").join(
                sql.SQL("{} text").format(sql.Identifier(c)) for c in header
            )
            con.execute(sql.SQL("CREATE TABLE {} ({})").format(name, fields))
            with (
                con.cursor() as cursor,
                cursor.copy(sql.SQL("COPY {} FROM STDIN").format(name)) as copy,
            ):
                for row in rows:
                    copy.write_row([row.get(c) for c in header])
            for column, kind in TYPED.items():
                if column in header:
                    change = "ALTER TABLE {0} ALTER {1} TYPE {2} USING {1}::{2}"
                    parts = (name, sql.Identifier(column), sql.SQL(kind))
                    con.execute(sql.SQL(change).format(*parts))
