"""From what the sources say to what it is worth: links, facts, grades, of every citation.

A first load, new rules, a new year, month or MeSH recomputes all, range by range of PMIDs, so
that memory stays the same whatever the corpus holds. A day recomputes only the PMIDs that it
can have changed: ``etl/jobs/day.py``.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

import duckdb
import pyarrow as pa

import sql
from etl.jobs.day import derive_changed
from etl.jobs.facts import facts_of_changed, guideline_references, prepare_facts
from etl.jobs.grade import grade, load_profile
from etl.jobs.links import citation_trials, find_pairs, links_of_changed, title_keys
from etl.jobs.metrics import journal_metrics
from etl.jobs.working import Working
from etl.store.schema import TABLES
from etl.store.views import connect

__all__ = ["Working", "derive_all", "derive_changed", "ranges"]

RANGE_ROWS = 1_000_000
PART_ROWS = 400_000  # citations worked out at once: their facts are sorted in memory
MEMORY = "4GB"  # of DuckDB; what does not fit is spilled into the home

Compute = Callable[[duckdb.DuckDBPyConnection], pa.Table | pa.RecordBatchReader]

# Each of one citation's own record, and of nothing else.
OWN: Mapping[str, Compute] = {
    "citation_trials": citation_trials,
    "title_keys": title_keys,
    "guideline_references": guideline_references,
}


def derive_all(work: Working, step: Callable[[str], None]) -> None:
    """Recompute every derived table for every citation."""
    cuts = ranges(work, PART_ROWS)
    step("links")
    _rewrite(work, cuts, _nothing, OWN)
    _rewrite(work, cuts, find_pairs, {"citation_links": links_of_changed})
    step("journals")
    with connect(work.home, work.snapshot, memory_limit=MEMORY) as con:
        work.replace("journal_metrics", journal_metrics(con))
    step("facts")
    year = work.as_of_year
    _rewrite(work, cuts, prepare_facts, {"evidence_facts": lambda con: facts_of_changed(con, year)})
    step("grades")
    profile = load_profile("default")
    _rewrite(work, cuts, _nothing, {"graded": lambda con: grade(con, profile, year)})


def ranges(work: Working, rows: int | None = None) -> list[tuple[int, int]]:
    """PMID ranges [low, high) that cut the citations into parts of about ``rows`` records."""
    parts = -(-work.state("citations").rows // (rows or RANGE_ROWS))
    borders: list[int] = []
    if parts > 1:
        with connect(work.home, work.snapshot) as con:
            found = con.execute(sql.load("derive/bounds"), {"parts": parts}).fetchall()
        borders = sorted(set(found[0][0]))
    edges = [0, *borders, 2**62]
    return list(pairwise(edges))


def _rewrite(
    work: Working,
    cuts: list[tuple[int, int]],
    prepare: Callable[[duckdb.DuckDBPyConnection], None],
    computed: Mapping[str, Compute],
) -> None:
    with connect(work.home, work.snapshot, memory_limit=MEMORY) as con:
        prepare(con)
        for table, compute in computed.items():
            work.replace(table, _parts(con, table, cuts, compute), work.next_id)


def _parts(
    con: duckdb.DuckDBPyConnection, table: str, cuts: list[tuple[int, int]], compute: Compute
) -> Iterator[pa.Table]:
    """The rows of ``table`` range by range, in the order in which they are stored."""
    order = [(key, "ascending") for key in TABLES[table].sort]
    for low, high in cuts:
        con.execute("SET VARIABLE low = $low", {"low": low})
        con.execute("SET VARIABLE high = $high", {"high": high})
        con.execute(sql.load("derive/range"))
        rows = compute(con)
        yield (rows if isinstance(rows, pa.Table) else rows.read_all()).sort_by(order)


def _nothing(con: duckdb.DuckDBPyConnection) -> None:
    """Nothing to prepare."""
