"""A home for index tests: only its index and its manifests."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Place:
    """What the index needs of a home."""

    index: Path
    snapshots: Path

    def committed(self, number: int) -> "Snap":
        """Say that snapshot ``number`` is committed."""
        (self.snapshots / f"{number:06d}.json").write_text("{}")
        return Snap(number)


@dataclass(frozen=True)
class Snap:
    """What the index needs of a snapshot."""

    id: int
    tables: dict[str, Any] = field(default_factory=dict)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty home."""
    (tmp_path / "snapshots").mkdir()
    return Place(tmp_path / "index", tmp_path / "snapshots")
