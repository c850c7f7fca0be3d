"""The data dictionary is written from the declarations and is complete."""

from pathlib import Path

import pytest

from etl.store import dictionary
from etl.store.duck_types import duck_type
from etl.store.schema import TABLES, Column


def test_the_committed_dictionary_is_up_to_date() -> None:
    assert dictionary.is_current(), "run python -m etl.store.dictionary"


def test_check_fails_when_it_is_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dictionary, "PLACE", tmp_path / "docs" / "data-dictionary.md")
    monkeypatch.setattr(dictionary, "is_current", lambda: False)
    assert dictionary.main(["--check"]) == 1
    assert "python -m etl.store.dictionary" in capsys.readouterr().err


EVERY = [(t.name, c) for t in TABLES.values() for c in t.columns]


@pytest.mark.parametrize(("table", "column"), EVERY, ids=[f"{t}.{c.name}" for t, c in EVERY])
def test_every_column_says_what_it_means(table: str, column: Column) -> None:
    assert len(column.about.strip()) > 3
    assert "\n" not in column.about
    assert duck_type(column.type)


@pytest.mark.parametrize("table", sorted(TABLES))
def test_every_table_has_a_grain_and_a_key_among_its_columns(table: str) -> None:
    declared = TABLES[table]
    names = [c.name for c in declared.columns]
    assert declared.grain
    assert len(names) == len(set(names))
    assert set(declared.sort) <= set(names)
    if declared.layout == "keyed":
        assert declared.sort[0] == "pmid"
