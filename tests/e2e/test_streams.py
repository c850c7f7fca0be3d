"""Closed streams, locales without UTF-8 and words that are no UTF-8: the command still works."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pubmed_xml import article, write
from tests.run import ROOT, evidence

COMMAND = f'{sys.executable} -c "from cli.main import main; main()"'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse whose one title is Greek."""
    root = tmp_path_factory.mktemp("streams")
    source = write(root / "greek.xml.gz", article(7, "Interferon α in hepatitis"))
    assert evidence("refresh", "--home", root / "home", "--pubmed", source).code == 0
    return root / "home"


def shell(words: str, home: Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-c", f"{COMMAND} {words}"],
        cwd=ROOT, capture_output=True, timeout=120, check=False,
        env={**os.environ, "EVIDENCE_HOME": str(home), **env},
    )  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "search interferon --live never >&-",
        "search interferon --live never >&- 2>&- <&-",
        "grade 7 --json --live never >&-",
        "sql 'select title from citations' --csv >&-",
        "status >&- <&-",
    ],
)
def test_a_closed_output_is_nobody_reading(home: Path, words: str) -> None:
    done = shell(words, home)
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"Traceback" not in done.stderr


def test_work_is_done_though_every_stream_is_closed(tmp_path: Path) -> None:
    source = write(tmp_path / "a.xml.gz", article(1, "kept"))
    words = f"refresh --pubmed {source} <&- >&- 2>&-"
    assert shell(words, tmp_path / "home").returncode == 0
    held = evidence("sql", "--home", tmp_path / "home", "select pmid from citations", "--json")
    assert held.json == [{"pmid": 1}]


@pytest.mark.parametrize("words", ["grade --file - <&-", "report - <&-", "report - </dev/null"])
def test_a_closed_or_empty_input_is_no_answer(home: Path, words: str) -> None:
    done = shell(words, home)
    assert done.returncode == 2, done.stdout
    assert done.stderr.count(b"\n") == 1
    assert done.stdout == b""


@pytest.mark.parametrize(
    "locale",
    [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "ascii"}],
)
@pytest.mark.parametrize("form", ["--json", "--csv", ""])
def test_output_is_utf8_in_every_locale(home: Path, locale: dict[str, str], form: str) -> None:
    clean = {"PYTHONUTF8": "", "LC_ALL": "", "PYTHONIOENCODING": ""}
    words = f"sql \"select title from citations where title like '%α%'\" {form}"
    done = shell(words, home, **(clean | locale))
    assert done.returncode == 0, done.stderr
    assert "Interferon α" in done.stdout.decode()


def test_a_word_that_is_no_utf8_is_an_answer_and_no_traceback(home: Path) -> None:
    done = shell(r"search $'interf\xe9ron' --live never --json", home)
    assert done.returncode in {0, 3}, done.stderr
    done.stdout.decode()
