"""Everything the warehouse holds of given PMIDs: what references and evidence files are made of."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

import sql
from etl.store.home import Home
from etl.store.snapshot import Snapshot, current
from etl.store.views import connect

Row = dict[str, Any]


def records(home: Home, snapshot: Snapshot, pmids: Iterable[int]) -> dict[str, Row]:
    """Rows of ``sql/answers/records.sql`` by PMID (text); a PMID not held is missing."""
    asked = pa.table({"pmid": pa.array(sorted(set(pmids)), pa.int64())})
    with connect(home, snapshot) as con:
        con.register("asked", asked)
        rows = con.sql(sql.load("answers/records")).to_arrow_table().to_pylist()
    return {row["pmid"]: row for row in rows}


def completed(rows: Sequence[Mapping[str, Any]], home: Home) -> list[Row]:
    """``rows`` with what the warehouse knows beside; what a row says itself is kept.

    Rows without PMID (registered trials) and PMIDs that are not held stay as they are. Without a
    committed snapshot nothing is added.
    """
    snapshot = current(home)
    pmids = [number for row in rows if (number := _number(row.get("pmid"))) is not None]
    held = records(home, snapshot, pmids) if snapshot and pmids else {}
    return [_merged(row, held.get(str(row.get("pmid")), {})) for row in rows]


def _merged(row: Mapping[str, Any], held: Row) -> Row:
    said = {key: value for key, value in row.items() if value is not None}
    return {**dict.fromkeys(row), **held, **said}


def _number(pmid: object) -> int | None:
    text = str(pmid or "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None
