"""The full-text index: one immutable folder a snapshot, brought up to date by a day's changes.

``index/000043/`` belongs to snapshot 43. An update hard-links the files of the previous
folder into a new one (segments never change once written), applies the day there, stamps it,
and renames it to its final name. ``update`` is called before the snapshot is committed:

- killed before the rename: a ``.building-`` folder without a name, removed by the next update;
- killed between rename and commit: the folder of a snapshot that does not exist; the next
  update of that number removes it first, and until then nobody asks for it;
- committed without a folder (the update failed, or the folder was lost): ``open_index``
  sees it and builds a new one from the snapshot's tables, and says so.

Older readers keep their own folder. Folders of snapshots that are no longer kept are removed.
"""

import errno
import hashlib
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from etl.errors import StoreError
from etl.store import index_stamp
from etl.store.index_fields import open_folder
from etl.store.index_search import SearchIndex

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    Connection = duckdb.DuckDBPyConnection
    Connect = Connection | Callable[[], Connection]

VOCABULARY = "vocabulary.sqlite"
FULL = 1 << 20  # bytes free below which a failed write means a full disk
TRIALS = "trials"  # folder of the trials' own index inside a snapshot's
_INDEXED_TABLES = ("citations", "graded", "mesh_descriptors", "mesh_tree")
_TRIAL_TABLES = (
    "trials", "trial_brief_summaries", "trial_conditions", "trial_keywords", "trial_interventions",
    "trial_browse_conditions", "trial_browse_interventions", "trial_sponsors",
)  # fmt: skip
_COPIED = ("meta.json", ".managed.json")  # tantivy replaces these; a copy keeps the old folder safe


class IndexHome(Protocol):
    """The part of a warehouse's home that the index needs."""

    @property
    def index(self) -> Path: ...
    @property
    def snapshots(self) -> Path: ...


class IndexedSnapshot(Protocol):
    """The part of a snapshot that the index needs."""

    @property
    def id(self) -> int: ...
    @property
    def tables(self) -> Mapping[str, Any]: ...


def fingerprint(tables: Mapping[str, Any]) -> str:
    """What tells one snapshot's indexed tables from another's: a hash over their files' checksums.

    ``tables`` maps names to ``TableState``; empty when it is empty.
    """
    return _hash(tables, _INDEXED_TABLES)


def _hash(tables: Mapping[str, Any], names: Iterable[str]) -> str:
    if not tables:
        return ""
    said = [repr((name, tables[name])) for name in names if name in tables]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


def update(  # noqa: PLR0913 - what a refresh knows of the snapshot it is about to commit
    home: IndexHome,
    con: "Connection",
    snapshot_id: int,
    changed: "pa.Array | None",
    previous_id: int | None,
    *,
    tables: Mapping[str, Any] | None = None,
    narrow: "Callable[[Connection], None] | None" = None,
) -> None:
    """Make the index of snapshot ``snapshot_id``, which ``con`` shows and is about to be committed.

    ``changed``: PMIDs whose citation or grade is not what it was in ``previous_id`` (deleted
    ones too); None builds everything anew, and so does a previous index that is missing,
    stale or broken. ``narrow`` is called before changes are written, never before a full build:
    it may replace citations and graded of ``con`` by their changed rows. ``tables``: the
    snapshot's table states, for the stamp.
    Raises ``StoreError`` when the folder cannot be written.
    """
    prune(home)
    _remove(_folder(home, snapshot_id))
    order = _Order(snapshot_id, fingerprint(tables or {}), _hash(tables or {}, _TRIAL_TABLES))
    if previous_id is not None:
        previous = _folder(home, previous_id)
        if index_stamp.fault(previous, previous_id) is None:
            order = replace(order, changed=changed, previous=previous, narrow=narrow)
    _make(home.index, con, order)


def open_index(home: IndexHome, snapshot: IndexedSnapshot, con: "Connect") -> SearchIndex:
    """The index of ``snapshot``, rebuilt from its tables when it is missing, stale or broken.

    ``con`` is a connection that shows the snapshot, or a function that opens one (called only
    when something must be rebuilt). ``SearchIndex.notices`` says what was done and why.
    """
    folder = _folder(home, snapshot.id)
    fault = _fault(folder, snapshot)
    if fault is None:
        try:
            return SearchIndex(open_folder(str(folder)), folder, snapshot.id)
        except (ValueError, OSError) as error:
            if not os.access(folder, os.W_OK):
                return _borrowed(folder, snapshot.id)
            fault = f"it cannot be opened ({error})"
    return rebuild(home, snapshot, con, fault)


