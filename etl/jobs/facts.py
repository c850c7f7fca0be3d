"""Evidence facts: what the grading rules look at, from records, words, links and trials."""

from typing import Literal

import duckdb
import pyarrow as pa

import sql
from etl.jobs import shipped
from etl.jobs.links import keep

_BATCH_ROWS = 50_000
KINDS = (
    "cohort",
    "prospective",
    "retrospective",
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
    prepare_facts(con)
    return facts_of_changed(con, as_of_year)


def prepare_facts(con: duckdb.DuckDBPyConnection) -> None:
    """Make what does not depend on ``changed``: MeSH's sets, corrected republications."""
    con.register("publication_type_map", shipped.publication_type_map())
    con.register("rare_headings", shipped.rare_headings())
    keep(con, "heading_sets", "facts/heading_sets")
    keep(con, "corrected", "facts/corrected")


def facts_of_changed(con: duckdb.DuckDBPyConnection, as_of_year: int) -> pa.RecordBatchReader:
    """``facts`` after ``prepare_facts``: ``citations`` need to hold only the changed ones."""
    keep(con, "type_flags", "facts/type_flags")
    keep(con, "linked_trial", "facts/linked_trial")
    keep(con, "retracted", "facts/retracted")
    _keep_cited(con, as_of_year)
    bound = {**_heading_parameters(con), **shipped.preprint_servers()}
    return con.sql(sql.load("facts/facts"), params=bound).to_arrow_reader(_BATCH_ROWS)


def facts_again(con: duckdb.DuckDBPyConnection, as_of_year: int) -> pa.Table:
    """Rows of ``stored_facts`` that guidelines or journal versions make others than they were.

    ``stored_facts`` are facts of records that did not change, ``changed`` their PMIDs.
    """
    _keep_cited(con, as_of_year)
    return con.sql(sql.load("facts/facts_again")).to_arrow_table()


def guideline_references(con: duckdb.DuckDBPyConnection) -> pa.RecordBatchReader:
    """Rows of ``guideline_references`` for the PMIDs of ``changed``."""
    bound = shipped.guideline_types()
    question = sql.load("facts/guideline_references")
    return con.sql(question, params=bound).to_arrow_reader(_BATCH_ROWS)


def _keep_cited(con: duckdb.DuckDBPyConnection, as_of_year: int) -> None:
    keep(con, "superseded", "facts/superseded")
    year = {"as_of_year": as_of_year}
    keep(con, "guideline_cited", "facts/guideline_cites", year)
    keep(con, "guidelines_held", "facts/guidelines_held", year)


def mesh_in_use(con: duckdb.DuckDBPyConnection) -> Literal["loaded", "built-in"]:
    """Whether children of RCT and of Cohort Studies come from the loaded tree or our own list."""
    return "loaded" if con.sql("FROM mesh_tree LIMIT 1").fetchall() else "built-in"


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
