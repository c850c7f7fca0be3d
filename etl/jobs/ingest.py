"""One PubMed file to Parquet: citations as delivered, and what their words say.

The map over files that a refresh runs; pure in its inputs, so any executor may run it anywhere
that sees the same home.
"""

import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import pyarrow as pa

import sql
from etl.errors import SourceError
from etl.jobs.plan import Failure, Planned
from etl.sources.pubmed.parse import to_table
from etl.store.home import Home
from etl.store.snapshot import DataFile, Snapshot
from etl.store.tables import Change, write_file
from etl.store.views import connect
from etl.text.extract import extract


@dataclass(frozen=True)
class Ingested:
    """What one delivered file became; no ``citations`` and ``signals`` when it only deletes."""

    planned: Planned
    citations: DataFile | None
    signals: DataFile | None
    touched: pa.Table
    records: int
    deletes: int
    unknown_elements: dict[str, int]

    def change(self, table: str) -> Change:
        """The same change as seen by ``citations`` or ``citation_signals``."""
        rows = self.citations if table == "citations" else self.signals
        return Change(self.planned.seq, rows, self.touched)


def ingest_file(home: Home, planned: Planned) -> Ingested:
    """Parse one file, write its citations and its signals. Raises ``SourceError``."""
    rows, parsed = to_table(planned.file.path, planned.seq)
    citations = signals = None
    if rows.num_rows:
        name = unique_name(planned.file.name, planned.seq)
        citations = write_file(home, "citations", rows, planned.seq, name)
        signals = write_file(home, "citation_signals", extract(rows), planned.seq, name)
    return Ingested(
        planned,
        citations,
        signals,
        parsed.touched,
        parsed.citations + parsed.books,
        parsed.deletes,
        dict(parsed.unknown_elements),
    )


def signals_again(
    home: Home,
    snapshot: Snapshot,
    ranges: Sequence[tuple[int, int]],
    pool: Executor | None,
    step: Callable[[str], None],
) -> list[DataFile]:
    """Signals of all stored citations by the present extractors; the XML is not needed."""
    jobs = [(home, snapshot, low, high) for low, high in ranges]
    results = map(_signals_of, jobs) if pool is None else pool.map(_signals_of, jobs)
    files: list[DataFile] = []
    for file in results:
        files += [file] if file else []
        step("words")
    return files


def _signals_of(job: tuple[Home, Snapshot, int, int]) -> DataFile | None:
    home, snapshot, low, high = job
    with connect(home, snapshot) as con:
        bounds = {"low": low, "high": high}
        rows = con.sql(sql.load("derive/words"), params=bounds).to_arrow_table()
    if not rows.num_rows:
        return None
    name = unique_name("words", snapshot.id + 1)
    return write_file(home, "citation_signals", extract(rows), snapshot.id + 1, name)


def unique_name(stem: str, seq: int) -> str:
    """A file name no earlier run can have used: a killed run's leftovers are never reused."""
    bare = Path(stem).name.split(".")[0][:60]
    return f"{seq:012d}-{bare}-{uuid.uuid4().hex[:8]}"


@contextmanager
def executor(workers: int) -> Iterator[Executor | None]:
    """Local processes when more than one worker is asked for; None means in this process."""
    if workers <= 1:
        yield None
        return
    # forkserver: forking a process that already runs Arrow and DuckDB threads can deadlock
    with ProcessPoolExecutor(workers, mp_context=get_context("forkserver")) as pool:
        yield pool


def ingest(
    home: Home,
    todo: Sequence[Planned],
    pool: Executor | None,
    step: Callable[[str], None],
) -> tuple[list[Ingested], list[Failure]]:
    """Load every planned file; one that fails is named and the rest goes on."""
    done: list[Ingested] = []
    failed: list[Failure] = []
    for planned, result in _map(home, todo, pool):
        if isinstance(result, SourceError):
            failed.append(Failure(planned.file.name, str(result), planned.seq))
        else:
            done.append(result)
        step(planned.file.name)
    return sorted(done, key=lambda i: i.planned.seq), failed


def _map(
    home: Home, todo: Sequence[Planned], pool: Executor | None
) -> Iterator[tuple[Planned, Ingested | SourceError]]:
    if pool is None:
        for planned in todo:
            yield planned, _guarded(home, planned)
        return
    futures: dict[Future[Ingested | SourceError], Planned] = {
        pool.submit(_guarded, home, planned): planned for planned in todo
    }
    for future in as_completed(futures):
        yield futures[future], future.result()


def _guarded(home: Home, planned: Planned) -> Ingested | SourceError:

    try:
        return ingest_file(home, planned)
    except SourceError as error:
        return error
