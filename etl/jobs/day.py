"""A day's work: links, facts and grades of what the day can have changed, and of nothing else.

Own records are read from the day's deliveries. What other records say of them is read from
narrow stored tables (links, title keys, references of guidelines), never from the citations.
"""

from collections.abc import Callable
from dataclasses import replace

import duckdb
import pyarrow as pa

import sql
from etl.jobs import facts, links
from etl.jobs.grade import grade_rows, load_profile
from etl.jobs.working import Working, first_column, union
from etl.store import tables as store
from etl.store.schema import TABLES, conform
from etl.store.views import connect, keep_rows

# What title keys, trials, links and guideline references look at of a record.
_OF_RECORDS = (
    "pmid", "year", "title", "abstract", "authors", "journal", "journal_abbreviation",
    "journal_nlm_id", "publication_types", "publication_type_uis", "data_banks",
    "comments_corrections", "cited_pmids",
)  # fmt: skip
# What facts look at.
_OF_FACTS = (
    "pmid", "year", "journal", "journal_abbreviation", "journal_nlm_id", "publication_types",
    "publication_type_uis", "mesh_uis", "mesh_headings", "coi_statement",
)  # fmt: skip
# Tables that a warehouse of an earlier version lacks, and what they come from.
_FROM_RECORDS = {
    "title_keys": links.title_keys,
    "guideline_references": facts.guideline_references,
}


def derive_changed(work: Working, changed: pa.Array, step: Callable[[str], None]) -> pa.Array:
    """Recompute what the changed citations and trials touch; returns the PMIDs graded again.

    ``changed`` are all citations whose visible record is not that of the last commit, deleted
    ones too.
    """
    _make_missing(work)
    step("links")
    registry = _registry_changed(work)
    _put_own(work, changed, registry)
    linked = _put_links(work, changed)
    step("facts")
    touched, rows = _facts(work, changed, registry, linked)
    work.put("evidence_facts", touched, rows)
    step("grades")
    graded = grade_rows(rows, load_profile("default"), work.as_of_year)
    return _put_grades(work, changed, graded)


def _make_missing(work: Working) -> None:
    for table, compute in _FROM_RECORDS.items():
        if table not in work.before.tables:
            with connect(work.home, work.before) as con:
                con.execute("CREATE TEMP TABLE changed AS SELECT pmid FROM citations")
                file = work.write(table, compute(con), work.next_id)
            made = {table: store.replace(work.home, table, [file])}
            # as if the last commit had it: what the day changes is told against it
            work.before = replace(work.before, tables={**work.before.tables, **made})


# -- of a record itself ------------------------------------------------------------------------


def _put_own(work: Working, changed: pa.Array, registry: pa.Array) -> None:
    """What a record says by itself, and which trials the registry ties it to."""
    with work.now_and_before() as con:
        _register(con, "own", changed)
        _register(con, "registry", registry)
        con.execute("CREATE TEMP TABLE changed AS FROM own")
        keep_rows(con, work.home, work.snapshot, "citations", "own", columns=_OF_RECORDS)
        work.put("title_keys", changed, links.title_keys(con).read_all())
        references = facts.guideline_references(con).read_all()
        _put_touched(work, con, "guideline_references", references)
        con.execute("CREATE OR REPLACE TEMP TABLE changed AS " + sql.load("derive/tied"))
        con.register("said", links.citation_trials(con).read_all())
        rows = con.sql(sql.load("derive/trials_of_tied")).to_arrow_table()
        con.execute("CREATE OR REPLACE TEMP TABLE changed AS FROM own UNION FROM registry")
        _put_touched(work, con, "citation_trials", rows)


