"""A warehouse of somebody else, which we may read and not write."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.run import ROOT, evidence

# root writes everywhere unless it gives this up (capabilities(7))
UNPRIVILEGED = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


@pytest.fixture(scope="module")
def read_only(sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The sample's warehouse, asked once by its owner, then without any right to write."""
    home = Path(shutil.copytree(sample_home, tmp_path_factory.mktemp("theirs") / "home"))
    assert evidence("search", "--home", home, "asthma", "--live", "never", "--no-cache").code == 0
    places = [home, *home.rglob("*")]
    for place in places:
        place.chmod(0o555 if place.is_dir() else 0o444)
    yield home
    for place in places:
        place.chmod(0o755 if place.is_dir() else 0o644)


def asked(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from cli.main import main; main()", *words]
    return subprocess.run(
        [*(UNPRIVILEGED if os.geteuid() == 0 else []), *command],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, "EVIDENCE_HOME": str(home), "EVIDENCE_LIVE": "never"},
    )  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        ("search", "asthma", "--no-cache"),
        ("search", "asthma", "--explain"),
        ("grade", "90000001", "--json"),
        ("sql", "select count(*) from graded"),
        ("trials", "--max", "1"),
        ("status",),
        ("doctor",),
        ("strategy", "therapy", "asthma"),
        ("check", "budesonide reduces asthma exacerbations"),
    ],
    ids=lambda words: " ".join(words)[:20],
)
def test_it_answers(read_only: Path, words: tuple[str, ...]) -> None:
    assert not os.access(read_only / "CURRENT", os.W_OK) or os.geteuid() == 0
    done = asked(read_only, *words)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode in {0, 3}, done.stderr
    assert done.stdout.strip()


def test_a_refresh_says_that_it_may_not_write(read_only: Path) -> None:
    done = asked(read_only, "refresh", "--pubmed", str(ROOT / "sample"))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "denied" in done.stderr.lower(), done.stderr
