"""The manifest of a warehouse and its one commit.

A snapshot lists every file of every table. It becomes *the* snapshot by the rename of
``CURRENT``; all before that rename is invisible, all after it is derived and can be remade.
"""

import hashlib
import json
import logging
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from etl.errors import DamagedError, NoSnapshotError, StoreError
from etl.store.home import Home, prepare, write_text, writing

log = logging.getLogger(__name__)

FORMAT = 1


@dataclass(frozen=True)
class DataFile:
    """One immutable Parquet file.

    ``path`` is POSIX, relative to the home. ``checksum`` is its SHA-256 in hex.
    ``min_key`` and ``max_key`` span the first sort column where that is an integer (the PMID
    of a keyed table); None otherwise and for a file without rows. ``seq`` is the place of the
    delivery it came from in the order of application; None where that has no meaning.
    """

    path: str
    rows: int
    bytes: int
    checksum: str
    min_key: int | None
    max_key: int | None
    seq: int | None


@dataclass(frozen=True)
class TableState:
    """The files of one table. ``latest`` says which rows count (None: all of ``base``).

    ``rows`` is the number of visible rows.
    """

    base: tuple[DataFile, ...] = ()
    deltas: tuple[DataFile, ...] = ()
    latest: DataFile | None = None
    rows: int = 0

    @property
    def files(self) -> tuple[DataFile, ...]:
        """Every file that must exist for this table to be read."""
        return (*self.base, *self.deltas, *((self.latest,) if self.latest else ()))


@dataclass(frozen=True)
class Snapshot:
    """All that one commit says. ``created_at`` is UTC, ISO 8601.

    ``sources``, ``watermarks`` and ``versions`` are JSON values kept as the refresh gave them.
    """

    id: int
    created_at: str
    tables: Mapping[str, TableState] = field(default_factory=dict)
    sources: Mapping[str, Any] = field(default_factory=dict)
    watermarks: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


EMPTY = Snapshot(id=0, created_at="1970-01-01T00:00:00+00:00")


def current(home: Home) -> Snapshot | None:
    """The committed snapshot; None when nothing has been committed in ``home`` yet.

    Raises ``StoreError`` naming the file and the mend when CURRENT or its manifest is damaged.
    """
    try:
        name = home.current.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        if home.views_sql.exists() and manifests(home):  # views are made after a commit only
            raise _damaged(home, home.current, "is missing") from None
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged(home, home.current, "cannot be read") from error
    if not re.fullmatch(r"\d{6,}\.json", name):
        raise _damaged(home, home.current, f"says {name[:40]!r}, not the name of a snapshot")
    return read(home, home.snapshots / name)


def committed(home: Home) -> Snapshot:
    """The committed snapshot. Raises ``NoSnapshotError`` with the command that makes one."""
    snapshot = current(home)
    if snapshot is None:
        raise NoSnapshotError(
            f"nothing has been loaded into {home.root} yet: "
            f"run evidence refresh --pubmed DIR --home {home.root}, or give another --home"
        )
    return snapshot


def read(home: Home, path: Path) -> Snapshot:
    """The snapshot of the manifest ``path``; ``StoreError`` when it is missing or damaged."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        body = document["snapshot"]
    except FileNotFoundError as error:
        raise _damaged(home, path, "is missing") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(home, path, "is damaged") from error
    if document.get("format") != FORMAT:
        said = document.get("format")
        raise StoreError(
            f"{path} has format {said!r}, this version reads {FORMAT}: "
            "use the version of evidence that wrote it"
        )

    if document.get("checksum") != _checksum(body):
        raise _damaged(home, path, "is damaged (its checksum differs)")
    return Snapshot(**{**body, "tables": {n: _state(t) for n, t in body["tables"].items()}})


def next_id(home: Home) -> int:
    """The id that the next commit will give: above every manifest that was ever written."""
    return 1 + max((int(p.stem) for p in manifests(home)), default=0)


def manifests(home: Home) -> list[Path]:
    """Manifests in the order of their ids, committed or not."""
    found = [p for p in home.snapshots.glob("*.json") if p.stem.isdigit()]
    return sorted(found, key=lambda p: int(p.stem))


def commit(home: Home, snapshot: Snapshot) -> Snapshot:
    """Makes ``snapshot`` the committed one and returns it with its new id and time.

    Its files must have been written by ``write_file`` (which puts them on disk). After the
    commit the DuckDB file and views.sql are remade and files that nobody needs are removed;
    a failure there is logged, never raised, since the data is safe and both can be remade.
    """
    from etl.store.retention import retain
    from etl.store.views import ensure_derived

    prepare(home)
    _check_files(home, snapshot)
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    done = replace(snapshot, id=next_id(home), created_at=now)
    name = f"{done.id:06d}.json"
    _drop_uncommitted(home)
    write_text(home.snapshots / name, _text(done))
    write_text(home.current, name + "\n")
    for finish in (ensure_derived, retain):
        try:
            finish(home, done)
        except StoreError as error:
            log.warning("snapshot %d is committed, but: %s", done.id, error)
    return done


def _drop_uncommitted(home: Home) -> None:
    """Removes manifests above the committed one: a refresh was killed before its rename."""
    last = current(home) or EMPTY
    with writing(home.snapshots):
        for path in manifests(home):
            if int(path.stem) > last.id:
                path.unlink(missing_ok=True)


def _text(snapshot: Snapshot) -> str:
    body = json.loads(json.dumps(asdict(snapshot)))
    document = {"format": FORMAT, "checksum": _checksum(body), "snapshot": body}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _checksum(body: object) -> str:
    text = json.dumps(body, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _state(said: dict[str, Any]) -> TableState:
    latest = DataFile(**said["latest"]) if said["latest"] else None
    base = tuple(DataFile(**f) for f in said["base"])
    return TableState(base, tuple(DataFile(**f) for f in said["deltas"]), latest, said["rows"])


def _check_files(home: Home, snapshot: Snapshot) -> None:
    for table, state in snapshot.tables.items():
        for file in state.files:
            path = home.root / file.path
            size = path.stat().st_size if path.is_file() else None
            if size != file.bytes:
                raise StoreError(
                    f"table {table}: {path} has {size} bytes, not the {file.bytes} written: "
                    "nothing was committed; run evidence refresh again"
                )


def _damaged(home: Home, path: Path, how: str) -> DamagedError:
    whole = next((p for p in reversed(manifests(home)) if p != path and _is_whole(home, p)), None)
    if whole is None:
        mend = "evidence refresh --pubmed DIR --home NEW_FOLDER"
        return DamagedError(f"{path} {how}, and no snapshot is whole", mend)
    return DamagedError(f"{path} {how}", f"echo {whole.name} > {home.current}")


def _is_whole(home: Home, path: Path) -> bool:
    """Whether the manifest can be read and the files that it names are there."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        body = document["snapshot"]
        if (document["format"], document["checksum"]) != (FORMAT, _checksum(body)):
            return False
        states = [_state(state) for state in body["tables"].values()]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return all((home.root / f.path).is_file() for state in states for f in state.files)
