"""A home on a real disk."""

import sys
from pathlib import Path

import pytest

from etl.store.home import Home, open_home, prepare

sys.path.insert(0, str(Path(__file__).parent))  # store_helpers is shared by these tests only


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty, prepared home."""
    made = open_home(tmp_path / "home")
    prepare(made)
    return made
