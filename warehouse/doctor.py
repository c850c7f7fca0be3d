"""What is missing or broken in a warehouse and on this machine, with the command that mends it."""

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from etl.errors import DamagedError, StoreError
from etl.store.home import Home
from etl.store.snapshot import DataFile, Snapshot, current
from etl.store.views import derived_is_current
from warehouse.freshness import Fresh, freshness
from warehouse.index_state import index_state

LOW_DISK = 20 * 2**30


@dataclass(frozen=True)
class Finding:
    """One check. ``state`` is ok, hint (something is missing) or broken."""

    check: str
    state: str
    found: str
    mend: str = ""

    def as_dict(self) -> dict[str, str]:
        """Plain values."""
        return asdict(self)


def examine(home: Home, *, deep: bool = False) -> list[Finding]:
    """All checks of ``home``; ``deep`` reads every stored file again to compare checksums."""
    findings = [_pg_restore(), _disk(home)]
    try:
        snapshot = current(home)
    except DamagedError as error:
        return [*findings, Finding("snapshot", "broken", error.what, error.mend)]
    except StoreError as error:
        return [*findings, Finding("snapshot", "broken", str(error))]
    if snapshot is None:
        mend = "evidence refresh --pubmed DIR --aact ZIP"
        return [*findings, Finding("snapshot", "hint", f"none in {home.root}", mend)]
    return [*findings, *_of_snapshot(home, snapshot, deep)]


def _of_snapshot(home: Home, snapshot: Snapshot, deep: bool) -> Iterator[Finding]:
    yield Finding("snapshot", "ok", f"{snapshot.id} of {snapshot.created_at}")
    yield from map(_fresh, freshness(snapshot))
    yield _files(home, snapshot, deep)
    yield _duckdb(home, snapshot)
    yield _index(home, snapshot, deep)
    failed = snapshot.sources.get("pubmed", {}).get("failed", {})
    for name, failure in failed.items():
        yield Finding("PubMed file", "broken", failure["error"], f"deliver {name} again, refresh")


# How each source is loaded, and how it stays fresh.
_LOAD = {
    "PubMed": ("evidence refresh --pubmed DIR", "run evidence refresh daily from cron"),
    "AACT": ("evidence refresh --aact ZIP", "load a newer snapshot: evidence refresh --aact ZIP"),
    "MeSH": (
        "evidence refresh --mesh desc2026.xml.gz", "load this year's: evidence refresh --mesh FILE",
    ),
}  # fmt: skip


def _fresh(one: Fresh) -> Finding:
    load, again = _LOAD[one.source]
    if not one.loaded:
        return Finding(one.source, "hint", one.said(), load)
    return Finding(one.source, "hint" if one.old else "ok", one.said(), again if one.old else "")


def _files(home: Home, snapshot: Snapshot, deep: bool) -> Finding:
    files = [f for state in snapshot.tables.values() for f in state.files]
    bad = [f.path for f in files if not _intact(home, f, deep)]
    if bad:
        mend = "restore these files from a backup, or refresh into a new home"
        return Finding("stored files", "broken", f"{len(bad)} damaged: {', '.join(bad[:3])}", mend)
    return Finding("stored files", "ok", f"{len(files)} files{', checksums read' if deep else ''}")


def _intact(home: Home, file: DataFile, deep: bool) -> bool:
    path = home.root / file.path
    if not path.is_file() or path.stat().st_size != file.bytes:
        return False
    if not deep:
        return True
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest() == file.checksum


def _duckdb(home: Home, snapshot: Snapshot) -> Finding:
    if derived_is_current(home, snapshot):
        return Finding("warehouse.duckdb", "ok", str(home.duckdb))
    return Finding("warehouse.duckdb", "hint", "missing or old", "evidence refresh remakes it")


def _index(home: Home, snapshot: Snapshot, deep: bool) -> Finding:
    found = index_state(home, snapshot, deep=deep)
    if found["fault"] is None:
        return Finding("index", "ok", f"{found['docs']:,} documents")
    return Finding("index", "hint", found["fault"], "the next search rebuilds it")


def _pg_restore() -> Finding:
    found = shutil.which("pg_restore")
    if found:
        return Finding("pg_restore", "ok", found)
    mend = "apt-get install postgresql-client (needed only for AACT's dump zip)"
    return Finding("pg_restore", "hint", "not on PATH", mend)


def _disk(home: Home) -> Finding:
    place = next(p for p in (home.root, *home.root.absolute().parents) if p.exists())
    free = shutil.disk_usage(place).free
    state = "ok" if free > LOW_DISK else "hint"
    return Finding("disk", state, f"{free / 2**30:.0f} GiB free at {place}")
