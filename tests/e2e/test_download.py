"""The nightly job against a server: listing, gaps, redeliveries, next year's baseline, AACT."""

import gzip
import hashlib
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from etl.jobs.refresh import refresh
from etl.jobs.report import Report
from etl.jobs.request import Request
from etl.store.home import Home, open_home
from etl.store.snapshot import current
from etl.store.views import connect
from tests.fault_server import FaultServer, Reply, index_page
from tests.pubmed_xml import article, deletes, write
from tests.run import ROOT


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer() as running:
        yield running


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return open_home(tmp_path / "home")


def packed(tmp_path: Path, *elements: str) -> bytes:
    return write(tmp_path / "made.xml.gz", *elements).read_bytes()


def publish(server: FaultServer, folder: str, files: Mapping[str, bytes | None]) -> str:
    """An index page of these files and the files; None is listed but not there."""
    rows = [
        (n, "2026-11-30 21:00", str(len(d or b"") + number))
        for number, (name, d) in enumerate(files.items())
        for n in (name, name + ".md5")
    ]
    for name, data in files.items():
        if data is None:
            server.on(f"/{folder}/{name}", Reply(status=404))
            server.on(f"/{folder}/{name}.md5", Reply(status=404))
            continue
        md5 = hashlib.md5(data).hexdigest()
        server.on(f"/{folder}/{name}", Reply(data, ranges=True))
        server.on(f"/{folder}/{name}.md5", Reply(f"MD5({name})= {md5}\n".encode()))
    return server.on(f"/{folder}/", Reply(index_page(rows)))


def load(home: Home, *sources: str, **options: object) -> Report:
    return refresh(home, Request(pubmed=sources, **options))  # type: ignore[arg-type]


def titles(home: Home) -> dict[int, str]:
    with connect(home, current(home)) as con:
        return dict(con.execute("select pmid, title from citations").fetchall())


def test_what_is_published_is_loaded_once(server: FaultServer, home: Home, tmp_path: Path) -> None:
    base = publish(
        server,
        "baseline",
        {
            "pubmed26n0001.xml.gz": packed(tmp_path, article(1, "one")),
            "pubmed26n0002.xml.gz": packed(tmp_path, article(2, "two")),
        },
    )
    daily = publish(
        server,
        "updatefiles",
        {"pubmed26n0003.xml.gz": packed(tmp_path, article(1, "one revised"), deletes(2))},
    )
    report = load(home, base, daily)
    assert (report.exit_code, report.failed) == (0, [])
    assert titles(home) == {1: "one revised"}
    before = len(server.seen)
    again = load(home, base, daily)
    assert (again.changed, len(again.skipped)) == (False, 3)
    assert len(server.seen) - before == 2  # the two index pages and nothing else


def test_a_gap_holds_the_later_files_back_until_it_is_filled(
    server: FaultServer, home: Home, tmp_path: Path
) -> None:
    base = publish(
        server, "baseline", {"pubmed26n0001.xml.gz": packed(tmp_path, article(1, "one"))}
    )
    third = packed(tmp_path, article(1, "day three"))
    daily = publish(server, "updatefiles", {"pubmed26n0003.xml.gz": third})
    report = load(home, base, daily)
    assert report.exit_code == 3
    assert "pubmed26n0002.xml.gz: is missing" in report.failed[0].error
    assert titles(home) == {1: "one"}
    second = packed(tmp_path, article(1, "day two"), article(2, "two"))
    daily = publish(
        server, "updatefiles", {"pubmed26n0002.xml.gz": second, "pubmed26n0003.xml.gz": third}
    )
    report = load(home, base, daily)
    assert report.exit_code == 0
    assert titles(home) == {1: "day three", 2: "two"}


def test_a_file_that_cannot_be_had_is_named_and_later_ones_wait(
    server: FaultServer, home: Home, tmp_path: Path
) -> None:
    base = publish(
        server, "baseline", {"pubmed26n0001.xml.gz": packed(tmp_path, article(1, "one"))}
    )
    third = packed(tmp_path, article(1, "day three"))
    daily = publish(
        server, "updatefiles", {"pubmed26n0002.xml.gz": None, "pubmed26n0003.xml.gz": third}
    )
    report = load(home, base, daily)
    assert report.exit_code == 3
    assert any("pubmed26n0002.xml.gz" in failure.error for failure in report.failed)
    assert titles(home) == {1: "one"}
    assert titles_after_allowing_gaps(home, base, daily) == {1: "day three"}


