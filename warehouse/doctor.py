"""What is missing or broken in a warehouse and on this machine, with the command that mends it."""

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from etl.errors import StoreError
from etl.store.home import Home
from etl.store.snapshot import DataFile, Snapshot, current
from etl.store.views import derived_is_current
from warehouse.index_state import index_state

OLD_DAYS = 8  # PubMed and AACT are delivered daily; a week of silence means cron does not run
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
    except StoreError as error:
        return [*findings, Finding("snapshot", "broken", str(error), "evidence refresh")]
    if snapshot is None:
        mend = "evidence refresh --pubmed DIR --aact ZIP"
        return [*findings, Finding("snapshot", "hint", f"none in {home.root}", mend)]
    return [*findings, *_of_snapshot(home, snapshot, deep)]


def _of_snapshot(home: Home, snapshot: Snapshot, deep: bool) -> Iterator[Finding]:
    yield Finding("snapshot", "ok", f"{snapshot.id} of {snapshot.created_at}")
    yield _age(snapshot)
    yield _files(home, snapshot, deep)
    yield _duckdb(home, snapshot)
    yield _index(home, snapshot, deep)
    yield _loaded(snapshot, "aact", "AACT trials", "evidence refresh --aact ZIP")
    yield _loaded(snapshot, "mesh", "MeSH headings", "evidence refresh --mesh desc2026.xml.gz")
    failed = snapshot.sources.get("pubmed", {}).get("failed", {})
    for name, failure in failed.items():
        yield Finding("PubMed file", "broken", failure["error"], f"deliver {name} again, refresh")


def _age(snapshot: Snapshot) -> Finding:
    days = (datetime.now(UTC) - datetime.fromisoformat(snapshot.created_at)).days
    if days > OLD_DAYS:
        return Finding("age", "hint", f"{days} days", "run make refresh daily from cron")
    return Finding("age", "ok", f"{days} days")


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


def _loaded(snapshot: Snapshot, source: str, what: str, mend: str) -> Finding:
    if source in snapshot.sources:
        return Finding(what, "ok", str(snapshot.sources[source].get("name")))
    return Finding(what, "hint", "never loaded", mend)


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
