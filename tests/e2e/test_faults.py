"""Hostile and broken deliveries through the command: named, nothing lost, the rest loaded."""

import gzip
import hashlib
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.pubmed_xml import article, write
from tests.run import Outcome, evidence


def refresh(home: Path, *pubmed: Path, aact: Path | None = None) -> Outcome:
    args = [arg for path in pubmed for arg in ("--pubmed", path)]
    return evidence("refresh", "--home", home, *args, *(["--aact", aact] if aact else []), "--json")


def titles(home: Path) -> dict[int, str]:
    rows = evidence("sql", "--home", home, "select pmid, title from citations", "--json").json
    return {row["pmid"]: row["title"] for row in rows}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A warehouse with one good citation."""
    root = tmp_path / "home"
    assert refresh(root, write(tmp_path / "first.xml.gz", article(1, "kept"))).code == 0
    return root


def truncated_gzip(path: Path) -> None:
    write(path, *(article(n) for n in range(100, 160)))
    path.write_bytes(path.read_bytes()[:-200])


def cut_xml(path: Path) -> None:
    write(path, article(100), article(101))
    text = gzip.decompress(path.read_bytes())
    path.write_bytes(gzip.compress(text[: len(text) - 300]))


def wrong_md5(path: Path) -> None:
    write(path, article(100))
    path.with_name(path.name + ".md5").write_text(f"MD5({path.name})= {'0' * 32}\n")


def html_page(path: Path) -> None:
    path.write_bytes(
        b"<!DOCTYPE html><html><head><title>503</title></head><body>busy</body></html>"
    )


def html_in_gzip(path: Path) -> None:
    path.write_bytes(gzip.compress(b"<html><body>Not found</body></html>"))


def empty_file(path: Path) -> None:
    path.write_bytes(b"")


def entity_bomb(path: Path) -> None:
    entities = '<!ENTITY a0 "lollollollol">' + "".join(
        f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)
    )
    text = f"<!DOCTYPE PubmedArticleSet [{entities}]><PubmedArticleSet><PubmedArticle>&a9;"
    path.write_bytes(gzip.compress(f"{text}</PubmedArticle></PubmedArticleSet>".encode()))


def outside_entity(path: Path) -> None:
    doctype = '<!DOCTYPE PubmedArticleSet [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    body = article(100, "TITLE").replace("TITLE", "&x;")
    text = f"{doctype}<PubmedArticleSet>{body}</PubmedArticleSet>"
    path.write_bytes(gzip.compress(text.encode()))


@pytest.mark.parametrize(
    "spoil",
    [truncated_gzip, cut_xml, wrong_md5, html_page, html_in_gzip, empty_file, entity_bomb],
)
def test_a_broken_file_is_named_and_the_rest_is_loaded(
    home: Path, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    spoil(folder / "broken.xml.gz")
    write(folder / "good.xml.gz", article(200, "good"))
    started = time.monotonic()
    outcome = refresh(home, folder)
    assert outcome.code == 3
    assert time.monotonic() - started < 60
    failed = outcome.json["files"]["failed"]
    assert [f["file"] for f in failed] == ["broken.xml.gz"]
    assert len(outcome.err.strip().splitlines()) == 1
    assert "broken.xml.gz" in outcome.err
    assert titles(home) == {1: "kept", 200: "good"}
    # mended, it is tried again and takes its place
    (folder / "broken.xml.gz.md5").unlink(missing_ok=True)
    write(folder / "broken.xml.gz", article(100, "mended"))
    assert refresh(home, folder).code == 0
    assert titles(home) == {1: "kept", 100: "mended", 200: "good"}


def test_an_entity_never_reads_a_file(home: Path, tmp_path: Path) -> None:
    outside_entity(tmp_path / "entity.xml.gz")
    outcome = refresh(home, tmp_path / "entity.xml.gz")
    assert "root:" not in str(titles(home))
    assert outcome.code in (0, 1, 3)


def test_only_broken_files_exit_1_and_leave_the_snapshot(tmp_path: Path) -> None:
    truncated_gzip(tmp_path / "broken.xml.gz")
    outcome = refresh(tmp_path / "home", tmp_path / "broken.xml.gz")
    assert outcome.code == 1
    assert "broken.xml.gz" in outcome.err
    assert "nothing loaded, there is no snapshot" in outcome.json["summary"]
    assert not (tmp_path / "home" / "CURRENT").exists()
    for words in (("search", "asthma"), ("grade", "1"), ("status",)):
        asked = evidence(*words, "--home", tmp_path / "home")
        assert asked.code == 1 and "run evidence refresh --pubmed" in asked.err
    good = refresh(tmp_path / "home", write(tmp_path / "broken.xml.gz", article(1, "mended")))
    assert good.code == 0 and titles(tmp_path / "home") == {1: "mended"}


def test_only_broken_files_leave_the_data_of_before(home: Path, tmp_path: Path) -> None:
    truncated_gzip(tmp_path / "broken.xml.gz")
    outcome = refresh(home, tmp_path / "broken.xml.gz")
    assert outcome.code == 1
    assert "holds what was loaded before" in outcome.json["summary"]
    assert titles(home) == {1: "kept"}
    told = evidence("status", "--home", home, "--json").json
    assert [failed["file"] for failed in told["failed_files"]] == ["broken.xml.gz"]


def zip_without_members(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "nothing here")


def zip_with_cut_dump(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("postgres.dmp", b"PGDMP\x01\x0e\x00" + b"\x04\x08\x01" + b"\x00" * 40)


def page_named_zip(path: Path) -> None:
    html_page(path)


@pytest.mark.parametrize("spoil", [zip_without_members, zip_with_cut_dump, page_named_zip])
def test_a_broken_aact_delivery_is_named_and_citations_are_loaded(
    home: Path, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(tmp_path / "20260101_clinical_trials_ctgov.zip")
    good = write(tmp_path / "good.xml.gz", article(200, "good"))
    outcome = refresh(home, good, aact=tmp_path / "20260101_clinical_trials_ctgov.zip")
    assert outcome.code == 3
    assert "20260101_clinical_trials_ctgov.zip" in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1
    assert titles(home) == {1: "kept", 200: "good"}


def test_a_missing_source_is_a_one_line_error(home: Path, tmp_path: Path) -> None:
    outcome = refresh(home, tmp_path / "nowhere")
    assert outcome.code == 1
    assert "nowhere" in outcome.err
    assert titles(home) == {1: "kept"}


def test_an_unwritable_home_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    outcome = refresh(file / "home", write(tmp_path / "a.xml.gz", article(1)))
    assert outcome.code == 1
    assert str(file) in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1


def test_a_second_refresh_at_once_exits_4(home: Path, tmp_path: Path) -> None:
    hold = (
        "import sys, time; from pathlib import Path; from etl.store.home import open_home; "
        "from etl.store.lock import refresh_lock\n"
        "with refresh_lock(open_home(Path(sys.argv[1]))): print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, home], stdout=subprocess.PIPE, text=True
    ) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline().strip() == "held"
            outcome = refresh(home, write(tmp_path / "b.xml.gz", article(2)))
        finally:
            holder.kill()
    assert outcome.code == 4
    assert str(holder.pid) in outcome.err
    assert titles(home) == {1: "kept"}
    # the dead owner's lock is taken over
    assert refresh(home, tmp_path / "b.xml.gz").code == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 3 MB."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"this machine does not mount tmpfs: {mounted.stderr.decode().strip()}")
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_full_disk_is_said_and_the_snapshot_stays(small_disk: Path, tmp_path: Path) -> None:
    home = small_disk / "home"
    assert refresh(home, write(tmp_path / "first.xml.gz", article(1, "kept"))).code == 0
    noise = [article(n, hashlib.sha256(str(n).encode()).hexdigest() * 20) for n in range(2, 9000)]
    outcome = refresh(home, write(tmp_path / "large.xml.gz", *noise))
    assert outcome.code == 1
    assert "No space left" in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1
    assert titles(home) == {1: "kept"}


def test_a_missing_current_is_damage_and_the_way_back_is_named(home: Path, tmp_path: Path) -> None:
    (home / "CURRENT").unlink()
    outcome = refresh(home, write(tmp_path / "b.xml.gz", article(2)))
    assert outcome.code == 1
    assert "CURRENT is missing" in outcome.err
    assert (home / "snapshots" / "000001.json").exists()
    (home / "CURRENT").write_text("000001.json\n")
    assert titles(home) == {1: "kept"}


def test_a_lost_file_of_grades_is_made_again(home: Path) -> None:
    for path in (home / "tables" / "graded").glob("*.parquet"):
        path.unlink()
    outcome = evidence("refresh", "--home", home, "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.json["changed"] is True
    assert evidence("grade", "--home", home, "1", "--json").json[0]["grade"] == "ungraded"


def test_a_lost_file_of_citations_is_named(home: Path, tmp_path: Path) -> None:
    lost = next((home / "tables" / "citations").glob("*.parquet"))
    lost.unlink()
    outcome = refresh(home, write(tmp_path / "b.xml.gz", article(2)))
    assert outcome.code == 1
    assert lost.name in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1


@pytest.mark.parametrize("command", [["grade", "1"], ["sql", "from graded"]])
def test_a_damaged_file_is_one_line(home: Path, command: list[str]) -> None:
    for path in (home / "tables" / "graded").glob("*.parquet"):
        path.write_bytes(path.read_bytes()[:40])
    outcome = evidence(*command, "--home", home)
    assert outcome.code in (1, 2)
    assert len(outcome.err.strip().splitlines()) == 1


def test_links_to_nowhere_and_pipes_are_named(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    write(folder / "good.xml.gz", article(200, "good"))
    (folder / "gone.xml.gz").symlink_to(tmp_path / "nowhere")
    os.mkfifo(folder / "pipe.xml.gz")
    outcome = refresh(home, folder)
    assert outcome.code == 3
    assert {f["file"] for f in outcome.json["files"]["failed"]} == {"gone.xml.gz", "pipe.xml.gz"}
    assert titles(home) == {1: "kept", 200: "good"}


def test_pmids_in_another_encoding_are_rubbish_lines_not_a_traceback(
    home: Path, tmp_path: Path
) -> None:
    listed = tmp_path / "list.txt"
    listed.write_bytes(b"1\n\xff\xfe2\x00\n")
    outcome = evidence("grade", "--home", home, "--file", listed, "--json")
    assert outcome.code == 3
    assert [row["pmid"] for row in outcome.json] == ["1"]
    assert "line 2" in outcome.err


def test_json_has_no_nan(home: Path) -> None:
    outcome = evidence("sql", "--home", home, "select 'nan'::double as x, [1 / 0.0] as y", "--json")
    assert outcome.json == [{"x": "nan", "y": ["inf"]}]


def test_a_full_output_is_one_line(home: Path) -> None:
    command = [sys.executable, "-c", "from cli.main import main; main()", "status", "--json"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*command, "--home", home], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert "Traceback" not in done.stderr
