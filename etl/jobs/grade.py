"""Grades: the one rule text over the whole corpus, or over one small Arrow table."""

from typing import Any

import duckdb
import pyarrow as pa

import sql
from etl.jobs.profile import Profile, load_profile
from etl.store.duck import open_duckdb

__all__ = ["RULE_VERSION", "Profile", "grade", "grade_rows", "load_profile"]

# Raised whenever a grade can change: major for a rule, minor for a fact that rules look at,
# patch for the words of a rationale.
RULE_VERSION = "2.0.0"

_BATCH_ROWS = 100_000


def parameters(profile: Profile, as_of_year: int) -> dict[str, Any]:
    """Everything that ``sql/grade/rules.sql`` binds."""
    return {**profile.parameters, "as_of_year": as_of_year, "rule_version": RULE_VERSION}


def grade(
    con: duckdb.DuckDBPyConnection, profile: Profile, as_of_year: int
) -> pa.RecordBatchReader:
    """Grades of all rows of the view ``evidence_facts``: rows of the table ``graded``.

    ``as_of_year`` is the year against which age is measured (S-4). Rows come in no set order;
    the reader holds the connection until it is read to its end.
    """
    bound = parameters(profile, as_of_year)
    return con.sql(sql.load("grade/rules"), params=bound).to_arrow_reader(_BATCH_ROWS)


def grade_rows(facts: pa.Table, profile: Profile, as_of_year: int) -> pa.Table:
    """Grades of a small table of facts (columns of ``evidence_facts``), in the order given."""
    with open_duckdb() as con:
        con.register("evidence_facts", facts)
        return grade(con, profile, as_of_year).read_all()
