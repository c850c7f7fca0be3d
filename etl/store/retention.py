"""Which snapshots stay readable, and the removal of files that none of them names."""

import logging
import os
import time
from datetime import datetime
from pathlib import Path

from etl.errors import StoreError
from etl.store.home import Home, writing
from etl.store.snapshot import Snapshot, manifests, read

log = logging.getLogger(__name__)

KEEP = 3  # snapshots at least: readers of the last ones go on while the next is made


DAY = 86_400.0  # no refresh or query of ours works that long on one temporary file


def grace_seconds() -> float:
    """How long a superseded snapshot stays readable: $EVIDENCE_RETENTION_GRACE, else an hour."""
    said = os.environ.get("EVIDENCE_RETENTION_GRACE", "3600")
    try:
        return max(0.0, float(said))
    except ValueError as error:
        raise StoreError(
            f"EVIDENCE_RETENTION_GRACE is {said!r}, not a number of seconds: unset it"
        ) from error


def retain(home: Home, committed: Snapshot) -> None:
    """Removes snapshots past their time, then files that no kept snapshot names.

    Kept are the last three snapshots, all that were superseded less than the time of grace
    ago, and every file younger than the grace. Files of a killed refresh go this way too.
    When a kept manifest cannot be read no file is removed: it may name any of them.
    """
    oldest = time.time() - grace_seconds()
    with writing(home.root):
        _remove(home, _drop_manifests(home, committed, oldest), oldest)


def _remove(home: Home, kept: list[Snapshot], oldest: float) -> None:
    named = {file.path for s in kept for state in s.tables.values() for file in state.files}
    for path in (*home.tables.rglob("*"), *_temporary(home)):
        if path.relative_to(home.root).as_posix() not in named and _stale(path, oldest):
            path.unlink(missing_ok=True)
    for path in home.staging.rglob("*"):  # what killed refreshes and queries left
        if _stale(path, min(oldest, time.time() - DAY)):
            path.unlink(missing_ok=True)


def _temporary(home: Home) -> list[Path]:
    """Half-written manifests and derived files of killed runs."""
    return [*home.root.glob(".*.tmp*"), *home.snapshots.glob(".*.tmp*")]


def _drop_manifests(home: Home, committed: Snapshot, oldest: float) -> list[Snapshot]:
    past = [p for p in manifests(home) if int(p.stem) <= committed.id]
    snapshots = [read(home, p) for p in past]
    kept = snapshots[-KEEP:]
    followers = zip(past, snapshots, snapshots[1:], strict=False)
    for path, snapshot, follower in list(followers)[: -(KEEP - 1)]:
        if datetime.fromisoformat(follower.created_at).timestamp() < oldest:
            path.unlink(missing_ok=True)
        else:
            kept.append(snapshot)
    return kept


def _stale(path: Path, oldest: float) -> bool:
    try:
        return path.is_file() and path.stat().st_mtime < oldest
    except FileNotFoundError:
        return False
