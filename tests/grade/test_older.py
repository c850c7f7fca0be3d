"""A warehouse whose files were written before a column was declared."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from etl.jobs import refresh as job
from etl.jobs.refresh import Request, refresh
from etl.store.home import Home, open_home
from etl.store.snapshot import current
from etl.store.views import connect
from tests.e2e.test_daily import tables
from tests.pubmed_xml import RCT, article, write

NEW = {"citation_signals": "says_registry_data", "evidence_facts": "has_registry_heading"}


def _without_new_columns(home: Home) -> None:
    snapshot = current(home)
    assert snapshot
    for table, column in NEW.items():
        for file in snapshot.tables[table].files:
            path = home.root / file.path
            pq.write_table(pq.read_table(path).drop_columns([column]), path)


def test_older_files_are_read_and_worked_out_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = tmp_path / "pubmed"
    files.mkdir()
    write(files / "1.xml", article(1, "gout", types=[RCT]), article(2, "mumps in cows"))
    home = open_home(tmp_path / "home")
    refresh(home, Request(pubmed=(str(files),)))
    whole = tables(home)
    _without_new_columns(home)
    with connect(home) as con:
        facts = con.sql("select has_registry_heading, is_rct from evidence_facts order by pmid")
        assert facts.fetchall() == [(None, True), (None, False)]
    # as if an earlier program had made it
    monkeypatch.setattr(job, "RULE_VERSION", "another")
    monkeypatch.setattr(job, "EXTRACTOR_VERSION", "another")
    refresh(home, Request())
    monkeypatch.undo()
    assert tables(home) == whole
