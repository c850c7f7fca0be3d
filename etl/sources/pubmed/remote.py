"""PubMed files from where they are published to this disk, each verified by its MD5.

Facts: beside each ``X.xml.gz`` stands ``X.xml.gz.md5``; NLM sometimes replaces a file under the
same name (https://ftp.ncbi.nlm.nih.gov/pubmed/updatefiles/README.txt).
"""

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from etl.errors import SourceError
from etl.sources.http import Transport, transport
from etl.sources.http_errors import StatusError, scrub
from etl.sources.pubmed.files import checksum_in, identify
from etl.sources.pubmed.listing import NothingOfferedError, RemoteFile, listing, published
from etl.sources.pubmed.order import (
    Sequenced,
    applied_year,
    baseline_number,
    is_new_baseline,
    new_baseline,
    sequence,
)
from etl.sources.raw import RESERVE, Note, RawFolder, md5_of

__all__ = [
    "Coming",
    "Failed",
    "Fetched",
    "NothingOfferedError",
    "RemoteFile",
    "Result",
    "Sequenced",
    "Unchanged",
    "applied_year",
    "baseline_number",
    "drop",
    "fetch",
    "is_new_baseline",
    "listing",
    "look",
    "new_baseline",
    "published",
    "sequence",
]

Progress = Callable[[str, int, int | None], None]
T = TypeVar("T")

TYPICAL = 64 << 20  # bytes to reckon with for a file whose size nobody states; NLM's are smaller
ROUNDS = 3  # downloads of one file before its MD5 is believed to be wrong
IN_A_ROW = 5  # failures without a success between them after which a server counts as gone
_ABSENT = (403, 404, 410)  # object stores answer 403 for a name that does not exist


@dataclass(frozen=True)
class Fetched:
    """A file that is here, whole and verified, and not loaded yet.

    ``checksum`` is its MD5 (hex). ``changed``: another delivery of the same name is loaded
    already. ``temporary``: ``drop`` may remove it after loading (never one of a mirror).
    """

    name: str
    path: Path
    checksum: str
    changed: bool = False
    downloaded: bool = False
    temporary: bool = False


@dataclass(frozen=True)
class Unchanged:
    """A file whose present bytes are loaded already; it need not be here."""

    name: str
    checksum: str


@dataclass(frozen=True)
class Failed:
    """A file that could not be had; ``error`` is one line, ``retryable``: later it may be."""

    name: str
    error: str
    retryable: bool


@dataclass(frozen=True)
class Coming:
    """A file that would be downloaded: ``size`` in bytes, as its place says it or as usual."""

    name: str
    size: int


Result = Fetched | Unchanged | Failed


def fetch(  # noqa: PLR0913 - each option stands for itself
    files: Sequence[RemoteFile],
    raw_dir: Path,
    known: Mapping[str, Collection[str]],
    *,
    workers: int = 3,
    keep_raw: bool = True,
    progress: Progress | None = None,
    server: Transport | None = None,
    reserve: int = RESERVE,
) -> list[Result]:
    """Brings ``files`` into ``raw_dir``; one result a file, in their order.

    ``known`` maps a name to the MD5s of its deliveries that are loaded. A file whose listing
    says the same as when it was loaded costs no request; else its .md5 is asked, and only other
    bytes than those loaded or lying here are downloaded, at most ``workers`` at a time. Files
    on this machine are verified where they are. With ``keep_raw`` False the downloads are
    ``temporary``. ``progress`` gets name, bytes so far and bytes in all (None while unknown),
    one call at a time.

    A file that cannot be had is ``Failed`` and the others go on, until the server has failed
    ``IN_A_ROW`` times in a row: then the rest is not tried. Raises ``StoreError`` when the disk
    has not the room (before anything is downloaded) or refuses a file.
    """
    asked = server or transport()
    job = _Fetch(RawFolder(raw_dir), known, asked, progress, temporary=not keep_raw)
    firsts: dict[str, RemoteFile] = {}
    for file in files:
        firsts.setdefault(file.name, file)
    found = job.map(workers, job.look, list(firsts.values()))
    todo = [plan for plan in found if isinstance(plan, _Todo)]
    job.raw.need(sum(plan.size for plan in todo), reserve if todo else 0)
    brought = job.map(workers, job.bring, todo)
    results = {r.name: r for r in (*found, *brought) if not isinstance(r, _Todo)}
    job.save_notes()
    return [_result(file, firsts[file.name], results) for file in dict.fromkeys(files)]


