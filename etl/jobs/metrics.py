"""Journal metrics: cites per document and share of records with a statement of interests."""

import duckdb
import pyarrow as pa

import sql
from etl.jobs.links import keep

_BATCH_ROWS = 100_000


def journal_metrics(con: duckdb.DuckDBPyConnection) -> pa.RecordBatchReader:
    """Rows of ``journal_metrics`` from all citations of the warehouse.

    ``cites_per_document`` is null for a journal's first years, when it has no documents of the
    two years before.
    """
    keep(con, "journal_year", "metrics/journals")
    keep(con, "journal_code", "metrics/journal_codes")
    keep(con, "document", "metrics/documents")
    # DuckDB takes the references, whose number it cannot know, for the smaller side
    con.execute("SET disabled_optimizers = 'join_order,build_side_probe_side'")
    keep(con, "cites", "metrics/cites")
    con.execute("RESET disabled_optimizers")
    return con.sql(sql.load("metrics/journal_metrics")).to_arrow_reader(_BATCH_ROWS)
