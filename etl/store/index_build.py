"""Writing documents into an index folder: all citations, or those that changed."""

import os
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa

import sql

if TYPE_CHECKING:
    from tantivy import Index, IndexWriter

_SLICE = 1_000_000  # PMIDs a query covers: joins stay small whatever the corpus holds
_BATCH = 2_000
_DELETES = 5_000  # PMIDs a delete query names
_HEAP_FULL = 512 << 20
_HEAP_UPDATE = 128 << 20


def write_all(index: "Index", con: duckdb.DuckDBPyConnection) -> None:
    """Write every citation of ``con`` into the empty ``index``."""
    con.execute(sql.load("index/macros"))
    con.execute(sql.load("index/all"))
    writer = index.writer(heap_size=_HEAP_FULL, num_threads=min(4, os.cpu_count() or 1))
    _add(writer, con)
    _finish(writer)


def write_trials(index: "Index", con: duckdb.DuckDBPyConnection) -> None:
    """Write every registered trial of ``con`` into the empty ``index``."""
    con.execute(sql.load("index/macros"))
    writer = index.writer(heap_size=_HEAP_UPDATE, num_threads=min(2, os.cpu_count() or 1))
    _pour(writer, con.sql(sql.load("index/trials")))
    _finish(writer)


def write_changed(index: "Index", con: duckdb.DuckDBPyConnection, changed: pa.Array) -> None:
    """Take the PMIDs ``changed`` out of ``index`` and write what ``con`` holds of them."""
    con.execute(sql.load("index/macros"))
    con.register("index_changed", pa.table({"pmid": changed.cast(pa.int64())}))
    con.execute(sql.load("index/changed"))
    try:
        writer = index.writer(heap_size=_HEAP_UPDATE, num_threads=1)
        _delete(index, writer, changed.to_pylist())
        _add(writer, con)
        _finish(writer)
    finally:
        con.execute("drop view index_citations")
        con.unregister("index_changed")


def _delete(index: "Index", writer: "IndexWriter", pmids: list[int]) -> None:
    from tantivy import Query

    # by query: delete_documents_by_term of tantivy 0.27 finds nothing in an unsigned field
    for start in range(0, len(pmids), _DELETES):
        some = pmids[start : start + _DELETES]
        writer.delete_documents_by_query(Query.term_set_query(index.schema, "pmid", some))


def _add(writer: "IndexWriter", con: duckdb.DuckDBPyConnection) -> None:
    low, high, citations = con.execute(sql.load("index/bounds")).fetchall()[0]
    if not citations:
        return
    # few rows need no slices: each slice reads the files again
    step = _SLICE if citations > _SLICE // 4 else high - low + 1
    question = sql.load("index/documents")
    for start in range(low, high + 1, step):
        bounds = {"low": start, "high": min(start + step, high + 1)}
        _pour(writer, con.sql(question, params=bounds))


def _pour(writer: "IndexWriter", rows: duckdb.DuckDBPyRelation) -> None:
    for batch in rows.to_arrow_reader(_BATCH):
        for document in batch.column("document").to_pylist():
            writer.add_json(document)


def _finish(writer: "IndexWriter") -> None:
    writer.commit()
    writer.garbage_collect_files()
    writer.wait_merging_threads()