def look(
    files: Sequence[RemoteFile],
    raw_dir: Path,
    known: Mapping[str, Collection[str]],
    *,
    workers: int = 3,
    server: Transport | None = None,
) -> list[Result | Coming]:
    """What ``fetch`` would do with ``files``; nothing is downloaded or noted.

    A name that was never loaded costs no request: what its place lists is believed.
    """
    job = _Fetch(RawFolder(raw_dir), known, server or transport(), None, temporary=False)
    doubtful = [file for file in files if file.name in known]
    seen = dict(zip(doubtful, job.map(workers, job.look, doubtful), strict=True))
    found = [seen.get(file) or Coming(file.name, file.size or TYPICAL) for file in files]
    return [Coming(f.name, f.size) if isinstance(f, _Todo) else f for f in found]


def drop(results: Iterable[Result], raw_dir: Path) -> None:
    """Removes the temporary files among ``results``, after what they hold was committed."""
    raw = RawFolder(raw_dir)
    for result in results:
        if isinstance(result, Fetched) and result.temporary:
            raw.drop(result.name)


def _result(file: RemoteFile, first: RemoteFile, results: Mapping[str, Result]) -> Result:
    if file.url == first.url:
        return results[file.name]
    return Failed(
        file.name,
        f"{scrub(file.url)}: {scrub(first.url)} has the same name; load them one after the other",
        retryable=False,
    )


@dataclass(frozen=True)
class _Todo:
    """A file to download: the MD5 its place states, the mark of its version, bytes to come."""

    file: RemoteFile
    stated: str | None
    mark: str | None
    size: int

    @property
    def name(self) -> str:
        return self.file.name


class _Stopped(Exception):
    """Another thread has failed for good; nobody reads this one's result."""


