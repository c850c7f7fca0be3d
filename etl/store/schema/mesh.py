"""``mesh_descriptors`` and ``mesh_tree``: NLM's descriptor file."""

import pyarrow as pa

from etl.store.schema.declare import Column, Layout, Table

TABLES = (
    Table(
        name="mesh_descriptors",
        grain="one MeSH descriptor",
        layout=Layout.WHOLE,
        sort=("ui",),
        columns=(
            Column("ui", pa.string(), "Descriptor UI (D000001)", nullable=False),
            Column("name", pa.string(), "Preferred name", nullable=False),
            Column(
                "entry_terms",
                pa.list_(pa.string()),
                "Other terms of all its concepts",
                nullable=False,
            ),
            Column(
                "scope_note",
                pa.string(),
                "Scope note of the preferred concept; null when the file has none",
            ),
            Column(
                "descriptor_class",
                pa.string(),
                "1 topical, 2 publication type, 3 check tag, 4 geographical",
            ),
            Column("year", pa.int16(), "Year of the MeSH file"),
        ),
    ),
    Table(
        name="mesh_tree",
        grain="one place of a descriptor in the MeSH tree",
        layout=Layout.WHOLE,
        sort=("tree_number",),
        columns=(
            Column("ui", pa.string(), "Descriptor UI", nullable=False),
            Column("tree_number", pa.string(), "Tree number (E05.318.760)", nullable=False),
        ),
    ),
)
