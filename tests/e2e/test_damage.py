"""A home with damaged files: the file and the mend are named, and the mend is right."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.run import evidence


@pytest.fixture
def home(sample_home: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample_home, tmp_path / "home"))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-300])


def overwritten(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4:-600] = os.urandom(len(data) - 604)
    path.write_bytes(data)


def page(path: Path) -> None:
    path.write_text("<html>busy</html>")


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("spoil", [cut, overwritten, page, empty])
@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("graded", ("sql", "select max(hash(t)) from graded as t")),
        ("citations", ("grade", "90000001", "--live", "never")),
        ("trials", ("trials", "--max", "3")),
    ],
)
def test_the_damaged_file_is_named(
    home: Path, spoil: Callable[[Path], None], table: str, words: tuple[str, ...]
) -> None:
    files = list((home / "tables" / table).glob("*.parquet"))
    for file in files:
        spoil(file)
    asked = evidence(*words, "--home", home)
    assert asked.code == 1
    assert asked.err.count("\n") == 1
    named = any(file.name in asked.err for file in files)
    assert (named or spoil is overwritten) and "evidence doctor --deep" in asked.err
    told = evidence("doctor", "--deep", "--home", home, "--json")
    assert told.code == 1
    (found,) = [one for one in told.json if one["check"] == "stored files"]
    assert found["state"] == "broken" and f"tables/{table}/" in found["found"]


def test_what_analysts_do_wrong_stays_theirs(home: Path) -> None:
    asked = evidence("sql", "--home", home, "select nowhere from graded")
    assert asked.code == 2 and "nowhere" in asked.err


@pytest.mark.parametrize("said", ["", "../../etc/passwd\n", "000009.json\n", "\x00\xff"])
def test_the_mend_of_a_bad_current_is_right(home: Path, tmp_path: Path, said: str) -> None:
    (home / "CURRENT").write_text(said)
    (home / "snapshots" / "000008.json").write_text("{")  # never whole
    told = evidence("doctor", "--home", home, "--json")
    (found,) = [one for one in told.json if one["check"] == "snapshot"]
    assert (told.code, found["state"]) == (1, "broken")
    asked = evidence("search", "asthma", "--home", home, "--live", "never")
    assert asked.code == 1 and found["mend"] in asked.err
    subprocess.run(["sh", "-c", found["mend"]], check=True)
    assert evidence("search", "asthma", "--home", home, "--live", "never").code == 0


def test_without_any_whole_snapshot_a_new_home_is_advised(home: Path) -> None:
    (home / "CURRENT").write_text("x")
    for manifest in (home / "snapshots").glob("*.json"):
        manifest.write_text("{")
    asked = evidence("status", "--home", home)
    assert asked.code == 1 and "NEW_FOLDER" in asked.err
