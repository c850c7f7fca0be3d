"""Fixtures of the registry's tests."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pytest

from etl.sources.trials.aact import AactReport, load
from etl.sources.trials.restore import restore
from etl.store.schema import TABLES, conform
from tests.postgres import Server, database, new_database, server

__all__ = ["database", "server"]


@dataclass(frozen=True)
class Loaded:
    """What ``load`` wrote, every table checked against its declaration."""

    tables: dict[str, pa.Table]
    report: AactReport


def load_all(source: str | Path, **options) -> Loaded:
    tables: dict[str, pa.Table] = {}

    def write(name: str, batches: Iterable[pa.Table]) -> None:
        assert name not in tables
        rows = pa.concat_tables([TABLES[name].arrow.empty_table(), *batches])
        tables[name] = conform(TABLES[name], rows)

    report = load(str(source), write, **options)
    return Loaded(tables, report)


@pytest.fixture(scope="session")
def aact(shared_data: Path) -> Path:
    """Folder of the real-shaped snapshot."""
    return shared_data / "aact"


@pytest.fixture(scope="session")
def from_dump(aact: Path) -> Loaded:
    return load_all(aact / "20261130_clinical_trials_ctgov.zip")


@pytest.fixture(scope="session")
def from_flat(aact: Path) -> Loaded:
    return load_all(aact / "20261130_export_ctgov.zip")


@pytest.fixture(scope="session")
def restored(aact: Path, server: Server):
    """DSN of a database that holds the snapshot."""
    with new_database(server) as dsn:
        restore(str(aact / "20261130_clinical_trials_ctgov.zip"), dsn)
        yield dsn


@pytest.fixture(scope="session")
def from_live(restored: str) -> Loaded:
    return load_all(restored)


Row = Callable[[str], dict]


@pytest.fixture(scope="session")
def trial(from_dump: Loaded) -> Row:
    """The row of ``trials`` of one study."""
    rows = {row["nct_id"]: row for row in from_dump.tables["trials"].to_pylist()}
    return rows.__getitem__
