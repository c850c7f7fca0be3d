"""MeSH beside the index, as a small SQLite file that a search opens in a millisecond.

Tables: ``term(term, ui, preferred)`` with terms folded as in ``index_text.fold``;
``descriptor(ui, name, class)``; ``tree(tree_number, ui)``. Made from ``mesh_descriptors`` and
``mesh_tree``; there is no file when MeSH is not loaded.
"""

import sqlite3
from pathlib import Path

import duckdb

import sql
from etl.store.index_text import fold

FILE = "vocabulary.sqlite"

_TABLES = """
create table descriptor(ui text primary key, name text not null, class text) without rowid;
create table term(term text, ui text, preferred integer not null, primary key (term, ui))
    without rowid;
create table tree(tree_number text, ui text, primary key (tree_number, ui)) without rowid;
create index tree_ui on tree(ui);
"""


def version(con: duckdb.DuckDBPyConnection) -> str:
    """Version of the MeSH that ``con`` sees; empty when none is loaded."""
    descriptors, said = con.execute(sql.load("index/vocabulary_version")).fetchall()[0]
    return str(said) if descriptors else ""


def build(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Write the vocabulary of ``con`` to a new file ``path``."""
    path.unlink(missing_ok=True)
    terms = con.execute(sql.load("index/vocabulary_terms")).fetchall()
    places = con.execute(sql.load("index/vocabulary_tree")).fetchall()
    out = sqlite3.connect(path, isolation_level=None)
    try:
        out.executescript("pragma journal_mode=off; pragma synchronous=off;" + _TABLES)
        out.execute("begin")
        out.executemany(
            "insert or ignore into descriptor values (?, ?, ?)",
            [(ui, name, kind) for ui, name, kind, _, preferred in terms if preferred],
        )
        out.executemany(
            "insert or ignore into term values (?, ?, ?)",
            [(fold(term), ui, int(own)) for ui, _, _, term, own in terms if term],
        )
        out.executemany("insert or ignore into tree values (?, ?)", places)
        out.execute("commit")
    finally:
        out.close()
