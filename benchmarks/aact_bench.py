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
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
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
from tests.postgres import new_database, running_server  # noqa: E402

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


def best(rounds: int, run: Callable[[Path], object]) -> float:
    """Seconds of the quickest of ``rounds`` runs."""
    seconds = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="aact-bench-") as folder:
            start = time.perf_counter()
            run(Path(folder))
            seconds.append(time.perf_counter() - start)
    return min(seconds)


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

            show(label, rows, best(options.rounds, other), ours)
    return 0


def show(label: str, rows: int, seconds: float, ours: float) -> None:
    print(f"{label:<30} {seconds:7.2f} s  {rows / seconds:>10,.0f} rows/s  x {seconds / ours:.2f}")


if __name__ == "__main__":
    raise SystemExit(main())
