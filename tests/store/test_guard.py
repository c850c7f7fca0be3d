"""Users' SQL reads the views and nothing else; each attempt below is refused by each door."""

from pathlib import Path

import duckdb
import pytest
from store_helpers import LINKS, put

from etl.errors import QueryError
from etl.store.guard import is_read_only, lock_down
from etl.store.home import Home
from etl.store.snapshot import Snapshot, TableState
from etl.store.tables import apply
from etl.store.views import connect

READS = [
    "select 1",
    "  -- a note\n select pmid from citation_trials where pmid in (1, 2) /* end */ ;",
    "from citation_trials",
    "values (1), (2)",
    "with a as (select 1 as x) select * from a",
    "with recursive a(x) as (select 1 union all select x + 1 from a where x < 3) from a",
    "select * from range(3)",
    "select unnest([1, 2])",
    "describe citation_trials",
    "show tables",
    "summarize citation_trials",
    "explain select * from citation_trials",
    "explain analyze select * from citation_trials",
    "pivot citation_trials on source in ('databank') using count(*)",
    "select table_name from information_schema.tables",
    "select count(*) from citation_trials semi join graded using (pmid)",
    "select 'read_csv(''/etc/passwd'')' as words",
]
HOSTILE = [
    "select * from read_text('/etc/passwd')",
    "select * from READ_CSV('/etc/passwd')",
    "select * from main.read_csv_auto('/etc/passwd')",
    "select * from read_parquet('/etc/x.parquet')",
    "select * from parquet_scan('/etc/x.parquet')",
    "select * from parquet_metadata('/etc/x.parquet')",
    "select * from read_blob('/etc/passwd')",
    "select * from read_json('/etc/passwd')",
    "select * from sniff_csv('/etc/passwd')",
    "select * from glob('/etc/*')",
    "select * from '/etc/passwd.csv'",
    'select * from "/etc/passwd.csv"',
    "from 'x.parquet'",
    "from 's3://bucket/x'",
    "select (select count(*) from read_text('/etc/passwd'))",
    "select 1 where exists (from glob('*'))",
    "with a as (select * from read_text('/etc/passwd')) select * from a",
    "select * from query('select * from read_text(''/etc/passwd'')')",
    "select * from query_table('citation_trials')",
    "select * from json_execute_serialized_sql('{}')",
    "select getenv('HOME')",
    "copy (select 1) to '/tmp/evidence_out.csv'",
    "copy citation_trials from '/tmp/evidence_in.csv'",
    "attach ':memory:' as other",
    "attach '/tmp/evidence_other.db'",
    "install httpfs",
    "load httpfs",
    "set memory_limit = '1GB'",
    "reset memory_limit",
    "pragma version",
    "call range(1)",
    "create table t as select 1",
    "create view v as select 1",
    "create secret s (type s3)",
    "drop view citation_trials",
    "insert into citation_trials values (1, 'x', 'y')",
    "update citation_trials set pmid = 1",
    "delete from citation_trials",
    "export database '/tmp/evidence_export'",
    "vacuum",
    "checkpoint",
    "begin",
    "prepare p as select 1",
    "explain insert into citation_trials values (1, 'x', 'y')",
    "explain analyze copy (select 1) to '/tmp/evidence_out.csv'",
    "/* x */ explain /* y */ analyze create table t as select 1",
    "with a as (insert into t values (1) returning 1) select * from a",
    "pivot citation_trials on source",
    "select 1; select 2",
    "select 1; drop view citation_trials",
    "",
    "-- nothing",
    "select [",
    "selekt 1",
]


@pytest.mark.parametrize("statement", READS)
def test_reading_passes(home: Home, statement: str) -> None:
    is_read_only(statement)
    with connect(home, _snapshot(home)) as con:
        lock_down(con, home)
        con.execute(statement).fetchall()


@pytest.mark.parametrize("statement", HOSTILE)
def test_anything_else_is_refused_in_one_line(statement: str) -> None:
    with pytest.raises(QueryError) as refused:
        is_read_only(statement)
    assert "\n" not in str(refused.value)


FILES = [s for s in HOSTILE if "/" in s and "/*" not in s and "'s3:" not in s] + ["install httpfs"]


@pytest.mark.parametrize("statement", FILES)
def test_the_engine_refuses_files_by_itself(home: Home, statement: str) -> None:
    with connect(home, _snapshot(home)) as con:
        lock_down(con, home)
        with pytest.raises(duckdb.Error):
            con.execute(statement)
    assert not Path("/tmp/evidence_out.csv").exists()


def test_the_warehouse_stays_readable_and_the_lock_stays_shut(home: Home) -> None:
    with connect(home, _snapshot(home)) as con:
        lock_down(con, home)
        assert con.execute(f"select count(*) from {LINKS}").fetchall() == [(3,)]
        with pytest.raises(duckdb.Error):
            con.execute("set enable_external_access = true")
        with pytest.raises(duckdb.Error):
            con.execute("set lock_configuration = false")


def _snapshot(home: Home) -> Snapshot:
    state, _ = apply(home, LINKS, TableState(), [put(home, 1, [1, 2, 3])])
    return Snapshot(1, "2026-01-01T00:00:00+00:00", {LINKS: state})
