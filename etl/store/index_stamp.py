"""The stamp of an index folder: which snapshot it belongs to, and every file with its size.

A folder is trusted only when its stamp can be read, names the snapshot asked for and every
file it lists is there in full. The stamp is written last, and the folder gets its final name
only after everything in it is on the disk, so a half-written index has no name to be found by.
"""

import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from etl.store.index_fields import FORMAT

STAMP = "STAMP.json"
_TEMPORARY = (".lock", ".tmp")


@dataclass(frozen=True)
class Stamp:
    """What an index folder says about itself.

    ``files`` maps a file's name to its bytes and CRC-32. ``fingerprint`` is of the snapshot's
    data files (empty when the writer was not told). ``vocabulary`` is the version of MeSH.
    """

    snapshot: int
    docs: int
    fingerprint: str
    vocabulary: str
    files: dict[str, tuple[int, int]]
    format: int = FORMAT


def read(folder: Path) -> Stamp | None:
    """The stamp of ``folder``; None when there is none, or it cannot be read."""
    try:
        said = json.loads((folder / STAMP).read_text(encoding="utf-8"))
        files = {name: (int(size), int(crc)) for name, (size, crc) in said["files"].items()}
        return Stamp(**{**said, "files": files})
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def fault(folder: Path, snapshot: int, fingerprint: str = "", *, deep: bool = False) -> str | None:
    """Why ``folder`` cannot be trusted as the index of ``snapshot``; None when it can.

    ``deep`` also reads every file and compares checksums (minutes on the whole of PubMed).
    """
    if not folder.is_dir():
        return "there is none"
    stamp = read(folder)
    if stamp is None:
        return "its stamp is missing or damaged"
    if stamp.format != FORMAT:
        return f"it has format {stamp.format}, this version reads {FORMAT}"
    if stamp.snapshot != snapshot:
        return f"it belongs to snapshot {stamp.snapshot}"
    if fingerprint and stamp.fingerprint and stamp.fingerprint != fingerprint:
        return "it was made from other files than this snapshot's"
    return _damage(folder, stamp, deep)


def _damage(folder: Path, stamp: Stamp, deep: bool) -> str | None:
    for name, (size, crc) in stamp.files.items():
        file = folder / name
        if not file.is_file() or file.stat().st_size != size:
            return f"its file {name} is missing or cut short"
        small = size <= 1 << 20
        if (deep or small) and _crc(file) != crc:
            return f"its file {name} is damaged"
    return None


def write(folder: Path, snapshot: int, docs: int, fingerprint: str, vocabulary: str) -> None:
    """Stamp ``folder``: all its files are flushed to the disk first, the stamp itself last."""
    known = read(folder)
    files = {file.name: _measure(file, known) for file in _files(folder)}
    stamp = Stamp(snapshot, docs, fingerprint, vocabulary, files)
    temporary = folder / f"{STAMP}.tmp"
    temporary.write_text(json.dumps(asdict(stamp)), encoding="utf-8")
    _fsync(temporary)
    temporary.replace(folder / STAMP)
    fsync_folder(folder)


def _measure(file: Path, known: Stamp | None) -> tuple[int, int]:
    size = file.stat().st_size
    before = known.files.get(file.name) if known else None
    # a segment's file never changes, so one taken over from the day before needs no second reading
    if before and before[0] == size and size > 1 << 20 and file.stat().st_nlink > 1:
        return before
    _fsync(file)
    return size, _crc(file)


def _files(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.iterdir()):
        if file.is_file() and file.name != STAMP and file.suffix not in _TEMPORARY:
            yield file


def _crc(file: Path) -> int:
    value = 0
    with file.open("rb") as stream:
        while block := stream.read(1 << 22):
            value = zlib.crc32(block, value)
    return value


def _fsync(file: Path) -> None:
    with file.open("rb") as stream:
        os.fsync(stream.fileno())


def fsync_folder(folder: Path) -> None:
    """Make the names in ``folder`` durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
