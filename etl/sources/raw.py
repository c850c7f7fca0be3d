"""Deliveries as they came, on disk: put in place only when verified, remembered, dropped."""

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from etl.errors import StoreError
from etl.store.home import sync_folder, write_text, writing

# Room that must stay free beside the downloads: the manifests and indexes of a small warehouse.
RESERVE = 64 << 20
_NOTES = "listed.json"


@dataclass(frozen=True)
class Note:
    """What a place said of a file when its bytes had the MD5 ``checksum``."""

    mark: str
    checksum: str


class RawFolder:
    """The folder ``raw`` of a warehouse, or any other that holds deliveries."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)

    def path(self, name: str) -> Path:
        """Where the delivery ``name`` lies or would lie."""
        return self.folder / name

    def incoming(self, name: str) -> Path:
        """Where it lies until it is verified."""
        return self.folder / f"{name}.new"

    def checksum(self, name: str) -> str | None:
        """MD5 (hex) of the delivery ``name``; None when it is not here."""
        return md5_of(self.path(name)) if self.path(name).is_file() else None

    def accept(self, name: str, stated: str | None) -> Path:
        """Puts the verified incoming file in place, ``stated`` (its MD5) in a file beside it."""
        path, beside = self.path(name), self.path(name + ".md5")
        with writing(path):
            beside.unlink(missing_ok=True)  # never an old checksum beside new bytes
            self.incoming(name).replace(path)
            sync_folder(self.folder)
        if stated is not None:
            write_text(beside, f"MD5({name})= {stated}\n")
        return path

    def drop(self, name: str) -> None:
        """Removes a delivery and its checksum; what was noted about it stays."""
        with writing(self.folder):
            self.path(name).unlink(missing_ok=True)
            self.path(name + ".md5").unlink(missing_ok=True)

    def notes(self) -> dict[str, Note]:
        """What was noted, by name; empty when nothing was or when it cannot be read."""
        try:
            noted = json.loads(self.path(_NOTES).read_text(encoding="utf-8"))
            return {name: Note(n["mark"], n["checksum"]) for name, n in noted.items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return {}  # asking the place again is all that is lost

    def note(self, notes: Mapping[str, Note]) -> None:
        """Replaces all notes."""
        rows = {n: {"mark": x.mark, "checksum": x.checksum} for n, x in sorted(notes.items())}
        write_text(self.path(_NOTES), json.dumps(rows, indent=0))

    def need(self, size: int, reserve: int = RESERVE) -> None:
        """``StoreError`` unless ``size`` bytes and the reserve are free on this disk."""
        with writing(self.folder):
            free = shutil.disk_usage(self.folder).free
        if free < size + reserve:
            raise StoreError(
                f"{self.folder}: {size + reserve} bytes are needed ({size} of downloads and a "
                f"reserve), {free} are free; free some, name another folder with --home, "
                "or load fewer files at once with --max-files"
            )


def md5_of(path: Path) -> str:
    """MD5 (hex) of the file at ``path``; ``StoreError`` when it cannot be read."""
    with writing(path), path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
