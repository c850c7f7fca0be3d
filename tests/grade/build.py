"""Invented rows in the declared shapes: a test names what matters, the rest is empty."""

from collections.abc import Iterable, Mapping
from typing import Any

import duckdb
import pyarrow as pa

from etl.jobs.facts import facts, guideline_references
from etl.jobs.grade import grade_rows, load_profile
from etl.jobs.links import citation_links, citation_trials, title_keys
from etl.store.schema import TABLES, conform

YEAR = 2026
Row = dict[str, Any]

# The columns of the registry that facts and links look at.
TRIALS = pa.schema(
    [
        ("nct_id", pa.string()),
        ("enrollment", pa.int64()),
        ("enrollment_type", pa.string()),
        ("number_of_facilities", pa.int32()),
    ]
)
REFERENCES = pa.schema(
    [("pmid", pa.int64()), ("nct_id", pa.string()), ("reference_type", pa.string())]
)

TYPE_UIS = {
    "Journal Article": "D016428",
    "Randomized Controlled Trial": "D016449",
    "Review": "D016454",
    "Letter": "D016422",
    "Meta-Analysis": "D017418",
    "Systematic Review": "D000078182",
}


def _empty(column: Any) -> Any:
    if column.nullable:
        return None
    if column.codes:
        return "none" if "none" in column.codes else column.codes[0]
    if pa.types.is_list(column.type):
        return []
    if pa.types.is_boolean(column.type):
        return False
    return "" if pa.types.is_string(column.type) else 0


def row(table: str, **given: Any) -> Row:
    """One row of a declared table; unknown names are a fault of the test."""
    columns = {c.name: c for c in TABLES[table].columns}
    unknown = set(given) - set(columns)
    assert not unknown, unknown
    return {name: given.get(name, _empty(column)) for name, column in columns.items()}


def table(name: str, rows: Iterable[Row]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=TABLES[name].arrow)


def citation(
    pmid: int,
    types: Iterable[str] = ("Journal Article",),
    headings: Iterable[tuple[str | None, str]] = (),
    **given: Any,
) -> Row:
    """A citation of 2024 with publication types by name and headings as (UI, name)."""
    names, pairs = list(types), list(headings)
    defaults: Row = {
        "version": 1,
        "record_type": "article",
        "year": 2024,
        "publication_types": names,
        "publication_type_uis": [TYPE_UIS.get(name) for name in names],
        "mesh_uis": [ui for ui, _ in pairs],
        "mesh_headings": [name for _, name in pairs],
        "publication_date_precision": "year",
    }
    return row("citations", pmid=pmid, **{**defaults, **given})


def signals(pmid: int, **given: Any) -> Row:
    if given.get("sample_size") and "sample_size_source" not in given:
        given["sample_size_source"] = "abstract"
    if given.get("design_inferred") and "design_probability" not in given:
        given["design_probability"] = 0.9
    return row("citation_signals", pmid=pmid, extractor_version="test", **given)


def correction(ref_type: str, pmid: int | None) -> Row:
    return {"ref_type": ref_type, "pmid": pmid, "source": None, "note": None}


def warehouse(
    citations: Iterable[Row],
    *,
    signals: Iterable[Row] = (),
    trials: Iterable[Mapping[str, Any]] = (),
    references: Iterable[Mapping[str, Any]] = (),
    tree: Iterable[tuple[str, str]] = (),
    metrics: Iterable[Row] = (),
    changed: Iterable[int] | None = None,
) -> duckdb.DuckDBPyConnection:
    """A connection with every view that the jobs read; links are worked out, not given."""
    con = duckdb.connect(config={"threads": 1})
    rows = list(citations)
    con.register("citations", table("citations", rows))
    con.register("citation_signals", table("citation_signals", signals))
    con.register("journal_metrics", table("journal_metrics", metrics))
    con.register("trials", pa.Table.from_pylist([dict(t) for t in trials], schema=TRIALS))
    con.register(
        "trial_references", pa.Table.from_pylist([dict(r) for r in references], schema=REFERENCES)
    )
    places = [{"ui": ui, "tree_number": place} for ui, place in tree]
    con.register("mesh_tree", table("mesh_tree", places))
    all_pmids = [r["pmid"] for r in rows]
    con.register("changed", pa.table({"pmid": pa.array(all_pmids, pa.int64())}))
    con.register("title_keys", conformed("title_keys", title_keys(con)))
    references_of = conformed("guideline_references", guideline_references(con))
    con.register("guideline_references", references_of)
    pmids = all_pmids if changed is None else list(changed)
    con.register("changed", pa.table({"pmid": pa.array(pmids, pa.int64())}))
    con.register("citation_trials", conformed("citation_trials", citation_trials(con)))
    con.register("citation_links", conformed("citation_links", citation_links(con)))
    return con


def conformed(name: str, reader: pa.RecordBatchReader) -> pa.Table:
    return conform(TABLES[name], reader.read_all())


def facts_table(con: duckdb.DuckDBPyConnection) -> pa.Table:
    return conformed("evidence_facts", facts(con, YEAR))


def facts_of(con: duckdb.DuckDBPyConnection) -> dict[int, Row]:
    rows = facts_table(con).to_pylist()
    assert len(rows) == len({r["pmid"] for r in rows})
    return {r["pmid"]: r for r in rows}


def grades_of(
    con: duckdb.DuckDBPyConnection, profile: str = "default", **keep: bool
) -> dict[int, Row]:
    graded = grade_rows(facts_table(con), load_profile(profile).keeping(**keep), YEAR)
    return {r["pmid"]: r for r in conform(TABLES["graded"], graded).to_pylist()}