def titles_after_allowing_gaps(home: Home, *sources: str) -> dict[int, str]:
    load(home, *sources, allow_gaps=True)
    return titles(home)


def test_a_changed_file_under_the_same_name_is_loaded_again(
    server: FaultServer, home: Home, tmp_path: Path
) -> None:
    name = "pubmed26n0001.xml.gz"
    base = publish(server, "baseline", {name: packed(tmp_path, article(1, "first"))})
    load(home, base)
    base = publish(server, "baseline", {name: packed(tmp_path, article(1, "second delivery"))})
    report = load(home, base)
    assert report.done == [name]
    assert titles(home) == {1: "second delivery"}


def test_the_next_baseline_replaces_the_base_in_one_commit(
    server: FaultServer, home: Home, tmp_path: Path
) -> None:
    old = publish(
        server,
        "old/baseline",
        {
            "pubmed26n0001.xml.gz": packed(tmp_path, article(1, "old"), article(9, "gone")),
            "pubmed26n0002.xml.gz": packed(tmp_path, article(2, "old")),
        },
    )
    load(home, old)
    opened = connect(home, current(home))
    first = packed(tmp_path, article(1, "new"))
    cut = publish(
        server,
        "baseline",
        {
            "pubmed27n0001.xml.gz": first,
            "pubmed27n0002.xml.gz": gzip.compress(b"<PubmedArticleSet><PubmedArticle>"),
        },
    )
    report = load(home, cut)
    assert (report.exit_code, report.changed) == (1, False)
    assert titles(home)[9] == "gone"
    half = publish(server, "baseline", {"pubmed27n0001.xml.gz": first})
    report = load(home, half)
    assert report.changed is False
    assert "not yet a complete baseline" in report.notices[0]
    assert titles(home)[9] == "gone"
    whole = publish(
        server,
        "baseline",
        {
            "pubmed27n0001.xml.gz": first,
            "pubmed27n0002.xml.gz": packed(tmp_path, article(2, "new"), article(3, "new")),
        },
    )
    report = load(home, whole)
    assert report.exit_code == 0
    assert titles(home) == {1: "new", 2: "new", 3: "new"}
    with opened:  # a reader of the day before still reads its own snapshot
        rows = opened.execute("select distinct title from citations order by 1").fetchall()
    assert rows == [("gone",), ("old",)]


def test_downloads_can_be_dropped_after_the_commit(
    server: FaultServer, home: Home, tmp_path: Path
) -> None:
    base = publish(
        server, "baseline", {"pubmed26n0001.xml.gz": packed(tmp_path, article(1, "one"))}
    )
    load(home, base, keep_raw=False)
    assert not list(home.raw.glob("*.xml.gz"))
    assert load(home, base, keep_raw=False).changed is False


def test_aact_comes_from_an_address_and_not_twice(server: FaultServer, home: Home) -> None:
    path = next((ROOT / "sample").glob("*_export_ctgov.zip"))
    answer = Reply(path.read_bytes(), etag='"1"', ranges=True)
    address = server.on(f"/{path.name}", answer)
    first = refresh(home, Request(pubmed=(str(ROOT / "sample"),), aact=address))
    assert first.exit_code == 0, first.failed
    assert first.tables["trials"] == 30
    before = len([r for r in server.seen if r.method == "GET"])
    again = refresh(home, Request(aact=address))
    assert again.changed is False
    assert len([r for r in server.seen if r.method == "GET"]) == before


def test_a_server_error_page_is_never_data(server: FaultServer, home: Home) -> None:
    page = b"<!DOCTYPE html><html><body>Service unavailable</body></html>"
    address = server.on("/x_export_ctgov.zip", Reply(page))
    report = refresh(home, Request(pubmed=(str(ROOT / "sample"),), aact=address))
    assert report.exit_code == 3
    assert "x_export_ctgov.zip" in report.failed[0].error
    assert "trials" not in report.tables