def _put_touched(work: Working, con: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    """Put ``rows`` for those of ``changed`` that have some, or had; others need no mark."""
    con.register("rows_now", rows)
    con.execute(f"CREATE OR REPLACE TEMP VIEW rows_before AS FROM memory.main.{table}")
    work.put(table, first_column(con.sql(sql.load("derive/with_rows"))), rows)


# -- between records ---------------------------------------------------------------------------


def _put_links(work: Working, changed: pa.Array) -> pa.Array:
    """Relations of the changed records, and the pairs that they make, part or hold; those PMIDs."""
    with work.now_and_before() as con:
        _register(con, "own", changed)
        keep_rows(con, work.home, work.snapshot, "citations", "own", columns=_OF_RECORDS)
        con.execute(sql.load("links/relation"))
        links.keep(con, "said", "derive/said")
        con.execute(sql.load("derive/relation"))
        links.keep(con, "preprint", "links/preprint")
        links.keep(con, "preprint_key", "links/preprint_keys")
        keep_rows(con, work.home, work.snapshot, "title_keys", "own", name="own_key")
        links.keep(con, "named", "derive/named", {"year_span": links.YEAR_SPAN})
        links.keep(con, "asked_preprint", "derive/asked_preprint")
        _pair(work, con)
        links.keep(con, "linked", "derive/linked")
        links.keep(con, "changed", "derive/linked_existing")
        rows = links.links_of_changed(con).read_all()
        linked = first_column(con.sql("FROM linked ORDER BY pmid"))
        con.execute("CREATE OR REPLACE TEMP TABLE changed AS FROM linked")
        _put_touched(work, con, "citation_links", rows)
        return linked


def _pair(work: Working, con: duckdb.DuckDBPyConnection) -> None:
    """Make ``pair``: of the asked preprints anew, of the others as it was."""
    links.find_candidates(con)
    links.keep(con, "compared_pmid", "derive/compared")
    columns = ("pmid", "title", "authors")
    keep_rows(con, work.home, work.snapshot, "citations", "compared_pmid", columns=columns)
    links.compare_candidates(con)
    con.execute("INSERT INTO pair " + sql.load("derive/kept_pairs"))


# -- what grading looks at ---------------------------------------------------------------------


def _facts(
    work: Working, changed: pa.Array, registry: pa.Array, linked: pa.Array
) -> tuple[pa.Array, pa.Table]:
    """PMIDs whose facts are, or may be, others than they were, and these facts."""
    with work.now_and_before() as con:
        for name, pmids in (("own", changed), ("registry", registry), ("linked", linked)):
            _register(con, name, pmids)
        links.keep(con, "whole", "derive/facts_whole")
        links.keep(con, "part", "derive/facts_part", {"as_of_year": work.as_of_year})
        again = _facts_in_part(work, con)
        anew = _facts_anew(work, con)
    rows = pa.concat_tables([anew, again])
    return union(changed, rows.column("pmid").combine_chunks()), rows


def _facts_in_part(work: Working, con: duckdb.DuckDBPyConnection) -> pa.Table:
    """Facts of records that did not change, where a guideline or a journal version did."""
    keep_rows(con, work.home, work.snapshot, "evidence_facts", "part", name="stored_facts")
    con.execute("CREATE OR REPLACE TEMP TABLE changed AS SELECT pmid FROM stored_facts")
    return conform(TABLES["evidence_facts"], facts.facts_again(con, work.as_of_year))


def _facts_anew(work: Working, con: duckdb.DuckDBPyConnection) -> pa.Table:
    """Facts from the records."""
    links.keep(con, "read", "derive/facts_read")
    keep_rows(con, work.home, work.snapshot, "citations", "read", columns=_OF_FACTS)
    keep_rows(con, work.home, work.snapshot, "citation_signals", "whole")
    con.execute("CREATE OR REPLACE TEMP TABLE changed AS FROM whole")
    facts.prepare_facts(con)
    rows = facts.facts_of_changed(con, work.as_of_year).read_all()
    return conform(TABLES["evidence_facts"], rows)


def _put_grades(work: Working, changed: pa.Array, graded: pa.Table) -> pa.Array:
    """Put grades of the day's records, and of others where they differ; returns those PMIDs.

    Most of what a guideline cites keeps its grade: it need not be written nor indexed again.
    """
    graded = conform(TABLES["graded"], graded)
    with connect(work.home, work.snapshot) as con:
        _register(con, "own", changed)
        con.register("graded_now", graded)
        others = (
            "CREATE TEMP TABLE others AS SELECT pmid FROM graded_now ANTI JOIN own USING (pmid)"
        )
        con.execute(others)
        keep_rows(con, work.home, work.snapshot, "graded", "others", name="graded_before")
        rows = con.sql(sql.load("derive/regraded")).to_arrow_table()
    touched = union(changed, rows.column("pmid").combine_chunks())
    work.put("graded", touched, rows)
    return touched


def _registry_changed(work: Working) -> pa.Array:
    """Citations whose registry entries the new AACT delivery changed."""
    if not ({"trials", "trial_references"} & work.tables.keys()):
        return pa.array([], pa.int64())
    inputs: dict[str, pa.Table] = {}
    for when, snapshot in (("before", work.before), ("now", work.snapshot)):
        with connect(work.home, snapshot) as con:
            for what in ("papers", "facts"):
                rows = con.sql(sql.load(f"derive/registry_{what}"))
                inputs[f"{what}_{when}"] = rows.to_arrow_table()
    with connect(work.home, work.before) as con:
        for name, rows in inputs.items():
            con.register(name, rows)
        return first_column(con.sql(sql.load("derive/registry_changed")))


def _register(con: duckdb.DuckDBPyConnection, name: str, pmids: pa.Array) -> None:
    con.register(name, pa.table({"pmid": pmids}))
