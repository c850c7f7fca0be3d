"""Links: a citation's trials, and its relations to other citations."""

from typing import Any

import duckdb
import pyarrow as pa

import sql
from etl.jobs import shipped

_BATCH_ROWS = 100_000

# NCT and eight digits: bare, after a blank, dash, colon, '#', 'No.', 'number' or 'identifier',
# or broken once by a blank or a dash after the third, fourth or fifth digit. Seven or nine
# digits are a misprint whose trial nobody knows.
_GAP = r"[\s\-\x{2010}-\x{2015}\x{00A0}]"
NCT_PATTERN = (
    r"(?i)NCT(?:\s*(?:no\.?|number|identifier|id))?[\s:#.\-\x{2010}-\x{2015}\x{00A0}]*"
    rf"(\d{{8}}|\d{{3}}{_GAP}\d{{5}}|\d{{4}}{_GAP}\d{{4}}|\d{{5}}{_GAP}\d{{3}})(?:\b|[A-Za-z_])"
)
TITLE_OVERLAP = 0.8  # shared words by all words of both titles
YEAR_SPAN = 3  # docs/grading.md: years within 3


def citation_trials(con: duckdb.DuckDBPyConnection) -> pa.RecordBatchReader:
    """Rows of ``citation_trials`` for the PMIDs of ``changed``."""
    bound = {"nct_pattern": NCT_PATTERN}
    return con.sql(sql.load("links/citation_trials"), params=bound).to_arrow_reader(_BATCH_ROWS)


def title_keys(con: duckdb.DuckDBPyConnection) -> pa.RecordBatchReader:
    """Rows of ``title_keys`` for the PMIDs of ``changed``."""
    con.execute(sql.load("links/macros"))
    bound = shipped.preprint_servers()
    return con.sql(sql.load("links/title_keys"), params=bound).to_arrow_reader(_BATCH_ROWS)


def citation_links(con: duckdb.DuckDBPyConnection) -> pa.RecordBatchReader:
    """Rows of ``citation_links`` for the PMIDs of ``changed``, from all citations and keys."""
    find_pairs(con)
    return links_of_changed(con)


def find_pairs(con: duckdb.DuckDBPyConnection) -> None:
    """Make ``relation`` and ``pair`` of every preprint of ``title_keys`` and every citation."""
    con.execute(sql.load("links/relation"))
    con.execute("CREATE OR REPLACE TEMP VIEW relation AS FROM said_relation")
    keep(con, "preprint", "links/preprint")
    keep(con, "preprint_key", "links/preprint_keys")
    con.execute("CREATE OR REPLACE TEMP VIEW asked_preprint AS FROM preprint")
    find_candidates(con)
    compare_candidates(con)


def find_candidates(con: duckdb.DuckDBPyConnection) -> None:
    """Make ``candidates`` of ``asked_preprint`` from ``preprint_key`` and ``title_keys``."""
    keep(con, "asked_key", "links/asked_keys")
    asked = con.execute("SELECT coalesce(min(year), 0), coalesce(max(year), 0) FROM asked_key")
    first, last = asked.fetchall()[0]
    years = {"first_year": first - YEAR_SPAN, "last_year": last + YEAR_SPAN}
    keep(con, "candidates", "links/candidates", {"year_span": YEAR_SPAN, **years})


def compare_candidates(con: duckdb.DuckDBPyConnection) -> None:
    """Make ``pair`` of the preprints of ``asked_preprint`` from ``candidates`` and ``relation``."""
    con.execute(sql.load("links/macros"))
    keep(con, "probable_pairs", "links/probable_pairs", {"title_overlap": TITLE_OVERLAP})
    keep(con, "pair", "links/pair")


def links_of_changed(con: duckdb.DuckDBPyConnection) -> pa.RecordBatchReader:
    """Rows of ``citation_links`` for the PMIDs of ``changed`` from ``relation`` and ``pair``."""
    return con.sql(sql.load("links/citation_links")).to_arrow_reader(_BATCH_ROWS)


def keep(
    con: duckdb.DuckDBPyConnection, table: str, name: str, bound: dict[str, Any] | None = None
) -> None:
    """Store the answer of the query ``name`` as the temporary table ``table`` of ``con``."""
    con.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS {sql.load(name)}", bound or {})
