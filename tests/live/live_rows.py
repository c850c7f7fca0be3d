"""Rows of the LIVE schema for tests: fields of ``citations`` and evidence_id, source."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from etl.store.schema import TABLES
from tests.query.rows import default


def live_table(*rows: Mapping[str, Any]) -> pa.Table:
    """A table of ``rows``; what a row does not say is empty, a PMID may be None."""
    columns: dict[str, pa.Array] = {}
    for column in TABLES["citations"].columns:
        empty = {"version": 1, "record_type": "article", "pmid": None}.get(
            column.name, default(column)
        )
        values = [row.get(column.name, empty) for row in rows]
        columns[column.name] = pa.array(values, column.type)
    for name in ("evidence_id", "source"):
        columns[name] = pa.array([row.get(name) for row in rows], pa.string())
    return pa.table(columns)