class _Fetch:
    """One call of ``fetch``; its methods run in several threads."""

    def __init__(
        self,
        raw: RawFolder,
        known: Mapping[str, Collection[str]],
        server: Transport,
        progress: Progress | None,
        *,
        temporary: bool,
    ) -> None:
        self.raw = raw
        self._known = known
        self._server = server
        self._progress = progress
        self._temporary = temporary
        self._notes = raw.notes()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._in_a_row = 0

    def map(
        self, workers: int, work: Callable[[T], "Result | _Todo"], items: Sequence[T]
    ) -> list["Result | _Todo"]:
        """``work`` on every item in threads; the first exception stops the others soon."""
        with ThreadPoolExecutor(max(1, workers)) as pool:
            futures = [pool.submit(work, item) for item in items]
            try:
                done, _ = wait(futures, return_when=FIRST_EXCEPTION)
                for broken in filter(None, (future.exception() for future in done)):
                    raise broken
            except BaseException:
                self._stop.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            return [future.result() for future in futures]

    # -- what has to be fetched ----------------------------------------------------------------

    def look(self, file: RemoteFile) -> "Result | _Todo":
        """Decides about one file with as little traffic as possible."""
        return self._guarded(file, lambda: self._look(file))

    def _look(self, file: RemoteFile) -> "Result | _Todo":
        mark, size = self._mark(file)
        noted = self._notes.get(file.name)
        same = noted if noted is not None and noted.mark == mark else None
        if same is not None and self._is_loaded(file, same.checksum):
            return Unchanged(file.name, same.checksum)
        if file.local is not None:
            return self._verified(file, mark, identify(file.local).checksum, file.local)
        stated = self._stated(file)
        if stated is not None and self._is_loaded(file, stated):
            return self._verified(file, mark, stated, self.raw.path(file.name))
        wanted = stated or (same.checksum if same else None)
        if wanted is not None and self.raw.checksum(file.name) == wanted:
            return self._verified(file, mark, wanted, self.raw.path(file.name))
        return _Todo(file, stated, mark, size)

    def _mark(self, file: RemoteFile) -> tuple[str | None, int]:
        """What tells this version from another without its bytes, and the size to reckon with."""
        if file.modified is not None:
            return f"{file.url} {file.modified} {file.size}", file.size or TYPICAL
        try:
            headers = self._server.head(file.url).headers
        except StatusError:
            return None, TYPICAL  # some servers know no HEAD; a GET will tell what is wrong
        length = headers.get("content-length", "")
        version = headers.get("etag") or headers.get("last-modified")
        mark = f"{file.url} {version} {length}" if version else None
        return mark, int(length) if length.isdecimal() else TYPICAL

    def _stated(self, file: RemoteFile) -> str | None:
        """The MD5 in the file beside it; None when there is no such file."""
        where = file.url + ".md5"
        answer = self._server.get(where, expect="text", accept=_ABSENT)
        if answer.status in _ABSENT:
            return None
        return checksum_in(answer.body.decode("ascii", "replace"), file.name, scrub(where))

    def _is_loaded(self, file: RemoteFile, checksum: str) -> bool:
        return checksum in self._known.get(file.name, ())

    def _verified(
        self, file: RemoteFile, mark: str | None, checksum: str, path: Path, *, new: bool = False
    ) -> Fetched | Unchanged:
        if mark is not None:
            with self._lock:
                self._notes[file.name] = Note(mark, checksum)
        if self._is_loaded(file, checksum):
            return Unchanged(file.name, checksum)
        return Fetched(
            file.name,
            path,
            checksum,
            changed=bool(self._known.get(file.name)),
            downloaded=new,
            temporary=self._temporary and file.local is None,
        )

    # -- fetching ------------------------------------------------------------------------------

    def bring(self, todo: _Todo) -> "Result | _Todo":
        """Downloads one file and verifies it."""
        return self._guarded(todo.file, lambda: self._bring(todo))

    def _bring(self, todo: _Todo) -> Fetched | Unchanged | Failed:
        file, stated, have = todo.file, todo.stated, ""
        for _ in range(ROUNDS):
            path = self._download(file)
            have = md5_of(path)
            if stated in (None, have):
                placed = self.raw.accept(file.name, stated)
                return self._verified(file, todo.mark, have, placed, new=True)
            path.unlink()
            stated = self._stated(file)  # file and checksum may have been replaced just now
        return Failed(
            file.name,
            f"{scrub(file.url)}: MD5 is {have}, but {file.name}.md5 says {stated}, {ROUNDS} times "
            "over; run the command again later",
            retryable=True,
        )

    def _download(self, file: RemoteFile) -> Path:
        return self._server.download(
            file.url,
            self.raw.incoming(file.name),
            expect="gzip" if file.name.endswith(".gz") else "xml",
            progress=lambda done, total: self._tell(file.name, done, total),
        )

    def _tell(self, name: str, done: int, total: int | None) -> None:
        if self._stop.is_set():
            raise _Stopped
        if self._progress is not None:
            with self._lock:
                self._progress(name, done, total)

    def _guarded(self, file: RemoteFile, work: Callable[[], "Result | _Todo"]) -> "Result | _Todo":
        if self._stop.is_set():
            raise _Stopped
        if self._in_a_row >= IN_A_ROW and file.local is None:
            where = scrub(file.folder)
            return Failed(file.name, f"{where}: not tried, the server fails", retryable=True)
        try:
            done = work()
        except SourceError as error:
            self._in_a_row = self._in_a_row + 1 if error.retryable else 0
            return Failed(file.name, str(error), error.retryable)
        self._in_a_row = 0
        return done

    def save_notes(self) -> None:
        """Keeps what the places said, for the next time."""
        if self._notes != self.raw.notes():
            self.raw.note(self._notes)
