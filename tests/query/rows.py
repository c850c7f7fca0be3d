"""Invented rows in the declared shapes, and connections that show them."""

from collections.abc import Iterable, Mapping
from typing import Any

import duckdb
import pyarrow as pa

from etl.store.schema import TABLES, Column

Row = Mapping[str, Any]
INDEXED = (
    "citations",
    "graded",
    "mesh_descriptors",
    "mesh_tree",
    "trials",
    "trial_brief_summaries",
    "trial_conditions",
    "trial_keywords",
    "trial_interventions",
    "trial_browse_conditions",
    "trial_browse_interventions",
    "trial_sponsors",
)


def default(column: Column) -> Any:
    """The emptiest value that ``column`` may hold."""
    if column.nullable:
        return None
    if column.codes:
        return column.codes[-1]
    kind = column.type
    if pa.types.is_list(kind):
        return []
    if pa.types.is_boolean(kind):
        return False
    return "" if pa.types.is_string(kind) else 0


def table(name: str, rows: Iterable[Row]) -> pa.Table:
    """``rows`` as the declared table ``name``; what a row does not say is empty."""
    declared = TABLES[name]
    found = list(rows)
    columns = {
        c.name: pa.array([row.get(c.name, default(c)) for row in found], c.type)
        for c in declared.columns
    }
    return pa.table(columns, schema=declared.arrow)


def connection(**tables: pa.Table | list[Row]) -> duckdb.DuckDBPyConnection:
    """A connection with a table of every name the index reads."""
    con = duckdb.connect()
    for name in INDEXED:
        given = tables.get(name, [])
        rows = given if isinstance(given, pa.Table) else table(name, given)
        con.register("given", rows)
        con.execute(f"create table {name} as select * from given")
        con.unregister("given")
    return con


def heading(name: str, ui: str | None = None, major: bool = False, **qualifiers: bool) -> Row:
    """A heading; qualifiers by name with ``_`` for a space, true when major."""
    said = [
        {"ui": None, "name": q.replace("_", " "), "major": star} for q, star in qualifiers.items()
    ]
    return {"ui": ui, "name": name, "major": major, "qualifiers": said}


def citation(pmid: int, title: str | None = None, abstract: str | None = None, **more: Any) -> Row:
    """A citation as the parser would give it."""
    headings = more.get("mesh_terms", [])
    types = more.get("publication_types", [])
    return {
        "pmid": pmid,
        "version": 1,
        "record_type": "article",
        "title": title,
        "abstract": abstract,
        "mesh_headings": [h["name"] for h in headings],
        "mesh_uis": [h["ui"] for h in headings],
        "publication_type_uis": [None] * len(types),
        "languages": ["eng"],
        "status": "MEDLINE",
        "publication_date_precision": "unknown",
        **more,
    }


def grade(pmid: int, letter: str, design: str = "none", **more: Any) -> Row:
    """A graded row."""
    return {
        "pmid": pmid,
        "grade": letter,
        "grade_label": letter,
        "grade_base": letter,
        "design": design,
        "grade_rationale": f"graded {letter}",
        "rule_version": "test",
        **more,
    }


def descriptor(ui: str, name: str, *terms: str, kind: str = "1") -> Row:
    """A MeSH descriptor."""
    return {"ui": ui, "name": name, "entry_terms": list(terms), "descriptor_class": kind}


def places(**by_ui: list[str]) -> list[Row]:
    """Tree places by UI."""
    return [{"ui": ui, "tree_number": n} for ui, numbers in by_ui.items() for n in numbers]
