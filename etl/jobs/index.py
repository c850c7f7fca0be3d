"""The search index follows the snapshot that is about to be committed."""

import duckdb
import pyarrow as pa

from etl.jobs.derive import Working
from etl.store.index import update
from etl.store.views import connect, keep_rows


def bring_up_to_date(work: Working, changed: pa.Array | None) -> None:
    """Index the changed PMIDs, or everything when ``changed`` is None."""

    def narrow(con: duckdb.DuckDBPyConnection) -> None:
        con.register("graded_again", pa.table({"pmid": changed}))
        for table in ("citations", "graded"):
            keep_rows(con, work.home, work.snapshot, table, "graded_again")

    with connect(work.home, work.snapshot) as con:
        tables = work.snapshot.tables
        previous = work.before.id or None
        update(work.home, con, work.next_id, changed, previous, tables=tables, narrow=narrow)
