"""AACT dump zip to Parquet, against a restore into a server and COPY out of it.

    python benchmarks/aact_bench.py [ZIP] [--rounds N]

Both ways give the same declared tables. Three ways are timed, each in rows a second of those:

- parquet: the zip to zstd Parquet without a server (pg_restore stream, Arrow);
- server: AACT's documented ``pg_restore`` of the whole dump into an empty database, then COPY of
  the same tables to CSV files, which is what others do;
- server, few: the same, but only the wanted tables restored, and no indexes.

Needs a PostgreSQL, found as the tests find theirs. The default ZIP is the real-shaped snapshot
beside the checkout.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
from psycopg import sql

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from etl.sources.trials import archive  # noqa: E402
from etl.sources.trials.aact import load  # noqa: E402
from etl.sources.trials.mapping import CALCULATED, DESIGNS, FEEDS, STUDIES  # noqa: E402
from etl.store.schema import TABLES  # noqa: E402
from tests.postgres import Server, new_database, running_server  # noqa: E402

DEFAULT = ROOT.parent / "shared" / "data" / "aact" / "20261130_clinical_trials_ctgov.zip"
DELIVERED = list(dict.fromkeys(f.table for f in (STUDIES, DESIGNS, CALCULATED, *FEEDS.values())))


def to_parquet(source: Path, folder: Path) -> int:
    """Rows written, one zstd Parquet file a table."""

    def write(name: str, batches: Iterable[pa.Table]) -> None:
        path = folder / f"{name}.parquet"
        with pq.ParquetWriter(path, TABLES[name].arrow, compression="zstd") as out:
            for batch in batches:
                out.write_table(batch)

    report = load(str(source), write, workdir=folder)
    return sum(report.rows.values())


def through_server(source: Path, folder: Path, dsn: str, *options: str) -> None:
    """The dump into the empty database at ``dsn``, and the wanted tables out as CSV."""
    with archive.unpacked_dump(source, folder) as dump:
        restore = ["pg_restore", "-e", "-O", "-x", *options, "-d", dsn, str(dump)]
        subprocess.run(restore, check=True)
    with psycopg.connect(dsn) as con, con.cursor() as cursor:
        for table in DELIVERED:
            query = sql.SQL("COPY {} TO STDOUT (FORMAT csv)").format(sql.Identifier("ctgov", table))
            with (folder / f"{table}.csv").open("wb") as out, cursor.copy(query) as copy:
                for part in copy:
                    out.write(part)


@dataclass(frozen=True)
class Took:
    """Wall seconds, and processor seconds of all processes that took part."""

    wall: float
    cpu: float


def best(rounds: int, run: Callable[[Path], object], postmaster: int | None = None) -> Took:
    """The quickest of ``rounds`` runs; processor time matters where others use the machine."""
    runs = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="aact-bench-") as folder:
            start, used = time.perf_counter(), cpu_seconds(postmaster)
            run(Path(folder))
            runs.append(Took(time.perf_counter() - start, cpu_seconds(postmaster) - used))
    return Took(min(r.wall for r in runs), min(r.cpu for r in runs))


def cpu_seconds(postmaster: int | None) -> float:
    """Processor time so far: ours, our ended children's, and the ended backends' of a server."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ours = sum(sum(resource.getrusage(kind)[:2]) for kind in kinds)
    if postmaster is None:
        return ours
    fields = Path(f"/proc/{postmaster}/stat").read_text().rsplit(")", 1)[1].split()
    ticks = sum(int(field) for field in fields[11:15])  # utime, stime, cutime, cstime
    return ours + ticks / os.sysconf("SC_CLK_TCK")


def postmaster_of(server: Server) -> int | None:
    """Process number of a server that was started here."""
    if server.folder is None:
        return None
    return int((server.folder / "data" / "postmaster.pid").read_text().splitlines()[0])


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("zip", nargs="?", type=Path, default=DEFAULT)
    asked.add_argument("--rounds", type=int, default=3)
    options = asked.parse_args()
    if not options.zip.exists():
        print(f"no delivery at {options.zip}: give the path of one", file=sys.stderr)
        return 1
    rows = 0

    def parquet(folder: Path) -> None:
        nonlocal rows
        rows = to_parquet(options.zip, folder)

    ours = best(options.rounds, parquet)
    show("dump zip -> Parquet", rows, ours, ours)
    print(f"  peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
    with running_server() as server:
        if server is None:
            print("no PostgreSQL here: only our own time was taken", file=sys.stderr)
            return 0
        few = [part for table in DELIVERED for part in ("-t", table)]
        for label, more in (("restore + COPY out", []), ("the same, wanted tables only", few)):

            def other(folder: Path, more: list[str] = more) -> None:
                with new_database(server) as dsn:
                    if more:
                        with psycopg.connect(dsn, autocommit=True) as con:
                            con.execute("CREATE SCHEMA ctgov")
                    through_server(options.zip, folder, dsn, *more)

            show(label, rows, best(options.rounds, other, postmaster_of(server)), ours)
    return 0


def show(label: str, rows: int, took: Took, ours: Took) -> None:
    print(
        f"{label:<30} {took.wall:6.2f} s  {rows / took.wall:>9,.0f} rows/s  "
        f"x {took.wall / ours.wall:.2f}   processor {took.cpu:6.2f} s  x {took.cpu / ours.cpu:.2f}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
