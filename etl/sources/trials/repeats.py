"""Studies that a delivery holds more than once (AACT #767: a load ran three times)."""

from collections.abc import Iterable, Iterator

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

import sql
from etl.sources.trials.delivery import Notices
from etl.store.schema import TABLES

# these have one row a study by their meaning, whatever a repeated load left
SINGLE = frozenset({"trial_eligibilities", "trial_brief_summaries"})
_ROW = "loaded_row"


def copies(*one_to_one: pa.Table) -> pa.Table:
    """Studies that occur more than once in a table that has one row a study: nct_id, loads."""
    counts = [
        t.select(["nct_id"]).group_by("nct_id").aggregate([([], "count_all")]) for t in one_to_one
    ]
    loads = pa.concat_tables(counts).group_by("nct_id").aggregate([("count_all", "max")])
    loads = loads.rename_columns(["nct_id", "loads"])
    return loads.filter(pc.greater(loads.column("loads"), 1))


def report(found: pa.Table, notices: Notices) -> None:
    """One notice for all repeated studies."""
    if found.num_rows:
        first = found.sort_by("nct_id").slice(0, 1).to_pylist()[0]
        notices.add(
            f"{found.num_rows} studies were delivered more than once ({first['nct_id']}: "
            f"{first['loads']} times); their newest rows are kept"
        )


def without(name: str, batches: Iterable[pa.Table], found: pa.Table) -> Iterator[pa.Table]:
    """``batches`` of table ``name`` with each repeated study's rows as of one load."""
    if not found.num_rows:
        yield from (batch.drop_columns([_ROW]) for batch in batches)
        return
    held = []
    for batch in batches:
        repeated = pc.is_in(batch.column("nct_id"), value_set=found.column("nct_id"))
        held.append(batch.filter(repeated))
        yield batch.filter(pc.invert(repeated)).drop_columns([_ROW])
    if held:
        yield _newest(name, pa.concat_tables(held), found)


def _newest(name: str, rows: pa.Table, found: pa.Table) -> pa.Table:
    content = _content(name, rows)
    with duckdb.connect() as con:
        con.register("repeated", rows.append_column("content", content))
        con.register("copies", found)
        kept = con.sql(sql.load("trials/newest")).to_arrow_table()
    return kept.select([n for n in rows.column_names if n != _ROW]).cast(TABLES[name].arrow)


def _content(name: str, rows: pa.Table) -> pa.ChunkedArray | pa.Array:
    numbered = {_ROW, *(c.name for c in TABLES[name].columns if "changes with" in c.about)}
    told = [] if name in SINGLE else [n for n in rows.column_names if n not in numbered]
    texts = [pc.fill_null(rows.column(n).cast(pa.string()), "\0") for n in ["nct_id", *told]]
    return pc.binary_join_element_wise(*texts, "\x1f")