def _borrowed(folder: Path, snapshot_id: int) -> SearchIndex:
    """The index in ``folder`` of a home that we may only read.

    tantivy puts a lock beside the files that it opens: it finds them through links, in a
    temporary folder that goes with the index. Locks that the owner's processes left are not
    followed: they cannot be opened, and nothing writes here.
    """
    scratch = Path(tempfile.mkdtemp(prefix="evidence-index-"))
    for file in (p for p in folder.rglob("*") if p.is_file() and p.suffix != ".lock"):
        link = scratch / file.relative_to(folder)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(file.absolute())
    found = SearchIndex(open_folder(str(scratch)), scratch, snapshot_id)
    weakref.finalize(found, shutil.rmtree, str(scratch), ignore_errors=True)
    return found


def open_trials(index: SearchIndex) -> SearchIndex:
    """The index of registered trials beside the open ``index`` of citations.

    Its "PMIDs" are NCT numbers; ``card`` has the shape of a result.
    """
    if index.trials is None:
        folder = index.folder / TRIALS
        index.trials = SearchIndex(open_folder(str(folder)), folder, index.snapshot)
    return index.trials


def _fault(folder: Path, snapshot: IndexedSnapshot, *, deep: bool = False) -> str | None:
    """Why the index in ``folder`` cannot be trusted for ``snapshot``; None when it can."""
    tables = snapshot.tables
    fault = index_stamp.fault(folder, snapshot.id, fingerprint(tables), deep=deep)
    if fault is not None:
        return fault
    said = _hash(tables, _TRIAL_TABLES)
    trials = index_stamp.fault(folder / TRIALS, snapshot.id, said, deep=deep)
    return f"of the trials' part: {trials}" if trials else None


def rebuild(home: IndexHome, snapshot: IndexedSnapshot, con: "Connect", why: str) -> SearchIndex:
    """Build the index of ``snapshot`` anew because of ``why``; a home that cannot be written
    gets one in a temporary folder that goes with the process."""
    connection = con() if callable(con) else con
    tables = snapshot.tables
    order = _Order(snapshot.id, fingerprint(tables), _hash(tables, _TRIAL_TABLES))
    notice = f"search index of snapshot {snapshot.id} rebuilt: {why}"
    _remove(_folder(home, snapshot.id))
    try:
        folder = _make(home.index, connection, order)
    except StoreError:
        scratch = tempfile.mkdtemp(prefix="evidence-index-")
        folder = _make(Path(scratch), connection, order)
        found = SearchIndex(open_folder(str(folder)), folder, snapshot.id)
        weakref.finalize(found, shutil.rmtree, scratch, ignore_errors=True)
        notice += " (for this call only: the home cannot be written)"
    else:
        found = SearchIndex(open_folder(str(folder)), folder, snapshot.id)
    found.notices.append(notice)
    return found


def verify(home: IndexHome, snapshot: IndexedSnapshot, *, deep: bool = True) -> str | None:
    """What is wrong with the index of ``snapshot``; None when nothing.

    ``deep`` reads every file in full; else sizes, stamps and small files are looked at.
    """
    return _fault(_folder(home, snapshot.id), snapshot, deep=deep)


def prune(home: IndexHome) -> None:
    """Remove what killed runs left and the indexes of snapshots that are no longer kept.

    Call it under the refresh lock.
    """
    if not home.index.is_dir():
        return
    for entry in home.index.iterdir():
        kept = entry.name.isdigit() and (home.snapshots / f"{entry.name}.json").exists()
        if entry.is_dir() and not kept and not _alive(entry.name):
            _remove(entry)


def _alive(name: str) -> bool:
    """Whether the process that is building folder ``name`` still runs."""
    if not name.startswith(".building-"):
        return False
    with suppress(ValueError, OSError):
        os.kill(int(name.rsplit("-", 1)[1]), 0)
        return True
    return False


