"""The answers cache: SQLite, seven days for searches, thirty for grades.

Both tables have the seed's columns and one more: ``state``, which names the warehouse, its
snapshot and the rule version that answered. Only answers of the present state are given, so a
refreshed warehouse never answers from the past. A damaged file is replaced, with a notice; a
cache that cannot be used costs nothing but the notice. Several processes may use one file.
"""

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from warehouse.cache_tables import prepare

DEFAULT = Path("~/.claude/skills/medical-evidence-grading/cache.sqlite")
OFF = Path("off")  # as ``$EVIDENCE_CACHE`` too: nothing is looked up, nothing kept
SEARCH_DAYS = 7
GRADE_DAYS = 30
WAIT_MS = 2000  # how long to wait for another process that writes
_MOST_BYTES = 8 * 2**20  # an answer larger than this costs more to keep than to find again
_MOST_SEARCHES = 2000
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class AnswerCache:
    """One cache file. No method raises for what is wrong with it: see ``notices``."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self.notices: list[str] = []

    def search(self, key: str, state: str) -> dict[str, Any] | None:
        """The answer kept under ``key`` for ``state``, not older than seven days; else None."""
        sql = (
            "select result_json from evidence_cache where query_hash = ? and state = ? "
            "and expires_at > ? and created_at <= ?"
        )
        found = self._read(sql, (key, state, _stamp(), _stamp()))
        return _document(found[0][0]) if found else None

    def keep_search(self, key: str, state: str, query: str, answer: Mapping[str, Any]) -> None:
        """Keeps ``answer`` for seven days; those that are past are removed."""
        text = json.dumps(answer, ensure_ascii=False)
        if len(text) > _MOST_BYTES:
            return
        row = (
            key, query, text, _stamp(), _stamp(SEARCH_DAYS), bool(answer.get("fast_path_used")),
            answer.get("total"), state,
        )  # fmt: skip
        self._write(
            ("delete from evidence_cache where expires_at <= ?", [(_stamp(),)]),
            (
                "insert or replace into evidence_cache (query_hash, query_text, result_json, "
                "created_at, expires_at, fast_path_used, total_results, state) "
                "values (?, ?, ?, ?, ?, ?, ?, ?)",
                [row],
            ),
            (
                "delete from evidence_cache where query_hash in (select query_hash from "
                "evidence_cache order by created_at desc limit -1 offset ?)",
                [(_MOST_SEARCHES,)],
            ),
        )

    def grades(self, pmids: Iterable[str], state: str) -> dict[str, dict[str, Any]]:
        """Whole rows by PMID as ``keep_grades`` got them, not older than thirty days."""
        sql = (
            "select pmid, result_json from pmid_grade_cache where state = ? and cached_at > ? "
            "and cached_at <= ? and pmid in (select value from json_each(?))"
        )
        asked = json.dumps(list(dict.fromkeys(pmids)))
        rows = self._read(sql, (state, _stamp(-GRADE_DAYS), _stamp(), asked))
        found = {pmid: _document(text) for pmid, text in rows}
        return {pmid: row for pmid, row in found.items() if row is not None}

    def keep_grades(self, rows: Iterable[Mapping[str, Any]], state: str) -> None:
        """Keeps graded rows for thirty days; PMIDs that were not found are not kept."""
        now = _stamp()
        values = [
            (
                row["pmid"], json.dumps(row["publication_types"], ensure_ascii=False),
                row["sample_size"], row["grade"], row["grade_rationale"], now, state,
                json.dumps(dict(row), ensure_ascii=False),
            )
            for row in rows
            if row.get("found")
        ]  # fmt: skip
        if values:
            past = [(_stamp(-GRADE_DAYS),)]
            self._write(
                ("delete from pmid_grade_cache where cached_at <= ?", past),
                (
                    "insert or replace into pmid_grade_cache (pmid, publication_types, "
                    "sample_size, grade, grade_rationale, cached_at, state, result_json) "
                    "values (?, ?, ?, ?, ?, ?, ?, ?)",
                    values,
                ),
            )

    def _read(self, statement: str, values: tuple[Any, ...]) -> list[Any]:
        if not self.path.is_file():
            return []
        with self._guarded(), contextlib.closing(self._open()) as con:
            return con.execute(statement, values).fetchall()
        return []

    def _write(self, *work: tuple[str, list[tuple[Any, ...]]]) -> None:
        """Each statement with its rows, all in one transaction."""
        with self._guarded():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            con = self._open()
            with contextlib.closing(con), con:
                for statement, rows in work:
                    con.executemany(statement, rows)

    def _open(self) -> sqlite3.Connection:
        con = sqlite3.connect(self.path, timeout=WAIT_MS / 1000)
        try:
            prepare(con, WAIT_MS)
        except BaseException:
            con.close()
            raise
        return con

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _BROKEN:
                self._rebuild()
            else:
                self._say(f"answers are not kept: {self.path}: {error}")
        except OSError as error:
            self._say(f"answers are not kept: {self.path}: {error.strerror or error}")

    def _rebuild(self) -> None:
        """Replaces the damaged file by an empty one, one process at a time."""
        guard = self.path.with_name(f"{self.path.name}.rebuild")
        try:
            # another process may be at it: its lock is released even when it is killed
            lock = sqlite3.connect(guard, timeout=WAIT_MS / 1000, isolation_level=None)
            with contextlib.closing(lock):
                lock.execute("begin exclusive")
                if self._is_broken():
                    for end in ("", "-wal", "-shm"):
                        self.path.with_name(self.path.name + end).unlink(missing_ok=True)
                    self._open().close()
                    self._say(f"the cache {self.path} was damaged: it was made anew, empty")
        except (sqlite3.Error, OSError) as error:
            self._say(f"answers are not kept: {self.path} is damaged and stays so: {error}")

    def _is_broken(self) -> bool:
        try:
            with contextlib.closing(self._open()) as con:
                found = con.execute("pragma quick_check(1)").fetchone()
                return bool(found != ("ok",))
        except sqlite3.DatabaseError as error:
            return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BROKEN

    def _say(self, text: str) -> None:
        if text not in self.notices:
            self.notices.append(text)


def default_path() -> Path:
    """``$EVIDENCE_CACHE`` when it is set, else the seed's place in the user's home."""
    return Path(os.environ.get("EVIDENCE_CACHE") or DEFAULT).expanduser()


def is_off(path: Path | None) -> bool:
    """Whether ``path``, or ``$EVIDENCE_CACHE`` where it is None, says that nothing is kept."""
    return (path or Path(os.environ.get("EVIDENCE_CACHE", ""))) == OFF


def _stamp(days: int = 0) -> str:
    """UTC now, ``days`` later, as sortable text."""
    return (datetime.now(UTC) + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _document(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, TypeError):
        return None
    return found if isinstance(found, dict) else None
