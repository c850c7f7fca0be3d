"""Whole files or none, and JSON of warehouse values."""

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any

from etl.errors import StoreError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns an ``OSError`` of the block into a one-line ``StoreError`` about ``path``."""
    try:
        yield
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise StoreError(f"cannot write {path}: {why}; name another place with --out") from error


def write_bytes(path: Path, content: bytes) -> None:
    """Puts ``content`` at ``path`` whole or not at all; a file that holds it is left alone."""
    with writing(path):
        if not path.is_symlink() and path.is_file() and path.read_bytes() == content:
            return
        temp = path.with_name(f".{os.getpid()}.tmp")
        try:
            temp.write_bytes(content)
            temp.replace(path)
        finally:
            with contextlib.suppress(OSError):
                temp.unlink(missing_ok=True)


def encoded(document: Any) -> bytes:
    """``document`` as indented JSON in UTF-8, dates as ISO text."""
    text = json.dumps(document, ensure_ascii=False, indent=2, default=_said)
    return utf8(f"{text}\n")


def utf8(text: str) -> bytes:
    """``text`` in UTF-8; half a surrogate pair, which JSON may hold, as a question mark."""
    return text.encode("utf-8", "replace")


def _said(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    raise TypeError(f"no JSON form for {type(value).__name__}")


def checksum(content: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(content).hexdigest()
