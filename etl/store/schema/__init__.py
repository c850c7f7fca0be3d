"""Every stored table, declared once: columns, Arrow types, nullability, keys, meaning.

``TABLES`` maps a table's name to its declaration. ``conform`` is the only door to the disk:
rows that do not fit are refused, never silently nulled. ``docs/data-dictionary.md`` and the
comments visible in DuckDB are generated from the same declarations.
"""

from etl.store.schema import evidence, mesh, pubmed, trials
from etl.store.schema.declare import Column, Layout, Table, conform

TABLES: dict[str, Table] = {
    table.name: table for table in (*pubmed.TABLES, *trials.TABLES, *mesh.TABLES, *evidence.TABLES)
}

__all__ = ["TABLES", "Column", "Layout", "Table", "conform"]