def test_a_run_leaves_a_page_and_a_summary(home: Home, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    write(folder / "good.xml.gz", article(1, "good"))
    (folder / "bad.xml.gz").write_bytes(gzip.compress(b"<html/>"))
    report = load(home, str(folder))
    page = next((home.root / "logs").glob("refresh-*.txt")).read_text()
    assert report.summary() in page
    assert "bad.xml.gz" in page
    assert "good.xml.gz" in page
    assert "exit     3" in page


def test_a_dry_run_says_what_it_would_load_and_writes_nothing(home: Home, tmp_path: Path) -> None:
    path = write(tmp_path / "good.xml.gz", article(1, "good"))
    report = load(home, str(path), dry_run=True)
    assert report.done == ["good.xml.gz"]
    assert "would load 1 files" in report.summary()
    assert current(home) is None


def foreseen(home: Home, *sources: str, **options: object) -> Report:
    """The report of a dry run, which must be what the real run then does."""
    dry = load(home, *sources, dry_run=True, **options)
    done = load(home, *sources, **options)
    assert (dry.done, dry.skipped) == (done.done, done.skipped)
    assert [f.name for f in dry.failed] == [f.name for f in done.failed]
    assert dry.exit_code == done.exit_code
    return dry


def test_a_dry_run_of_a_server_says_what_the_run_then_does(
    server: FaultServer, home: Home, tmp_path: Path
) -> None:
    names = [f"pubmed26n{n:04}.xml.gz" for n in range(1, 6)]
    files = {name: packed(tmp_path, article(n, name)) for n, name in enumerate(names, 1)}
    gap = dict(list(files.items())[:2] + list(files.items())[3:])  # without the third
    base = publish(server, "baseline", {names[0]: files[names[0]]})
    updates = publish(server, "updatefiles", {n: d for n, d in gap.items() if n != names[0]})
    first = foreseen(home, base, updates)
    assert first.done == names[:2] and [f.name for f in first.failed] == [names[2]]
    assert any("2 files would be downloaded" in line for line in first.notices)
    again = dict(files) | {names[1]: packed(tmp_path, article(2, "delivered anew"))}
    updates = publish(server, "updatefiles", {n: d for n, d in again.items() if n != names[0]})
    second = foreseen(home, base, updates, max_files=2)
    assert len(second.done) == 2
    foreseen(home, base, updates)
    assert foreseen(home, base, updates).done == []


def test_a_dry_run_of_this_disk_says_what_the_run_then_does(home: Home, tmp_path: Path) -> None:
    folder = tmp_path / "mirror"
    folder.mkdir()
    for n in range(1, 4):
        write(folder / f"part{n}.xml.gz", article(n, f"part {n}"))
    (folder / "part2.xml.gz.md5").write_text(f"MD5(part2.xml.gz)= {'0' * 32}\n")
    assert foreseen(home, str(folder)).done == ["part1.xml.gz", "part3.xml.gz"]
    (folder / "part2.xml.gz.md5").unlink()
    write(folder / "part1.xml.gz", article(1, "delivered anew"))
    assert foreseen(home, str(folder), max_files=1).exit_code == 0
    foreseen(home, str(folder))
    assert foreseen(home, str(folder)).skipped != []


def test_a_dry_run_knows_the_registry_and_mesh(home: Home, tmp_path: Path) -> None:
    export = tmp_path / "20260101_export_ctgov.zip"
    with zipfile.ZipFile(export, "w") as archive:
        archive.writestr("studies.txt", "nct_id|brief_title\nNCT00000001|A\n")
    paper = write(tmp_path / "a.xml.gz", article(1))
    asked = {"aact": str(export), "mesh": str(tmp_path / "none.xml")}
    first = foreseen(home, str(paper), **asked)
    assert first.done == ["a.xml.gz", export.name]
    assert [f.name for f in first.failed] == ["none.xml"]
    assert foreseen(home, str(paper), **asked).done == []
