"""Which delivered files are new, and the place of each in the order of application.

A file's place (``seq``) is fixed when it is first met and kept for good, so that a file which
failed, or came late, still takes effect where it belongs:

* NLM's own names (``pubmed26n1335.xml.gz``) carry their place: year and number;
* any other file stands after the one given before it;
* a second delivery under the same name with other bytes stands right after the first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from etl.errors import SourceError
from etl.sources.pubmed.files import PubmedFile, identify, official_number

# Room between two of NLM's numbers for files of other names and for second deliveries.
ROOM = 1000


@dataclass(frozen=True)
class Planned:
    """One file to load and its place."""

    file: PubmedFile
    seq: int
    modified_ns: int


@dataclass(frozen=True)
class Failure:
    """One delivery that could not be loaded, with the reason as one line."""

    name: str
    error: str
    seq: int | None = None


@dataclass(frozen=True)
class Plan:
    """What a refresh will do with the PubMed files it was given."""

    todo: tuple[Planned, ...]
    skipped: tuple[str, ...]
    failed: tuple[Failure, ...]


def plan(paths: Sequence[Path], known: Mapping[str, Any]) -> Plan:
    """Sort the files at ``paths`` into new, already applied and unreadable.

    ``known`` is what the last snapshot says under ``sources["pubmed"]``: ``files`` maps a name
    to its applied deliveries (checksum, seq, bytes, modified_ns), ``failed`` a name to its
    reserved place.
    """
    places = _Places(known)
    todo: list[Planned] = []
    skipped: list[str] = []
    failed: list[Failure] = []
    for path in paths:
        if not path.is_file():
            error = f"{path}: is a link that leads nowhere, or no ordinary file; deliver it again"
            failed.append(Failure(path.name, error, places.take(path.name)))
            continue
        if places.unchanged(path) is not None:
            skipped.append(path.name)
            continue
        try:
            file = identify(path)
        except SourceError as error:
            failed.append(Failure(path.name, str(error), places.take(path.name)))
            continue
        if places.applied(file):
            skipped.append(path.name)
            continue
        todo.append(Planned(file, places.take(path.name), path.stat().st_mtime_ns))
    return Plan(tuple(sorted(todo, key=lambda p: p.seq)), tuple(skipped), tuple(failed))


class _Places:
    """Hands out places; remembers the one last given, because order follows the arguments."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        self._files: Mapping[str, list[dict[str, Any]]] = known.get("files", {})
        self._reserved = {name: f["seq"] for name, f in known.get("failed", {}).items()}
        seqs = [d["seq"] for ds in self._files.values() for d in ds]
        live = known.get("live", {}).get("seq", 0)  # records fetched live, if there are any
        self._used = {*seqs, *self._reserved.values(), live}
        self._last = max(self._used, default=0)

    def unchanged(self, path: Path) -> int | None:
        """Place of an applied delivery of the same name, size and time; saves reading it again."""
        stat = path.stat()
        for delivery in self._files.get(path.name, []):
            if (delivery["bytes"], delivery["modified_ns"]) == (stat.st_size, stat.st_mtime_ns):
                return int(delivery["seq"])
        return None

    def applied(self, file: PubmedFile) -> bool:
        return any(d["checksum"] == file.checksum for d in self._files.get(file.name, []))

    def take(self, name: str) -> int:
        seq = self._reserved.pop(name, None)
        if seq is None:
            seq = self._free(self._wanted(name))
        self._used.add(seq)
        self._last = max(self._last, seq)
        return int(seq)

    def _wanted(self, name: str) -> int:
        number = official_number(name)
        if number is None:
            return self._last + 1
        return (number[0] * 100_000 + number[1]) * ROOM

    def _free(self, seq: int) -> int:
        while seq in self._used:
            seq += 1
        return seq


def live_place(known: Mapping[str, Any]) -> int:
    """The place of records fetched now: after every file applied, before NLM's next one.

    The room between two of NLM's numbers can be used up by many small fetches: then the last
    place is given again, and what came later under one place counts as later.
    """
    files = [d["seq"] for ds in known.get("files", {}).values() for d in ds]
    last = int(max([*files, known.get("live", {}).get("seq", 0)], default=0))
    following = last + 1
    return last if following % ROOM == 0 and last >= ROOM else following


def remember(known: Mapping[str, Any], done: Iterable[Planned], failed: Iterable[Failure]) -> Any:
    """``known`` with the files of one refresh added, ready for the next snapshot."""
    files = {name: list(deliveries) for name, deliveries in known.get("files", {}).items()}
    still = dict(known.get("failed", {}))
    for planned in done:
        still.pop(planned.file.name, None)
        files.setdefault(planned.file.name, []).append(
            {
                "checksum": planned.file.checksum,
                "seq": planned.seq,
                "bytes": planned.file.bytes,
                "modified_ns": planned.modified_ns,
            }
        )
    for failure in failed:
        still[failure.name] = {"seq": failure.seq, "error": failure.error}
    return {**known, "files": files, "failed": still}
