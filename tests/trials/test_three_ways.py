"""The same snapshot from its dump, its flat export and a live PostgreSQL is the same tables."""

import re

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from etl.sources.trials.aact import NAMES
from etl.store.schema import TABLES
from tests.trials.conftest import Loaded


def as_exported(text: str | None) -> str | None:
    """What the flat export makes of a text: its documented losses, and no others.

    AACT writes CSV, deletes every doubled quote, and makes one ``~`` of each line feed with
    the white space character behind it.
    """
    if text is None:
        return None
    cell = text
    if re.search(r'[|"\r\n]', text) or text in ("", "\\."):
        cell = '"' + text.replace('"', '""') + '"'
    cell = re.sub(r"\n[ \t\r\n\f\v]?", "~", cell.replace('""', ""))
    cell = cell[1:-1] if cell.startswith('"') else cell
    return cell or None


def in_order(table: pa.Table) -> pa.Table:
    keys = [(name, "ascending") for name in table.column_names]
    return table.sort_by(keys)


@pytest.mark.parametrize("name", NAMES)
def test_dump_and_live_database_agree_in_every_cell(
    name: str, from_dump: Loaded, from_live: Loaded
) -> None:
    assert in_order(from_dump.tables[name]).equals(in_order(from_live.tables[name]))


@pytest.mark.parametrize("name", NAMES)
def test_flat_export_differs_only_by_its_own_losses(
    name: str, from_dump: Loaded, from_flat: Loaded
) -> None:
    exact, flat = from_dump.tables[name], from_flat.tables[name]
    columns = [
        pa.array([as_exported(v) for v in exact.column(c.name).to_pylist()], pa.string())
        if c.type == pa.string()
        else exact.column(c.name)
        for c in TABLES[name].columns
    ]
    expected = pa.table(columns, TABLES[name].arrow)
    assert in_order(expected).equals(in_order(flat))


def test_every_declared_table_was_loaded(from_dump: Loaded, from_live: Loaded) -> None:
    assert set(from_dump.tables) == set(NAMES)
    assert from_dump.report.rows == from_live.report.rows
    assert from_dump.report.rows["trials"] == 7610
    assert from_dump.report.missing_tables == []
    assert from_dump.report.missing_columns == from_dump.report.unknown_columns == {}


def test_the_report_says_the_kind_and_the_date(
    from_dump: Loaded, from_flat: Loaded, from_live: Loaded
) -> None:
    kinds = [(x.report.kind, x.report.snapshot_date) for x in (from_dump, from_flat, from_live)]
    assert kinds[:2] == [("dump", "2026-11-30"), ("flat", "2026-11-30")]
    assert kinds[2][0] == "live"
    newest = pc.max(from_dump.tables["trials"].column("last_update_posted_date")).as_py()
    assert kinds[2][1] == newest.isoformat()


def test_the_counts_are_those_of_the_snapshot(from_dump: Loaded) -> None:
    trials = from_dump.tables["trials"]

    def counts(table: pa.Table, column: str) -> dict:
        found = pc.value_counts(table.column(column)).to_pylist()
        return {f["values"]: f["counts"] for f in found}

    assert counts(trials, "enrollment_type") == {"ACTUAL": 2691, "ESTIMATED": 1253, None: 3666}
    assert trials.column("enrollment").null_count == 1879
    assert counts(trials, "phase")["PHASE2/PHASE3"] == 64
    assert counts(trials, "phase")["NA"] == 1073
    references = from_dump.tables["trial_references"]
    assert counts(references, "reference_type") == {
        "BACKGROUND": 18242,
        "RESULT": 3296,
        "DERIVED": 74,
    }
