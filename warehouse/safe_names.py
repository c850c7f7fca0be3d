"""File names and cells that are safe on every system and in every spreadsheet."""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from warehouse.citations import short_journal
from warehouse.people import authors_of, first_name

LONGEST = 120  # bytes of a stem; 255 is the least that file systems allow, paths add folders
_PART = 40
# letters that Unicode does not take apart into a Latin letter and a sign
_LATIN = str.maketrans({
    "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae", "Æ": "AE",
    "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "Th", "ð": "d", "Ð": "D", "ı": "i", "ħ": "h", "Ħ": "H",
})  # fmt: skip
# Windows takes these for devices, whatever the ending (Microsoft, "Naming Files").
_DEVICES = {"con", "prn", "aux", "nul"} | {f"{d}{n}" for d in ("com", "lpt") for n in range(10)}
# A cell that begins like this is run as a formula by spreadsheet programs (CWE-1236).
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def plain(text: str, limit: int = _PART) -> str:
    """ASCII letters, digits and inner dots and dashes of ``text``; empty when there are none."""
    folded = unicodedata.normalize("NFKD", text.translate(_LATIN))
    kept = re.sub(r"[^A-Za-z0-9.-]+", "", folded.encode("ascii", "ignore").decode())
    return kept.strip(".-")[:limit].strip(".-")


def stem(record: Mapping[str, Any]) -> str:
    """``PMID-32786187_DiNardo-NEJM-2020``: unique through its identifier, ASCII, short.

    An author or journal in another script is written ``Author`` or ``Journal``; a record without
    author begins with its journal.
    """
    name = identity(record)
    authors = authors_of(record)
    parts = [
        (plain(first_name(authors)) or "Author") if authors else "",
        plain(short_journal(record)) or "Journal",
        str(record.get("year") or "nd"),
    ]
    return f"{name}_{'-'.join(part for part in parts if part)}"[:LONGEST].rstrip(".-")


def identity(record: Mapping[str, Any]) -> str:
    """``PMID-123``, ``NCT01234567``, ``DOI-…``: the part of the name that says which record.

    An identifier that had to be changed or cut gets a piece of its checksum, so that two never
    share a name.
    """
    given = str(record.get("evidence_id") or f"PMID:{record.get('pmid')}")
    said = re.sub(r"[:/]+", "-", given)
    short = plain(said, 60) or "record"
    if short != said:
        short += "-" + hashlib.sha256(given.encode()).hexdigest()[:8]
    return f"{short}-id" if short.lower().split(".")[0] in _DEVICES else short


def cell(value: object) -> str:
    """``value`` as a CSV cell: lists joined by ``'; '``, never a formula."""
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        value = "; ".join(str(item) for item in value)
    text = str(value)
    return f"'{text}" if isinstance(value, str) and text.lstrip(" ").startswith(_FORMULA) else text
