"""What reading and writing the store costs: base and deltas against one compacted base.

Run: ``python -m benchmarks.store [ROWS] [DELTAS] [TABLE]`` (default: 1,000,000 rows, 30 deltas,
graded). Prints one line a measure; the folder it works in is removed.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa

from etl.store.home import Home, open_home, prepare
from etl.store.schema import TABLES, Column
from etl.store.snapshot import Snapshot, TableState
from etl.store.tables import Change, apply, compact, write_file
from etl.store.views import connect

TEXT = {"citations": ("title", "abstract"), "graded": ("sample_size_evidence", "grade_rationale")}
WORDS = [f"word{n:04d}" for n in range(5000)]


def rows(table: str, pmids: list[int], seq: int) -> pa.Table:
    """Invented rows: declared codes, empty lists, words in the text columns."""
    draw = random.Random(seq)
    length = 150 if table == "citations" else 8
    values = {}
    for column in TABLES[table].columns:
        plain = {"pmid": pmids, "seq": [seq] * len(pmids), "version": [1] * len(pmids)}
        if column.name in plain:
            made = plain[column.name]
        elif column.name in TEXT.get(table, ()):
            made = [" ".join(draw.choices(WORDS, k=length)) for _ in pmids]
        else:
            made = [_value(column, draw) for _ in pmids]
        values[column.name] = pa.array(made, column.type)
    return pa.table(values)


def _value(column: Column, draw: random.Random) -> object:
    if column.codes:
        return draw.choice(column.codes)
    if column.nullable:
        return None
    if pa.types.is_list(column.type):
        return []
    if pa.types.is_boolean(column.type):
        return draw.random() < 0.1
    return "x" if pa.types.is_string(column.type) else 0


def timed(what: str, run: Callable[[], object], times: int = 3) -> float:
    """Prints and returns the best of ``times`` runs, in seconds."""
    best = min(_once(run) for _ in range(times))
    print(f"{what:45s} {best * 1000:10.1f} ms", flush=True)
    return best


def _once(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def fill(home: Home, table: str, count: int, deltas: int) -> TableState:
    """A first load of 30,000-row files, then ``deltas`` changes of 1 % each (a tenth new)."""
    state = TableState()
    loads = [list(range(n, min(n + 30_000, count))) for n in range(0, count, 30_000)]
    changes = [change(home, table, p, n) for n, p in enumerate(loads)]
    start = time.perf_counter()
    state, _ = apply(home, table, state, changes)
    print(f"first load of {len(changes)} files: {time.perf_counter() - start:.2f} s")
    for n in range(deltas):
        old = random.Random(n).sample(range(count), count // 110)
        new = [count + n * (count // 1000) + k for k in range(count // 1000)]
        delta = change(home, table, sorted(old) + new, len(loads) + n)
        start = time.perf_counter()
        state, _ = apply(home, table, state, [delta])
        if n in (0, deltas - 1):
            spent = time.perf_counter() - start
            print(f"day {n} ({len(old) + len(new)} PMIDs): {spent:.2f} s")
    return state


def change(home: Home, table: str, pmids: list[int], seq: int) -> Change:
    """One file that puts ``pmids``."""
    file = write_file(home, table, rows(table, pmids, seq), seq, f"u{seq:05d}")
    ops = {"pmid": pa.array(pmids, pa.int64()), "op": ["put"] * len(pmids)}
    return Change(seq, file, pa.table({**ops, "version": pa.array([1] * len(pmids), pa.int16())}))


def measure(con: duckdb.DuckDBPyConnection, table: str, count: int, what: str) -> float:
    """Full scan and point look-ups; returns the scan's time."""
    text = TEXT[table][1]
    some = random.Random(1).sample(range(count), 10_000)
    con.register("asked", pa.table({"pmid": pa.array(some, pa.int64())}))
    listed = ",".join(map(str, some))
    hundred = ",".join(map(str, some[:100]))
    questions = {
        "count": f"select count(*) from {table}",
        "full scan": f"select sum(pmid), sum(length({text})) from {table}",
        "group": f"select pmid % 7, count(*) from {table} group by 1",
        "one PMID": f"select * from {table} where pmid = {some[0]}",
        "100 PMIDs": f"select * from {table} where pmid in ({hundred})",
        "10,000 PMIDs": f"select pmid, {text} from {table} where pmid in ({listed})",
        "10,000 joined": f"select t.pmid, {text} from {table} as t join asked using (pmid)",
    }
    spent = {
        name: timed(f"{what}: {name}", lambda q=query: con.execute(q).fetchall())
        for name, query in questions.items()
    }
    return spent["full scan"]


def main(arguments: list[str]) -> None:
    """Fills a home, measures, compacts, measures again."""
    count = int(arguments[0]) if arguments else 1_000_000
    deltas = int(arguments[1]) if len(arguments) > 1 else 30
    table = arguments[2] if len(arguments) > 2 else "graded"
    with tempfile.TemporaryDirectory() as folder:
        home = open_home(Path(folder))
        prepare(home)
        state = fill(home, table, count, deltas)
        steps = {f"{deltas} deltas": state}
        start = time.perf_counter()
        steps["merged"] = compact(home, table, state)
        print(f"merge of deltas: {time.perf_counter() - start:.2f} s")
        start = time.perf_counter()
        steps["compacted"] = compact(home, table, state, force=True)
        print(f"new base: {time.perf_counter() - start:.2f} s")
        scans = {}
        for what, held in steps.items():
            with connect(home, Snapshot(1, "", {table: held})) as con:
                scans[what] = measure(con, table, count, what)
        for what, spent in scans.items():
            print(f"full scan, {what} / compacted: {spent / scans['compacted']:.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
