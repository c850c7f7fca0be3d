"""One PubMed file to Parquet: citations as delivered, and what their words say.

The map over files that a refresh runs; pure in its inputs, so any executor may run it anywhere
that sees the same home.
"""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

import sql
from etl.errors import SourceError
from etl.jobs.plan import Failure, Planned
from etl.jobs.pool import Pool, run_all
from etl.sources.pubmed.parse import to_table
from etl.store.home import Home
from etl.store.snapshot import DataFile, Snapshot
from etl.store.tables import Change, write_file
from etl.store.views import connect
from etl.text.extract import extract


@dataclass(frozen=True)
class Ingested:
    """What one delivered file became; no ``citations`` and ``signals`` when it only deletes.

    ``touched`` is the table of that name (``Change``) as a compressed Arrow stream: 0.1 MB
    in place of 0.5 a file, and a refresh holds those of all its files at once.
    """

    planned: Planned
    citations: DataFile | None
    signals: DataFile | None
    touched: bytes
    records: int
    deletes: int
    unknown_elements: dict[str, int]
    newest: date | None = None  # last day on which one of its records entered PubMed

    def change(self, table: str) -> Change:
        """The same change as seen by ``citations`` or ``citation_signals``."""
        rows = self.citations if table == "citations" else self.signals
        return Change(self.planned.seq, rows, partial(_unpacked, self.touched))


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
        _packed(parsed.touched),
        parsed.citations + parsed.books,
        parsed.deletes,
        dict(parsed.unknown_elements),
        pc.max(rows.column("entrez_date")).as_py(),
    )


def _packed(touched: pa.Table) -> bytes:
    out = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(out, touched.schema, options=options) as stream:
        stream.write_table(touched)
    return bytes(out.getvalue())


def _unpacked(touched: bytes) -> pa.Table:
    return pa.ipc.open_stream(touched).read_all()


def signals_again(
    home: Home,
    snapshot: Snapshot,
    ranges: Sequence[tuple[int, int]],
    pool: Pool | None,
    step: Callable[[str], None],
) -> list[DataFile]:
    """Signals of all stored citations by the present extractors; the XML is not needed.

    ``ranges``: PMIDs [low, high) of each share. Raises ``WorkerDiedError`` for a share that
    ends every worker, because citations without signals would be graded wrongly.
    """
    made: dict[tuple[int, int], DataFile | None] = {}
    call = partial(_signals_of, home, snapshot)
    for span, result in run_all(home, pool, call, ranges, "PMIDs from {0[0]} below {0[1]}".format):
        if isinstance(result, SourceError):
            raise result
        made[span] = result
        step("words")
    return [file for span in ranges if (file := made[span])]


def _signals_of(home: Home, snapshot: Snapshot, span: tuple[int, int]) -> DataFile | None:
    with connect(home, snapshot) as con:
        bounds = {"low": span[0], "high": span[1]}
        rows = con.sql(sql.load("derive/words"), params=bounds).to_arrow_table()
    if not rows.num_rows:
        return None
    name = unique_name("words", snapshot.id + 1)
    return write_file(home, "citation_signals", extract(rows), snapshot.id + 1, name)


def unique_name(stem: str, seq: int) -> str:
    """A file name no earlier run can have used: a killed run's leftovers are never reused."""
    bare = Path(stem).name.split(".")[0][:60]
    return f"{seq:012d}-{bare}-{uuid.uuid4().hex[:8]}"


def ingest(
    home: Home,
    todo: Sequence[Planned],
    pool: Pool | None,
    step: Callable[[str], None],
) -> tuple[list[Ingested], list[Failure]]:
    """Load every planned file; one that fails is named and the rest goes on."""
    done: list[Ingested] = []
    failed: list[Failure] = []
    for planned, result in run_all(home, pool, partial(_guarded, home), todo, _name):
        if isinstance(result, SourceError):
            failed.append(Failure(planned.file.name, str(result), planned.seq))
        else:
            done.append(result)
        step(planned.file.name)
    return sorted(done, key=lambda i: i.planned.seq), failed


def _name(planned: Planned) -> str:
    return planned.file.name


def _guarded(home: Home, planned: Planned) -> Ingested | SourceError:
    try:
        return ingest_file(home, planned)
    except SourceError as error:
        return error
