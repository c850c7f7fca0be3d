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
    with psycopg.connect(dsn, autocommit=True) as con:
        # the delivered type; the identity query compares dates
        for column in ("last_update_posted_date", "updated_at"):
            header = (columns or {}).get("studies", COLUMNS["studies"])
            if "studies" in tables and column in header:
                con.execute(
                    sql.SQL(
                        "ALTER TABLE ctgov.studies ALTER {0} TYPE timestamp USING {0}::timestamp"
                    ).format(sql.Identifier(column))
                    if column == "updated_at"
                    else sql.SQL(
                        "ALTER TABLE ctgov.studies ALTER {0} TYPE date USING {0}::date"
                    ).format(sql.Identifier(column))
                )
