"""The DuckDB name of each Arrow type that a table may declare."""

import pyarrow as pa

_SIMPLE = {
    pa.bool_(): "BOOLEAN",
    pa.int8(): "TINYINT",
    pa.int16(): "SMALLINT",
    pa.int32(): "INTEGER",
    pa.int64(): "BIGINT",
    pa.float32(): "FLOAT",
    pa.float64(): "DOUBLE",
    pa.string(): "VARCHAR",
    pa.large_string(): "VARCHAR",
    pa.binary(): "BLOB",
    pa.date32(): "DATE",
    pa.timestamp("us"): "TIMESTAMP",
    pa.timestamp("us", "UTC"): "TIMESTAMPTZ",
}


def duck_type(kind: pa.DataType) -> str:
    """``kind`` as DuckDB writes it (``VARCHAR[]``, ``STRUCT("a" BIGINT)``).

    Raises ``KeyError`` for a type that no table should declare.
    """
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return f"{duck_type(kind.value_type)}[]"
    if pa.types.is_struct(kind):
        parts = ", ".join(f"{quoted(f.name)} {duck_type(f.type)}" for f in kind)
        return f"STRUCT({parts})"
    return _SIMPLE[kind]


def quoted(name: str) -> str:
    """``name`` as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """``text`` as an SQL string."""
    return "'" + text.replace("'", "''") + "'"