def _folder(home: IndexHome, snapshot_id: int) -> Path:
    return home.index / f"{snapshot_id:06d}"


def _remove(folder: Path) -> None:
    """Take ``folder`` out of sight first, so that nobody opens it half removed."""
    if folder.exists():
        gone = folder.with_name(f".removed-{folder.name.lstrip('.')}-{os.getpid()}")
        with suppress(OSError):
            folder = folder.rename(gone)
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class _Order:
    """One index to build: for which snapshot, from which tables, on top of which folder.

    ``previous`` None, or ``changed`` None, is a full build.
    """

    snapshot: int
    fingerprint: str
    trials: str  # fingerprint of the trials' tables
    changed: "pa.Array | None" = None
    previous: Path | None = None
    narrow: "Callable[[Connection], None] | None" = None


def _why(error: Exception, folder: Path) -> str:
    """What failed; tantivy's threads do not say that the disk is full."""
    with suppress(OSError):
        if shutil.disk_usage(folder).free < FULL:
            return os.strerror(errno.ENOSPC)
    return " ".join(str(error).split())


def _make(place: Path, con: "Connection", order: _Order) -> Path:
    """Build ``place/<snapshot>`` in a folder of another name and rename it when it is whole."""
    building = place / f".building-{order.snapshot:06d}-{os.getpid()}"
    final = place / f"{order.snapshot:06d}"
    try:
        place.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(building, ignore_errors=True)
        building.mkdir()
        _fill(building, con, order)
        with suppress(OSError):  # another process may have finished it first
            building.rename(final)
        index_stamp.fsync_folder(place)
    except (OSError, ValueError) as error:
        why = _why(error, building)  # asked before the half-written files free the room
        shutil.rmtree(building, ignore_errors=True)
        raise StoreError(
            f"search index {final} cannot be written: {why}; free space or mend the folder, "
            "then run evidence refresh"
        ) from error
    shutil.rmtree(building, ignore_errors=True)
    return final


def _fill(building: Path, con: "Connection", order: _Order) -> None:
    from etl.store import index_build, index_vocabulary

    if order.previous is not None and order.changed is not None:
        _take_over(order.previous, building)
    index = open_folder(str(building))
    if order.previous is None or order.changed is None:
        index_build.write_all(index, con)
    elif len(order.changed):
        if order.narrow is not None:
            order.narrow(con)
        index_build.write_changed(index, con, order.changed)
    _fill_trials(building / TRIALS, con, order)
    version = index_vocabulary.version(con)
    _bring_vocabulary(building, con, version)
    index.reload()
    docs = index.searcher().num_docs
    index_stamp.write(building, order.snapshot, docs, order.fingerprint, version)


def _fill_trials(folder: Path, con: "Connection", order: _Order) -> None:
    """The trials' index: taken over when their tables are what they were, else made anew."""
    from etl.store import index_build

    folder.mkdir()
    before = order.previous / TRIALS if order.previous else None
    if before is not None and order.trials:
        stamp = index_stamp.read(before)
        if (
            stamp is not None
            and stamp.fingerprint == order.trials
            and not index_stamp.fault(before, stamp.snapshot)
        ):
            _take_over(before, folder)
            index_stamp.write(folder, order.snapshot, stamp.docs, order.trials, "")
            return
    index = open_folder(str(folder))
    index_build.write_trials(index, con)
    index.reload()
    index_stamp.write(folder, order.snapshot, index.searcher().num_docs, order.trials, "")


def _bring_vocabulary(building: Path, con: "Connection", version: str) -> None:
    from etl.store import index_vocabulary

    before = index_stamp.read(building)
    if before is not None and before.vocabulary == version:
        return
    (building / VOCABULARY).unlink(missing_ok=True)
    if version:
        index_vocabulary.build(con, building / VOCABULARY)


def _take_over(previous: Path, building: Path) -> None:
    stamp = index_stamp.read(previous)
    for name in stamp.files if stamp else {}:
        if name in _COPIED:
            shutil.copyfile(previous / name, building / name)
        else:
            _link(previous / name, building / name)
    shutil.copyfile(previous / index_stamp.STAMP, building / index_stamp.STAMP)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # a file system without hard links
        shutil.copyfile(source, target)
