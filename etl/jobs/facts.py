"""Evidence facts: what the grading rules look at, from records, words, links and trials."""

from typing import Any, Literal

import duckdb
import pyarrow as pa

import sql
from etl.jobs import shipped

_BATCH_ROWS = 50_000
KINDS = (
    "cohort",
    "prospective",
    "case_control",
    "cross_sectional",
    "registry",
    "comparative_effectiveness",
    "rare",
)


def facts(con: duckdb.DuckDBPyConnection, as_of_year: int) -> pa.RecordBatchReader:
    """Rows of ``evidence_facts`` for the PMIDs of ``changed``.

    ``as_of_year`` bounds the guidelines that count as recent (S-4). The reader holds the
    connection until it is read to its end; temporary tables are replaced at each call.
    """
    con.register("publication_type_map", shipped.publication_type_map())
    con.register("rare_headings", shipped.rare_headings())
    _keep(con, "heading_sets", "facts/heading_sets")
    _keep(con, "type_flags", "facts/type_flags")
    _keep(con, "linked_trial", "facts/linked_trial")
    _keep(con, "superseded", "facts/superseded")
    _keep(con, "retracted", "facts/retracted")
    guidelines = {**shipped.guideline_types(), "as_of_year": as_of_year}
    _keep(con, "guideline_cited", "facts/guideline_cites", guidelines)
    bound = {**_heading_parameters(con), **shipped.preprint_servers()}
    return con.sql(sql.load("facts/facts"), params=bound).to_arrow_reader(_BATCH_ROWS)


def affected(con: duckdb.DuckDBPyConnection) -> pa.Array:
    """PMIDs outside ``changed`` whose facts may differ because of what changed.

    Cited by a changed guideline, or the other side of a changed link. int64, distinct.
    """
    found = con.sql(sql.load("facts/affected"), params=shipped.guideline_types())
    return found.to_arrow_table().column("pmid").combine_chunks()


def mesh_in_use(con: duckdb.DuckDBPyConnection) -> Literal["loaded", "built-in"]:
    """Whether children of RCT and of Cohort Studies come from the loaded tree or our own list."""
    return "loaded" if con.sql("FROM mesh_tree LIMIT 1").fetchall() else "built-in"


def _keep(
    con: duckdb.DuckDBPyConnection, table: str, name: str, bound: dict[str, Any] | None = None
) -> None:
    con.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS {sql.load(name)}", bound or {})


def _heading_parameters(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    bound: dict[str, list[str]] = {
        f"{kind}_{part}": [] for kind in KINDS for part in ("uis", "names")
    }
    found = con.execute("SELECT kind, ui, name FROM heading_sets ORDER BY ALL").fetchall()
    for kind, ui, name in found:
        if kind in KINDS:
            bound[f"{kind}_uis"].append(ui)
            if name:
                bound[f"{kind}_names"].append(name)
    return bound
