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
YEAR_SPAN = 3  # GRADING: years within 3


def citation_trials(con: duckdb.DuckDBPyConnection) -> pa.RecordBatchReader:
    """Rows of ``citation_trials`` for the PMIDs of ``changed``."""
    bound = {"nct_pattern": NCT_PATTERN}
    return con.sql(sql.load("links/citation_trials"), params=bound).to_arrow_reader(_BATCH_ROWS)


def citation_links(con: duckdb.DuckDBPyConnection) -> pa.RecordBatchReader:
    """Rows of ``citation_links`` for the PMIDs of ``changed``."""
    _keep(con, "preprint", "links/preprint", shipped.preprint_servers())
    near = {"title_overlap": TITLE_OVERLAP, "year_span": YEAR_SPAN}
    _keep(con, "probable_pairs", "links/probable_pairs", near)
    return con.sql(sql.load("links/citation_links")).to_arrow_reader(_BATCH_ROWS)


def _keep(con: duckdb.DuckDBPyConnection, table: str, name: str, bound: dict[str, Any]) -> None:
    con.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS {sql.load(name)}", bound)
