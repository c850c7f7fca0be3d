"""How a table is declared, and the check that its rows keep to the declaration."""

from dataclasses import dataclass
from enum import StrEnum

import pyarrow as pa
import pyarrow.compute as pc

from etl.errors import SchemaError

TEXT = pa.string()
TEXTS = pa.list_(pa.string())


class Layout(StrEnum):
    """How a table is stored and brought up to date."""

    KEYED = "keyed"  # all rows of a PMID are replaced together: base + deltas + latest
    WHOLE = "whole"  # rewritten as a whole by the job that makes it


@dataclass(frozen=True)
class Column:
    """One column: what it says, in which unit, and what absence means."""

    name: str
    type: pa.DataType
    about: str
    nullable: bool = True
    codes: tuple[str, ...] = ()  # the only values a text column may hold; () is any


@dataclass(frozen=True)
class Table:
    """One stored table. ``grain`` completes the sentence "one row is ...".

    ``sort`` orders the rows of every file. A KEYED table has a ``pmid`` column first in it.
    """

    name: str
    grain: str
    layout: Layout
    sort: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def arrow(self) -> pa.Schema:
        """The Arrow schema that every file of this table has."""
        return pa.schema([pa.field(c.name, c.type, c.nullable) for c in self.columns])


PMID = Column("pmid", pa.int64(), "PubMed identifier", nullable=False)


def conform(table: Table, rows: pa.Table) -> pa.Table:
    """``rows`` with exactly the declared columns, order and types.

    Raises ``SchemaError`` naming the column and an offending value on: a missing or unknown
    column, a type that does not convert safely, a null in a column that may not hold one,
    a value outside the declared codes.
    """
    names = [c.name for c in table.columns]
    if sorted(rows.column_names) != sorted(names):
        wrong = sorted(set(rows.column_names) ^ set(names))
        raise SchemaError(f"table {table.name}: columns missing or unknown: {', '.join(wrong)}")
    try:
        fitted = rows.select(names).cast(table.arrow)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise SchemaError(f"table {table.name}: {error}") from error
    for column in table.columns:
        _check(table, column, fitted.column(column.name))
    return fitted


def _check(table: Table, column: Column, values: pa.ChunkedArray) -> None:
    if not column.nullable and values.null_count:
        raise SchemaError(f"table {table.name}: {column.name} is null in {values.null_count} rows")
    if column.codes:
        allowed = pa.array(column.codes, pa.string())
        unknown = pc.filter(values, pc.invert(pc.is_in(values, value_set=allowed))).drop_null()
        if len(unknown):
            raise SchemaError(
                f"table {table.name}: {column.name} holds {unknown[0].as_py()!r}, "
                f"not one of {', '.join(column.codes)}"
            )
