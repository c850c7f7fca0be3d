"""The search index follows the snapshot that is about to be committed."""

import pyarrow as pa

from etl.jobs.derive import Working
from etl.store.index import update
from etl.store.views import connect


def bring_up_to_date(work: Working, changed: pa.Array | None) -> None:
    """Index the changed PMIDs, or everything when ``changed`` is None."""
    with connect(work.home, work.snapshot) as con:
        tables = work.snapshot.tables
        previous = work.before.id or None
        update(work.home, con, work.next_id, changed, previous, tables=tables)
