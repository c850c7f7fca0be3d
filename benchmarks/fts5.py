"""SQLite FTS5 on the citations of ``search_bench``, asked for the same answers.

The same text is searched (title, abstract, names of headings and types, authors and journal), and
the answer is the same: the first 100 by grade and bm25 with what a result shows (one JSON text a
citation, kept in a table of its own, as the index keeps it), the total, and the counts by grade.
FTS5 finds matches and their bm25 once and counts and sorts those: asking twice, for the first
hundred and for the counts, takes longer. The index is optimised (merged into one) before it is
asked.
"""

import json
import sqlite3
import time
from pathlib import Path
from typing import Any

import duckdb

TEXT = """
select pmid, title, abstract,
    array_to_string([h.name for h in mesh_terms] || ['drug therapy'] || publication_types, ' '),
    array_to_string(authors || [journal, journal_abbreviation], ' ')
from made
"""
FOUND = """
create temporary table found as
select f.rowid as pmid, g.grade, f.rank as score
from fts f cross join grades g on g.pmid = f.rowid where fts match ?
"""
CARDS = """
select pmid, to_json({
    pmid: pmid, title: title, authors: authors, journal: journal, year: year, abstract: abstract,
    journal_abbreviation: journal_abbreviation, publication_types: publication_types,
    languages: languages})::varchar
from made
"""
BEST = """
select card, score
from (select * from found where grade <> 'excluded' order by grade, score limit 100) best
join cards using (pmid)
order by best.grade, score
"""
BARE = "select pmid, score from found where grade <> 'excluded' order by grade, score limit 100"
COUNTS = "select grade, count(*) from found group by grade"


def times(
    con: duckdb.DuckDBPyConnection, path: Path, queries: list[tuple[str, str]]
) -> tuple[list[float], list[float]]:
    """Seconds a query with and without what results show, after a build that is not counted."""
    db = build(con, path)
    for a, b in queries[:5]:
        ask(db, a, b)
    found = [_timed(db, a, b, True) for a, b in queries]
    bare = [_timed(db, a, b, False) for a, b in queries]
    db.close()
    return found, bare


def _timed(db: sqlite3.Connection, a: str, b: str, shown: bool) -> float:
    start = time.perf_counter()
    ask(db, a, b, shown)
    return time.perf_counter() - start


def build(con: duckdb.DuckDBPyConnection, path: Path) -> sqlite3.Connection:
    """The FTS5 table of the synthetic citations of ``con``, and their grades."""
    db = sqlite3.connect(path)
    db.execute("pragma synchronous=off")
    db.execute("pragma temp_store=memory")
    db.execute("pragma cache_size=-262144")  # 256 MB
    db.execute("create virtual table fts using fts5(title, abstract, terms, names)")
    db.execute("create table grades(pmid integer primary key, grade text)")
    db.execute("create table cards(pmid integer primary key, card text)")
    reader = con.execute(TEXT)
    while rows := reader.fetchmany(20_000):
        db.executemany(
            "insert into fts(rowid, title, abstract, terms, names) values (?, ?, ?, ?, ?)", rows
        )
    reader = con.execute(CARDS)
    while rows := reader.fetchmany(20_000):
        db.executemany("insert into cards values (?, ?)", rows)
    rows = con.execute("select pmid, grade from graded").fetchall()
    db.executemany("insert into grades values (?, ?)", rows)
    db.execute("insert into fts(fts) values ('optimize')")
    db.commit()
    return db


def ask(
    db: sqlite3.Connection, a: str, b: str, shown: bool = True
) -> tuple[list[Any], dict[str, int]]:
    """The first hundred (PMIDs alone unless ``shown``), and the counts by grade, for both words."""
    db.execute(FOUND, [f'"{a}" AND "{b}"'])
    if shown:
        best = [json.loads(card) | {"score": score} for card, score in db.execute(BEST)]
    else:
        best = db.execute(BARE).fetchall()
    counts = dict(db.execute(COUNTS).fetchall())
    db.execute("drop table found")
    return best, counts
