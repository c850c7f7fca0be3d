"""``_query_log.jsonl``: what was asked, what it wrote; the memory that makes reruns clean."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from warehouse.folder_files import checksum, writing

NAME = "_query_log.jsonl"
# Only names of this form are ever removed: the log is a file that anyone may edit.
_OURS = re.compile(r"(?:grade-[ABCD]|excluded|ungraded)/[A-Za-z0-9][A-Za-z0-9._-]*\.(?:json|txt)")


@dataclass
class Log:
    """The last run of each query key, and every checksum that a file was ever written with."""

    last: dict[str, dict[str, str]] = field(default_factory=dict)
    sums: dict[str, set[str]] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)

    def files_of(self, key: str) -> dict[str, str]:
        """Files that the last run of the query ``key`` stood for."""
        return self.last.get(key, {})

    def files_of_others(self, key: str) -> list[str]:
        """Files that the last run of any other query stood for, in order of names."""
        return sorted({n for other, files in self.last.items() if other != key for n in files})

    def checksums(self, name: str) -> set[str]:
        """Checksums that ``name`` was written with."""
        return self.sums.get(name, set())


def key(query: Mapping[str, Any]) -> str:
    """The identity of a query: the same values, the same key."""
    text = json.dumps(dict(query), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read(out: Path) -> Log:
    """The log of the folder ``out``; lines that are no log lines are passed over and said."""
    log = Log()
    if not (out / NAME).exists():
        return log
    with writing(out / NAME):
        text = (out / NAME).read_text(encoding="utf-8", errors="replace")
        bad = sum(not _take(log, line) for line in text.splitlines() if line.strip())
        if bad:
            log.notices.append(f"{bad} lines of {out / NAME} cannot be read and were passed over")
    return log


def _take(log: Log, line: str) -> bool:
    try:
        said = json.loads(line)
        files = {str(name): str(total) for name, total in said["written"].items()}
        log.last[str(said["key"])] = {n: s for n, s in files.items() if _OURS.fullmatch(n)}
    except (ValueError, KeyError, TypeError, AttributeError):
        return False
    for name, total in files.items():
        log.sums.setdefault(name, set()).add(total)
    return True


def append(out: Path, line: Mapping[str, Any]) -> None:
    """Adds one line; a last line that a killed run left unfinished stays a line of its own."""
    path = out / NAME
    with writing(path):
        torn = path.is_file() and path.stat().st_size and not path.read_bytes().endswith(b"\n")
        with path.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(("\n" if torn else "") + json.dumps(line, ensure_ascii=False) + "\n")


def remove(out: Path, name: str, known: set[str]) -> str:
    """Removes ``name`` if it is as it was written: removed, changed (kept) or gone."""
    path = out / name
    if not _OURS.fullmatch(name) or path.is_symlink() or path.parent.is_symlink():
        return "changed"
    with writing(path):
        if not path.is_file():
            return "gone"
        if checksum(path.read_bytes()) not in known:
            return "changed"
        path.unlink()
    return "removed"
