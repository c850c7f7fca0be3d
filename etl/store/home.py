"""Where everything of one warehouse lies, and the one place that names a disk's failures."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from etl.errors import StoreError

_MENDS = {
    errno.ENOSPC: "no space left: free some (evidence status shows what the warehouse holds) "
    "and run evidence refresh again; the last snapshot is intact",
    errno.EDQUOT: "the disk quota is used up: free some space and run evidence refresh again; "
    "the last snapshot is intact",
    errno.EACCES: "permission denied: give this user the right to write there, "
    "or name another folder with --home",
    errno.EPERM: "permission denied: give this user the right to write there, "
    "or name another folder with --home",
    errno.EROFS: "the file system is read-only: name another folder with --home",
    errno.ENOTDIR: "a file stands where a folder must be: name another folder with --home",
    errno.EEXIST: "a file stands where a folder must be: name another folder with --home",
}


@dataclass(frozen=True)
class Home:
    """The folder of one warehouse; every path below it is named here and nowhere else."""

    root: Path

    @property
    def current(self) -> Path:
        """The file that holds the name of the committed snapshot."""
        return self.root / "CURRENT"

    @property
    def snapshots(self) -> Path:
        """Manifests, one a snapshot."""
        return self.root / "snapshots"

    @property
    def tables(self) -> Path:
        """Parquet files, one folder a table."""
        return self.root / "tables"

    @property
    def index(self) -> Path:
        """The full-text index."""
        return self.root / "index"

    @property
    def raw(self) -> Path:
        """Deliveries as they came."""
        return self.root / "raw"

    @property
    def staging(self) -> Path:
        """Work of the refresh that runs now; nothing in it is ever part of a snapshot."""
        return self.root / "staging"

    @property
    def duckdb(self) -> Path:
        """A DuckDB file with views only, derived from the committed snapshot."""
        return self.root / "warehouse.duckdb"

    @property
    def views_sql(self) -> Path:
        """The text of those views."""
        return self.root / "views.sql"


def open_home(path: Path | None) -> Home:
    """The home at ``path``, else at ``$EVIDENCE_HOME``, else in the user's data folder.

    Creates nothing and does not look whether it exists.
    """
    chosen = path or os.environ.get("EVIDENCE_HOME")
    chosen = chosen or platformdirs.user_data_dir("evidence-warehouse", appauthor=False)
    return Home(Path(chosen).expanduser().absolute())


def prepare(home: Home) -> None:
    """Creates the folders of ``home`` and proves that they can be written.

    Raises ``StoreError`` (one line, naming the folder and the mend) when they cannot.
    """
    for folder in (home.root, home.snapshots, home.tables, home.index, home.raw, home.staging):
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / f".probe-{os.getpid()}"
            probe.write_bytes(b"")
            probe.unlink()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns any ``OSError`` of the block into a one-line ``StoreError`` about ``path``."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"cannot write {path}: {_mend(error)}") from error


def _mend(error: OSError) -> str:
    text = " ".join(str(error).split())
    # Arrow reports the number only in its text: "[Errno 28] ... No space left on device"
    full = "No space left" in text
    number = errno.ENOSPC if full else error.errno
    return _MENDS.get(number or 0, text)


def write_text(path: Path, text: str) -> None:
    """Puts ``text`` at ``path`` whole or not at all, on disk before it returns."""
    temp = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with writing(path):
        try:
            with temp.open("w", encoding="utf-8") as out:
                out.write(text)
                out.flush()
                os.fsync(out.fileno())
            temp.replace(path)
        except BaseException:
            temp.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Has the system put the content of ``path`` on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(path: Path) -> None:
    """Has the system put the names in the folder ``path`` on disk (after a rename)."""
    sync_file(path)
