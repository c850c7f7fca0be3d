"""One refresh at a time in one home.

The lock is a POSIX record lock: the kernel gives it up when its owner ends, however it ends,
so a killed refresh needs no expiry and leaves nothing to clear. Unlike ``flock`` it is not
inherited by worker processes, which may outlive a killed owner.
"""

import fcntl
import json
import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from etl.errors import LockedError
from etl.store.home import Home, write_text, writing

log = logging.getLogger(__name__)

# A process that opens and closes a file a second time loses its record locks on it, so
# one process must never open the lock file twice.
_ours: set[Path] = set()
_guard = Lock()


@dataclass(frozen=True)
class Owner:
    """Who holds the lock, as written when it was taken."""

    pid: int
    host: str
    start: str  # UTC, ISO 8601


@contextmanager
def refresh_lock(home: Home) -> Iterator[None]:
    """Holds the lock of ``home`` during the block; the home's folder must exist.

    Raises ``LockedError`` naming the owner when another refresh holds it. The lock of an
    owner that was killed is taken over.
    """
    path = home.root / "refresh.lock"
    with _guard:
        if path in _ours:
            raise _locked(home)
        _ours.add(path)
    try:
        yield from _hold(home, path)
    finally:
        _ours.discard(path)


def owner(home: Home) -> Owner | None:
    """Who took the lock last and has not given it back; None when nobody."""
    try:
        return Owner(**json.loads(_owner_file(home).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _hold(home: Home, path: Path) -> Iterator[None]:
    with writing(path):
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError) as error:
            raise _locked(home) from error
        _sign(home)
        try:
            yield
        finally:
            _owner_file(home).unlink(missing_ok=True)
    finally:
        os.close(handle)


def _sign(home: Home) -> None:
    left = owner(home)
    if left:
        log.warning("an earlier refresh (%s) ended without finishing; going on", _name(left))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    us = Owner(os.getpid(), socket.gethostname(), now)
    write_text(_owner_file(home), json.dumps(asdict(us)))


def _locked(home: Home) -> LockedError:
    held = owner(home)
    by = _name(held) if held else "an owner that has not signed yet"
    return LockedError(
        f"another refresh holds {home.root / 'refresh.lock'}: {by}; "
        "wait for it to end, then run evidence refresh again"
    )


def _name(held: Owner) -> str:
    return f"process {held.pid} on {held.host}, started {held.start}"


def _owner_file(home: Home) -> Path:
    return home.root / "refresh.owner"
