"""Whether the search index can be trusted, for status and doctor."""

from typing import Any

from etl.store import index_stamp
from etl.store.home import Home
from etl.store.index import verify
from etl.store.snapshot import Snapshot


def index_state(home: Home, snapshot: Snapshot, *, deep: bool = False) -> dict[str, Any]:
    """``snapshot`` and ``docs`` of the index that belongs to the committed snapshot.

    When it is missing, old or broken ``snapshot`` is None, ``docs`` 0 and ``fault`` says why;
    the next search rebuilds it. ``fault`` is None when all is well. ``deep`` reads every file.
    """
    folder = home.index / f"{snapshot.id:06d}"
    fault = verify(home, snapshot, deep=deep)
    stamp = None if fault else index_stamp.read(folder)
    return {
        "snapshot": stamp.snapshot if stamp else None,
        "docs": stamp.docs if stamp else 0,
        "fault": fault,
    }
