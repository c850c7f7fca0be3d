"""The snapshot that a refresh builds, before it is committed."""

from dataclasses import dataclass, field, replace

import duckdb
import pyarrow as pa

from etl.jobs.ingest import unique_name
from etl.store import tables as store
from etl.store.files import Rows
from etl.store.home import Home
from etl.store.snapshot import DataFile, Snapshot, TableState, next_id
from etl.store.views import connect, definitions


@dataclass
class Working:
    """The snapshot being built: the last one with the tables that have been replaced so far."""

    home: Home
    before: Snapshot
    as_of_year: int
    tables: dict[str, TableState] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # the id that the commit will give; also the place of derived changes in their order
        self.next_id = next_id(self.home)

    @property
    def snapshot(self) -> Snapshot:
        """What would be committed now."""
        return replace(self.before, tables={**self.before.tables, **self.tables})

    def state(self, table: str) -> TableState:
        """The table as it stands now; one without files when it was never written."""
        return self.snapshot.tables.get(table, TableState())

    def write(self, table: str, rows: Rows, seq: int | None = None) -> DataFile:
        """A new file of ``table`` under a name of its own."""
        return store.write_file(self.home, table, rows, seq, unique_name(table, self.next_id))

    def replace(self, table: str, rows: Rows, seq: int | None = None) -> None:
        """``rows`` are the whole table from now on."""
        self.tables[table] = store.replace(self.home, table, [self.write(table, rows, seq)])

    def put(self, table: str, touched: pa.Array, rows: pa.Table) -> None:
        """``rows`` replace all rows of the touched PMIDs; one without rows has none any more."""
        if not len(touched):
            return
        file = self.write(table, rows, self.next_id) if rows.num_rows else None
        marks = pa.table(
            {
                "pmid": touched,
                "op": pa.repeat(pa.scalar("put"), len(touched)),
                "version": pa.repeat(pa.scalar(1, pa.int16()), len(touched)),
            }
        )
        change = store.Change(self.next_id, file, marks)
        state, _ = store.apply(self.home, table, self.state(table), [change])
        self.tables[table] = store.compact(self.home, table, state)

    def now_and_before(self) -> duckdb.DuckDBPyConnection:
        """A connection to the tables as they stand now, those of the last commit as ``before.``."""
        con = connect(self.home, self.snapshot)
        con.execute("ATTACH ':memory:' AS before")
        con.execute("USE before")
        con.execute(definitions(self.home, self.before, comments=False))
        con.execute("USE memory")
        return con


def union(*arrays: pa.Array) -> pa.Array:
    """Distinct values of int64 arrays, ascending."""
    return pa.chunked_array(list(arrays), pa.int64()).unique().sort()


def first_column(result: duckdb.DuckDBPyRelation) -> pa.Array:
    """The first column of a query's answer as int64."""
    return result.to_arrow_table().column(0).cast(pa.int64()).combine_chunks()
