"""Base + deltas + latest against an oracle that replays the files in order."""

import os
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from store_helpers import CITED, LINKS, citations, links, touched, visible

from etl.store import compact as compact_module
from etl.store.home import Home, open_home, prepare
from etl.store.snapshot import TableState
from etl.store.tables import Change, apply, compact, write_file

PMIDS = st.integers(1, 6)
EXAMPLES = int(os.environ.get("EVIDENCE_REPLAY_EXAMPLES", "15"))
# Files are really written, so shrinking a failure takes minutes: only when asked for.
SHRINK = "EVIDENCE_REPLAY_SHRINK" in os.environ
PHASES = [Phase.explicit, Phase.generate, *([Phase.shrink] if SHRINK else [])]


@dataclass(frozen=True)
class Op:
    """One operation of a file on a PMID. ``repeat`` rows; 0 is a put that leaves none."""

    kind: str
    version: int
    repeat: int


@dataclass
class File:
    """A delivered file: at most one operation a PMID. ``token`` marks its rows."""

    seq: int
    token: int
    ops: dict[int, Op] = field(default_factory=dict)


OPS = st.builds(
    Op,
    kind=st.sampled_from(["put", "put", "put", "delete"]),
    version=st.sampled_from([1, 1, 1, 2, 3]),
    repeat=st.sampled_from([1, 1, 2, 3, 0]),
)
CONTENTS = st.dictionaries(PMIDS, OPS, min_size=0, max_size=5)
# What happens next: several files in one apply, a repeat of an earlier file, or a compaction.
STEPS = st.lists(
    st.one_of(
        st.lists(st.tuples(st.integers(1, 12), CONTENTS), min_size=1, max_size=4),
        st.tuples(st.just("again"), st.integers(0, 20)),
        st.sampled_from(["merge", "rebase"]),
    ),
    min_size=1,
    max_size=8,
)


def replay(files: list[File]) -> dict[int, tuple[int, int]]:
    """PMID -> (token, repeat) after the files in order of seq (a later arrival after an equal)."""
    held: dict[int, tuple[int, int, int]] = {}
    for file in sorted(files, key=lambda f: f.seq):
        for pmid, op in file.ops.items():
            if op.kind == "delete":
                held.pop(pmid, None)
            elif pmid not in held or op.version >= held[pmid][0]:
                held[pmid] = (op.version, file.token, op.repeat)
    return {p: (token, repeat) for p, (_, token, repeat) in held.items() if repeat}


def as_change(home: Home, table: str, file: File) -> Change:
    """``file`` as the store is told of it."""
    puts = {p: o for p, o in file.ops.items() if o.kind == "put"}
    made = citations if table == CITED else links
    rows = [made([p], file.token, o.repeat, o.version, file.seq) for p, o in puts.items()]
    written = write_file(home, table, pa.concat_tables(rows), file.seq, "u") if rows else None
    ops = [(p, o.kind, o.version if o.kind == "put" else None) for p, o in file.ops.items()]
    return Change(file.seq, written, touched(ops))


def expected(table: str, files: list[File]) -> list[tuple[int, str]]:
    """(pmid, mark) of every row that must be visible."""
    if table == CITED:
        return sorted((p, str(t)) for p, (t, _) in replay(files).items())
    return sorted(
        (p, f"NCT{t:06d}{n:02d}") for p, (t, many) in replay(files).items() for n in range(many)
    )


def found(home: Home, table: str, state: TableState) -> list[tuple[int, str]]:
    """(pmid, mark) of every visible row."""
    column = 6 if table == CITED else 1
    return sorted((row[0], row[column]) for row in visible(home, state, table))


def run(home: Home, table: str, steps: list[object]) -> None:
    """Takes the steps and holds the store against the oracle after each."""
    files: list[File] = []
    state = TableState()
    for step in steps:
        before = found(home, table, state)
        if isinstance(step, str):
            state = compact(home, table, state, force=step == "rebase")
            assert found(home, table, state) == before
            continue
        state, changed = apply(home, table, state, deliver(home, table, files, step))
        after = found(home, table, state)
        assert after == expected(table, files)
        really = {p for p, _ in set(before) ^ set(after)}
        assert really <= set(changed.to_pylist())


def deliver(home: Home, table: str, files: list[File], step: object) -> list[Change]:
    """Adds what ``step`` delivers to ``files`` and returns it as changes."""
    if isinstance(step, tuple):
        new = [files[step[1] % len(files)]] if files else []
    else:
        new = [File(seq, len(files) + n, ops) for n, (seq, ops) in enumerate(step)]
    if table == CITED:  # a citation is one row: a put always has it
        for file in new:
            file.ops = {p: Op(o.kind, o.version, 1) for p, o in file.ops.items()}
    files.extend(new)
    return [as_change(home, table, f) for f in new]


@pytest.mark.parametrize("table", [LINKS, CITED])
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=PHASES,
    suppress_health_check=list(HealthCheck),
)
# a lower version that came later waits in the deltas while the visible rows rest in the base
@example(
    steps=[
        [(4, {6: Op("put", 3, 1)}), (8, {6: Op("put", 1, 1)})],
        "rebase",
        "merge",
        [(5, {6: Op("delete", 1, 0)})],
        "rebase",
    ]
)
@given(steps=STEPS)
def test_visible_rows_are_those_of_a_replay_in_order(table: str, steps: list[object]) -> None:
    most = compact_module.MOST_DELTAS
    compact_module.MOST_DELTAS = 1
    folder = Path(tempfile.mkdtemp())
    try:
        home = open_home(folder)
        prepare(home)
        run(home, table, steps)
    finally:
        compact_module.MOST_DELTAS = most
        shutil.rmtree(folder)
