"""``trials`` from the three delivered tables that have one row a study."""

from collections.abc import Iterator, Sequence

import duckdb
import pyarrow as pa

import sql
from etl.store.schema import TABLES

ROWS = 20_000  # studies a batch: some 15 MB of text
_NAMES = ("delivered_studies", "delivered_designs", "delivered_calculated")
# what decides which row of a study is its newest
_ORDER = ("nct_id", "last_update_submitted_date", "updated_at", "loaded_row")


def trials(delivered: Sequence[pa.Table]) -> Iterator[pa.Table]:
    """Batches of table ``trials`` in the order of nct_id.

    ``delivered``: studies, designs and calculated_values with their declared columns, which say
    by their names where each column of ``trials`` comes from.
    """
    wanted = TABLES["trials"].arrow
    places = _places(delivered)
    for start in range(0, places.num_rows, ROWS):
        part = places.slice(start, ROWS)
        taken = {
            name: values
            for table, at in reversed(list(zip(delivered, part.columns, strict=True)))
            for name, values in _taken(table, at, wanted).items()
        }
        yield pa.table([taken[name] for name in wanted.names], wanted)


def _taken(table: pa.Table, at: pa.ChunkedArray, wanted: pa.Schema) -> dict[str, pa.ChunkedArray]:
    rows = table.select([n for n in table.column_names if n in wanted.names]).take(at)
    return dict(zip(rows.column_names, rows.columns, strict=True))


def _places(delivered: Sequence[pa.Table]) -> pa.Table:
    with duckdb.connect() as con:
        for name, table in zip(_NAMES, delivered, strict=True):
            keys = table.select([n for n in _ORDER if n in table.column_names])
            place = pa.array(range(table.num_rows), pa.int64())
            con.register(name, keys.append_column("place", place))
        return con.sql(sql.load("trials/trials")).to_arrow_table()
