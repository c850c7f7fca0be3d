"""The command as a user runs it: other process, addresses from the environment."""

import os
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from etl.jobs.refresh import refresh
from etl.jobs.request import Request
from etl.store.home import open_home
from tests.fault_server import FaultServer, Reply
from tests.live.conftest import NAMES
from tests.live.eutils import EFETCH, ESEARCH, article_set, found, serve
from tests.pubmed_xml import RCT, article, write
from tests.run import evidence

NOW = datetime.now(UTC).year
NEW = {
    n: article(
        n, "Asthma: a new trial", types=[RCT], year=NOW, abstract=f"We randomised {n} patients."
    )
    for n in range(1001, 1101)
}  # fmt: skip


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loaded")
    path = write(folder / "pubmed26n0001.xml.gz", *(article(n, "Asthma") for n in range(1, 9)))
    refresh(open_home(folder / "home"), Request(pubmed=(str(path),)))
    return folder / "home"


@pytest.fixture
def home(loaded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(loaded, tmp_path / "home"))


@pytest.fixture
def env(server: FaultServer, tmp_path: Path) -> dict[str, str]:
    bases = {
        f"EVIDENCE_BASE_{name.upper().replace('-', '_')}": f"{server.url}/{name}" for name in NAMES
    }
    own = {"EVIDENCE_LIVE": "gaps", "EVIDENCE_CACHE": str(tmp_path / "cache.sqlite")}
    return {**os.environ, **bases, **own, "HOME": str(tmp_path), "NCBI_API_KEY": "secret-key"}


def run(env: Any, home: Path, *args: str | Path) -> Any:
    return evidence(*args, "--home", home, env=env)


def test_a_hundred_missing_pmids_once(server: FaultServer, home: Path, env: Any) -> None:
    serve(server, NEW)
    started = time.monotonic()
    done = run(env, home, "grade", *map(str, NEW), "--json")
    seconds = time.monotonic() - started
    assert done.code == 0 and all(row["found"] for row in done.json), done.err
    assert len(server.seen) == 1
    assert run(env, home, "grade", *map(str, NEW), "--json").code == 0 and len(server.seen) == 1
    assert seconds < 6.0, seconds  # a whole process; the library's 3 s are in test_grade


def test_failures_exit_3_and_keep_secrets(server: FaultServer, home: Path, env: Any) -> None:
    server.on(EFETCH, Reply(b'{"error":"bad","api-key":"secret-key"}', 400))
    done = run(env, home, "grade", "1", "1001", "--json")
    assert done.code == 3 and [row["found"] for row in done.json] == [True, False]
    assert "gave no answer" in done.err and "secret-key" not in done.err + done.out


def test_a_search_with_a_failing_source_exits_3(server: FaultServer, home: Path, env: Any) -> None:
    server.on(ESEARCH, Reply(b"no", 400))
    done = run(env, home, "search", "asthma", "--since", "all", "--live", "always", "--json")
    assert done.code == 3 and "pubmed-eutils" in done.json["incomplete"]
    assert len(done.json["results"]) == 8


@pytest.mark.parametrize("state", ["failed", "offline"])
def test_a_report_tells_what_failed(
    server: FaultServer, home: Path, env: Any, state: str, tmp_path: Path
) -> None:
    server.on(ESEARCH, Reply(b"no", 400))
    if state == "offline":
        env = env | {k: "http://127.0.0.1:9" for k in env if k.startswith("EVIDENCE_BASE_")}
    asked = ("search", "asthma", "--since", "all", "--live", "always", "--json", "--lang", "en")
    done = run(env, home, *asked, "--out", tmp_path / "out")
    said = {
        ("failed", "en"): "pubmed-eutils gave no answer",
        ("failed", "zh"): "pubmed-eutils 未返回结果",
        ("offline", "en"): "No live source could be reached (pubmed-eutils",
        ("offline", "zh"): "无法连接任何实时来源(pubmed-eutils",
    }
    assert said[state, "en"] in (tmp_path / "out" / "_summary.md").read_text(encoding="utf-8")
    for form in ("markdown", "html", "json"):
        for lang in ("en", "zh"):
            options = ("--format", form, "--lang", lang, "--home", home)
            told = evidence("report", "-", *options, stdin=done.out, env=env)
            assert told.code == 0 and said[state, lang] in told.out, (form, lang)


def test_never_and_offline_exit_0(server: FaultServer, home: Path, env: Any) -> None:
    done = run(env, home, "search", "asthma", "--since", "all", "--live", "never", "--json")
    assert done.code == 0 and done.json["sources"] == [] and not server.seen
    gone = {k: "http://127.0.0.1:9" for k in env if k.startswith("EVIDENCE_BASE_")}
    far = ("search", "asthma", "--since", "all", "--live", "always", "--json")
    done = run({**env, **gone}, home, *far)
    assert done.code == 0 and done.json["offline"] and done.err.count("no network") == 1


def test_a_scan_from_the_command_line(server: FaultServer, home: Path, env: Any) -> None:
    server.on(ESEARCH, Reply(found([1001])))
    server.on(EFETCH, Reply(article_set([NEW[1001]])))
    done = run(env, home, "search", "--novelty", "asthma", "--json")
    assert [row["is_new"] for row in done.json["results"]] == [True], done.err
    gone = {name: "http://127.0.0.1:9" for name in env if name.startswith("EVIDENCE_BASE_")}
    alone = run({**env, **gone}, home, "search", "--novelty", "asthma", "--json")
    assert (alone.code, alone.json["offline"], alone.json["total"]) == (3, True, None)
    told = run({**env, **gone}, home, "search", "--novelty", "asthma")
    assert "not known what is new" in told.out and "0 new" not in told.out
    bad = run(env, home, "search", "--novelty", "asthma", "--live", "never")
    assert bad.code == 2 and "--live gaps" in bad.err
