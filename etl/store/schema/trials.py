"""``trials`` and the AACT tables that answer questions (schema ``ctgov``)."""

from etl.store.schema.declare import Table

TABLES: tuple[Table, ...] = ()
