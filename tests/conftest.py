"""Fixtures shared by all tests."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real records that lies beside a checkout of the project; skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"real records are not here: {SHARED}")
    return SHARED
