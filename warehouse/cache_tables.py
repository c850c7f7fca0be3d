"""The two tables of the answers cache: the seed's columns, and ours added where they lack."""

import sqlite3

_TABLES = {
    "evidence_cache": """
        create table if not exists evidence_cache (
            query_hash text primary key,
            query_text text,
            result_json text,
            created_at timestamp,
            expires_at timestamp,
            fast_path_used boolean,
            total_results integer,
            state text
        )""",
    "pmid_grade_cache": """
        create table if not exists pmid_grade_cache (
            pmid text primary key,
            publication_types text,
            sample_size integer,
            grade text,
            grade_rationale text,
            cached_at timestamp,
            state text,
            result_json text
        )""",
}
# The default place may hold a cache of the same tables without these: its rows stay, unused.
_OURS = {"evidence_cache": ("state",), "pmid_grade_cache": ("state", "result_json")}
LAYOUT = 1  # kept in the file's user_version: a file that has it needs no look at its columns


def prepare(con: sqlite3.Connection, wait_ms: int) -> None:
    """Write-ahead log, waiting for other writers, both tables with all their columns.

    Nothing is forced to disk: a killed process leaves the file whole, and what a power failure
    may damage is a cache that is then made anew.
    """
    con.execute(f"pragma busy_timeout = {wait_ms:d}")
    if con.execute("pragma user_version").fetchone()[0] == LAYOUT:
        con.execute("pragma synchronous = off")
        return
    con.execute("pragma journal_mode = wal")
    con.execute("pragma synchronous = off")
    con.execute("begin immediate")
    for name, definition in _TABLES.items():
        con.execute(definition)
        held = {row[1] for row in con.execute(f"pragma table_info({name})")}
        for column in _OURS[name]:
            if column not in held:
                con.execute(f"alter table {name} add column {column} text")
    con.execute(f"pragma user_version = {LAYOUT:d}")
    con.commit()
