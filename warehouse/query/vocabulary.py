"""MeSH as searches use it: from a term to its descriptor, from it to all narrower ones."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from etl.store.index_text import fold

# The tree's top categories are no descriptors; PubMed takes their names as headings.
_CATEGORIES = {
    "anatomy category": "A", "organisms category": "B", "diseases category": "C",
    "chemicals and drugs category": "D",
    "analytical diagnostic and therapeutic techniques and equipment category": "E",
    "psychiatry and psychology category": "F", "phenomena and processes category": "G",
    "disciplines and occupations category": "H",
    "anthropology education sociology and social phenomena category": "I",
    "technology industry agriculture category": "J", "humanities category": "K",
    "information science category": "L", "named groups category": "M", "health care category": "N",
    "publication characteristics category": "V", "geographicals category": "Z",
}  # fmt: skip


@dataclass(frozen=True)
class Heading:
    """A descriptor found for a term; ``preferred`` when the term is its own name.

    ``kind`` is its DescriptorClass: 1 topic, 2 publication type, 3 check tag, 4 place.
    """

    ui: str
    name: str
    preferred: bool
    kind: str


class Vocabulary:
    """MeSH of the open index. Without MeSH in the warehouse it is empty: ``loaded`` is False."""

    def __init__(self, path: Path | None) -> None:
        self._path = path if path is not None and path.is_file() else None

    @property
    def loaded(self) -> bool:
        """Whether there is a MeSH to look terms up in."""
        return self._path is not None

    @cached_property
    def _db(self) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{self._path}?mode=ro&immutable=1", uri=True)

    def find(self, term: str, kind: str = "") -> Heading | None:
        """The descriptor that has ``term`` as its name or entry term; None when there is none.

        ``kind`` is a DescriptorClass to prefer; without it publication types come last.
        """
        if not self.loaded:
            return None
        rows = self._db.execute(
            "select ui, name, preferred, class from term join descriptor using (ui) "
            "where term = ? order by preferred desc, ui",
            (fold(term),),
        ).fetchall()
        found = [Heading(ui, name, bool(own), said or "") for ui, name, own, said in rows]
        found.sort(key=lambda one: one.kind != kind if kind else one.kind == "2")
        return found[0] if found else None

    def category(self, term: str) -> str | None:
        """The tree letter of a top category by its name; None for anything else."""
        return _CATEGORIES.get(fold(term)) if self.loaded else None

    def narrower(self, ui: str) -> list[str]:
        """``ui`` and every descriptor below any of its places in the tree, by UI."""
        if not self.loaded:
            return [ui]
        rows = self._db.execute("select tree_number from tree where ui = ?", (ui,)).fetchall()
        return sorted({ui, *self._below(f"{place}." for (place,) in rows)})

    def in_category(self, letter: str) -> list[str]:
        """Every descriptor of one top category, by UI."""
        return sorted(set(self._below([letter])))

    def _below(self, prefixes: Iterable[str]) -> list[str]:
        question = "select ui from tree where tree_number >= ? and tree_number < ?"
        return [
            ui
            for prefix in prefixes
            for (ui,) in self._db.execute(
                question, (prefix, prefix[:-1] + chr(ord(prefix[-1]) + 1))
            )
        ]

    def names(self, uis: Iterable[str]) -> list[str]:
        """The folded own names of descriptors ``uis``; empty when MeSH is not loaded."""
        if not self.loaded:
            return []
        question = "select name from descriptor where ui = ?"
        rows = [self._db.execute(question, (ui,)).fetchone() for ui in uis]
        return [fold(row[0]) for row in rows if row]
