"""A file from a server to the disk: resumed where it stopped, in place only when it is whole."""

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from etl.errors import SourceError
from etl.sources.http_attempts import persist
from etl.sources.http_checks import HEAD, Kind, is_html, wrong_start
from etl.sources.http_errors import Passing, scrub
from etl.sources.http_exchange import Answer, Ask, Exchange
from etl.sources.http_limits import Deadline
from etl.sources.http_settings import Settings
from etl.store.home import sync_file, sync_folder, write_text, writing

_RANGE = re.compile(r"bytes (?:(\d+)-\d+|\*)/(\d+|\*)")


@dataclass(frozen=True)
class Wanted:
    """What is to be fetched to where; ``size`` in bytes and ``expect`` where they are known.

    ``progress`` gets the bytes so far and in all (None while unknown).
    """

    url: str
    target: Path
    size: int | None
    expect: Kind | None
    progress: Callable[[int, int | None], None]


class Download:
    """One file on its way. ``<target>.part`` holds the bytes so far, ``<target>.part.json``
    says which version of which address they belong to.
    """

    def __init__(self, exchange: Exchange, wanted: Wanted) -> None:
        self._exchange = exchange
        self._wanted = wanted
        self._target = wanted.target
        self._part = self._target.with_name(self._target.name + ".part")
        self._note = self._target.with_name(self._target.name + ".part.json")
        self._gained = 0

    def run(self) -> Path:
        """Fetches, resumes, checks and renames; see ``Transport.download``."""
        settings = self._exchange.settings
        deadline = Deadline(settings.download_seconds)
        with writing(self._target.parent):
            self._target.parent.mkdir(parents=True, exist_ok=True)
        persist(settings, self._wanted.url, deadline, lambda: self._attempt(deadline))
        with writing(self._target):
            sync_file(self._part)
            self._part.replace(self._target)
            self._note.unlink(missing_ok=True)
            sync_folder(self._target.parent)
        return self._target

    def _attempt(self, deadline: Deadline) -> None:
        held, validator = self._resumable()
        headers = {"Accept-Encoding": "identity"}
        if held:
            headers |= {"Range": f"bytes={held}-", "If-Range": validator}
        ask = Ask("GET", self._wanted.url, headers, frozenset({416}), patient=True)
        self._gained = 0
        try:
            with self._exchange.open(ask, deadline) as answer:
                self._take(answer, held, validator)
        except Passing as failure:
            failure.gained = self._gained
            raise

    def _take(self, answer: Answer, held: int, validator: str) -> None:
        start, total = self._place(answer, held, validator)
        if answer.status == 416:
            answer.raw.close()
            self._nothing_left(held, total)
            return
        self._admit(total)
        if start == 0:
            self._begin(answer)
        self._receive(answer, start, total)

    # -- what is here already ------------------------------------------------------------------

    def _resumable(self) -> tuple[int, str]:
        """Bytes that can be kept, and the validator of their version; 0 bytes: start anew."""
        try:
            note = json.loads(self._note.read_text(encoding="utf-8"))
            held = self._part.stat().st_size
        except (OSError, ValueError):
            return 0, ""
        known = isinstance(note, dict) and note.get("url") == self._wanted.url
        validator = note.get("validator") if known else None
        return (held, validator) if isinstance(validator, str) and validator else (0, "")

    def _start_anew(self) -> None:
        with writing(self._part):
            self._note.unlink(missing_ok=True)
            self._part.unlink(missing_ok=True)

    def _place(self, answer: Answer, held: int, validator: str) -> tuple[int, int | None]:
        """Where the body of this answer begins in the file, and the size of the whole file."""
        if answer.status == 200:
            return 0, answer.length
        match = _RANGE.fullmatch(answer.headers.get("content-range", ""))
        total = int(match[2]) if match and match[2] != "*" else None
        follows = match is not None and match[1] is not None and int(match[1]) == held
        if answer.status == 206 and not (follows and _validator(answer) in ("", validator)):
            # some servers overlook If-Range and would join two versions of a file
            self._start_anew()
            raise Passing("answered with another part or version of the file than was asked for")
        return held, total

    def _nothing_left(self, held: int, total: int | None) -> None:
        """416 is good news when exactly the bytes that are here are all there are."""
        if not held or total != held or self._wanted.size not in (None, held):
            self._start_anew()
            raise Passing("has no such part of the file", 416)
        self._wanted.progress(held, total)

    def _admit(self, total: int | None) -> None:
        self._bound(total or 0)
        if None not in (total, self._wanted.size) and total != self._wanted.size:
            self._start_anew()
            raise Passing(f"offers {total} bytes where {self._wanted.size} are expected")

    def _bound(self, size: int) -> None:
        limit = self._exchange.settings.download_limit
        if size > limit:
            self._start_anew()
            raise SourceError(
                f"{scrub(self._wanted.url)}: is larger than the {limit} bytes that are expected at "
                "most; check the address"
            )

    # -- what arrives --------------------------------------------------------------------------

    def _begin(self, answer: Answer) -> None:
        self._start_anew()
        write_text(
            self._note, json.dumps({"url": self._wanted.url, "validator": _validator(answer)})
        )

    def _receive(self, answer: Answer, start: int, total: int | None) -> None:
        pace = _Pace(self._exchange.settings)
        done = start
        with writing(self._part):
            out = self._part.open("ab")
        with out:
            for chunk in answer.chunks(decode=False):
                if done == 0 and self._wanted.expect not in (None, "html") and is_html(chunk):
                    break  # an error page; _finish says so
                with writing(self._part):
                    out.write(chunk)
                done += len(chunk)
                self._gained = done - start
                self._bound(done)
                self._wanted.progress(done, total)
                pace.check(len(chunk))
            with writing(self._part):
                out.flush()
        self._finish(done, total)

    def _finish(self, done: int, total: int | None) -> None:
        with writing(self._part), self._part.open("rb") as file:
            wrong = wrong_start(file.read(HEAD), self._wanted.expect)
        if wrong is None and total is not None and done != total:
            wrong = f"announced {total} bytes and sent {done}"
        if wrong is None and self._wanted.size not in (None, done):
            wrong = f"sent {done} bytes where {self._wanted.size} are expected"
        if wrong:
            self._start_anew()
            raise Passing(wrong)


def _validator(answer: Answer) -> str:
    """What tells this version of the file from another: a strong ETag, else the time of change.

    A weak ETag may not stand in If-Range (RFC 9110, 13.1.5).
    """
    tag = answer.headers.get("etag", "")
    strong = "" if tag.startswith("W/") else tag
    return strong or answer.headers.get("last-modified", "")


class _Pace:
    """Ends a transfer that still moves but would never come to its end."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._since = time.monotonic()
        self._bytes = 0

    def check(self, arrived: int) -> None:
        """Counts bytes; ``Passing`` when a whole window brought too few."""
        self._bytes += arrived
        now = time.monotonic()
        seconds = now - self._since
        if seconds < self._settings.slow_seconds:
            return
        if self._bytes < self._settings.slow_bytes:
            raise Passing(f"sent only {self._bytes} bytes in {seconds:.0f} s")
        self._since, self._bytes = now, 0
