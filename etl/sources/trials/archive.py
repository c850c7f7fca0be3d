"""What kind of delivery a path holds, and the dump inside a zip."""

import hashlib
import re
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from etl.errors import SourceError

DUMP_MAGIC = b"PGDMP"
EXPECTED = (
    "a ClinicalTrials.gov delivery of AACT (postgres.dmp, its zip, or the pipe-delimited zip)"
)
# the real deliveries unpack to 1.01 and 7 times their size
LARGEST_RATIO = 60
RATIO_MATTERS_FROM = 1 << 30  # bytes


def kind_of(path: Path) -> str:
    """``dump`` (custom-format file), ``dump_zip``, ``flat_zip`` or ``flat_folder``.

    Raises ``SourceError`` naming the file for anything else.
    """
    if path.is_dir():
        if (path / "studies.txt").is_file():
            return "flat_folder"
        raise SourceError(
            f"{path}: holds no studies.txt; give the zip itself or its unpacked folder"
        )
    start = _first_bytes(path)
    if start.startswith(DUMP_MAGIC):
        return "dump"
    if start.startswith(b"PK"):
        return _kind_of_zip(path)
    found = (
        "a web page" if start.lstrip().startswith(b"<") else "not a zip and not a PostgreSQL dump"
    )
    raise SourceError(f"{path}: is {found}, not {EXPECTED}; download it again")


def _first_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(64)
    except FileNotFoundError as error:
        raise SourceError(
            f"{path}: no such file; download an AACT snapshot or mend the path"
        ) from error
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror}); mend its rights") from error


def _kind_of_zip(path: Path) -> str:
    with open_zip(path) as archive:
        if dump_member(archive):
            return "dump_zip"
        if flat_members(archive).get("studies"):
            return "flat_zip"
        names = ", ".join(archive.namelist()[:5]) or "nothing"
    raise SourceError(
        f"{path}: holds neither postgres.dmp nor studies.txt but {names}; give {EXPECTED}"
    )


@contextmanager
def open_zip(path: Path) -> Iterator[zipfile.ZipFile]:
    """The zip, refused when it is torn, encrypted or unpacks to an unbelievable size."""
    try:
        with zipfile.ZipFile(path) as archive:
            _refuse_unusable(path, archive)
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise SourceError(f"{path}: is a damaged zip ({error}); download it again") from error


def _refuse_unusable(path: Path, archive: zipfile.ZipFile) -> None:
    for member in archive.infolist():
        if member.flag_bits & 0x1:
            raise SourceError(
                f"{path}: {member.filename} is encrypted; give a delivery without a password"
            )
        packed = max(member.compress_size, 1)
        if member.file_size > RATIO_MATTERS_FROM and member.file_size > LARGEST_RATIO * packed:
            raise SourceError(
                f"{path}: {member.filename} would unpack from {packed:,} to {member.file_size:,} "
                "bytes, which no AACT delivery does; download it again from AACT"
            )


def dump_member(archive: zipfile.ZipFile) -> zipfile.ZipInfo | None:
    """``postgres.dmp`` of the zip, in whatever folder."""
    dumps = [m for m in archive.infolist() if m.filename.rsplit("/", 1)[-1].endswith(".dmp")]
    return dumps[0] if dumps else None


def flat_members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The ``.txt`` members by table name."""
    named = ((m.filename.rsplit("/", 1)[-1], m) for m in archive.infolist())
    return {name.removesuffix(".txt"): m for name, m in named if name.endswith(".txt")}


@contextmanager
def unpacked_dump(path: Path, workdir: Path | None) -> Iterator[Path]:
    """The dump of a zip as a file in a temporary folder below ``workdir``, removed afterwards.

    pg_restore finds a table by seeking, which needs a real file. Raises ``SourceError`` when the
    disk has no room for it or the zip's checksum does not hold.
    """
    with open_zip(path) as archive, TemporaryDirectory(prefix="aact-", dir=workdir) as folder:
        member = dump_member(archive)
        if member is None:
            raise SourceError(f"{path}: holds no postgres.dmp; give {EXPECTED}")
        free = shutil.disk_usage(folder).free
        if free < member.file_size:
            raise SourceError(
                f"{path}: its dump needs {member.file_size:,} bytes in {folder}, "
                f"{free:,} are free; make room or give the unpacked postgres.dmp"
            )
        target = Path(folder) / "postgres.dmp"
        with archive.open(member) as packed, target.open("wb") as file:
            shutil.copyfileobj(packed, file, 1 << 20)
        yield target


def snapshot_date(name: str) -> str | None:
    """ISO date in a delivery's file name (20261130_export_ctgov.zip), if it has one."""
    found = re.search(r"(?<!\d)(20\d\d)(\d\d)(\d\d)(?!\d)", name)
    return "-".join(found.groups()) if found else None


def checksum(path: Path) -> str:
    """SHA-256 of a file; of names, sizes and times of its files for a folder."""
    if path.is_dir():
        stats = [(p.name, p.stat()) for p in sorted(path.glob("*.txt"))]
        facts = repr([(name, s.st_size, s.st_mtime_ns) for name, s in stats])
        return hashlib.sha256(facts.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
