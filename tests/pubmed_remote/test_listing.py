"""What a place offers."""

import http.server
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from etl.errors import SourceError, TransientSourceError
from etl.sources.http import Transport
from etl.sources.pubmed.listing import RemoteFile, listing, published
from tests.fault_server import FaultServer, Reply, cut, error_page, index_page
from tests.http.conftest import QUICK

ROWS = [
    ("README.txt", "2026-01-29 14:03", "4.5K"),
    ("pubmed26n0002.xml.gz", "2026-01-29 14:05", "19M"),
    ("pubmed26n0002.xml.gz.md5", "2026-01-29 14:05", "60"),
    ("pubmed26n0001.xml.gz", "2026-01-29 14:03", "1.5M"),
    ("pubmed26n0001.xml.gz.md5", "2026-01-29 14:03", "60"),
    ("pubmed26n0001_stats.html", "2026-01-29 14:03", "500"),
]
STRANGE = """
<a href="../baseline/">up</a> <a href='?C=N;O=D'>Name</a> <a href="/pubmed/">Parent Directory</a>
<a href="pubmed26n0007.xml.gz?x=1">q</a> <a href="pubmed26n0008.xml.gz#f">f</a>
<a href="http://other.example/pubmed/pubmed26n0009.xml.gz">other host</a>
<a href="deeper/pubmed26n0010.xml.gz">deeper</a> <a href="/pubmed26n0011.xml.gz">above</a>
<a href="..%2fpubmed26n0012.xml.gz">dots</a> <a href="%2e%2e/x.xml.gz">dots</a> <a>none</a>
<a href="http://[broken/pubmed26n0013.xml.gz">broken</a> <a href=".hidden.xml.gz">hidden</a>
<a href="mailto:x@y.xml">mail</a> <a href="pubmed26n0014.xml.gz.part">part</a> <a href="">empty</a>
"""


def test_an_index_page(server: FaultServer, client: Transport) -> None:
    base = server.on("/pubmed/", Reply(index_page(ROWS, STRANGE)))
    assert listing(base, client) == [
        RemoteFile(
            "pubmed26n0001.xml.gz", base + "pubmed26n0001.xml.gz", 1_677_721, "2026-01-29 14:03"
        ),
        RemoteFile(
            "pubmed26n0002.xml.gz", base + "pubmed26n0002.xml.gz", 20 << 20, "2026-01-29 14:05"
        ),
    ]


def test_other_spellings_of_a_page(server: FaultServer, client: Transport) -> None:
    table = b"""<html><body><table><tr><td><img src="x.gif"></td>
    <td><A HREF="/a/./b%2Exml.gz">b.xml.gz</A></td><td align="right">29-Jan-2026 14:03</td>
    <td align="right">19922944</td></tr>
    <tr><td><a href=./c.xml>c.xml</a><td>&nbsp;</table></html>"""
    base = server.on("/a/", Reply(table))
    assert listing(base, client) == [
        RemoteFile("b.xml.gz", base + "b%2Exml.gz", 19_922_944, "29-Jan-2026 14:03"),
        RemoteFile("c.xml", base + "c.xml"),
    ]


def test_numbers_decide_the_order(server: FaultServer, client: Transport) -> None:
    names = ["pubmed26n10000.xml.gz", "z.xml", "pubmed26n9999.xml.gz", "pubmed25n0001.xml.gz"]
    base = server.on("/a/", Reply(index_page([(n, "2026-01-29 14:03", "-") for n in names])))
    found = listing(base, client)
    assert [f.name for f in found] == [names[3], names[2], names[0], "z.xml"]
    assert found[0].size is None


def test_an_address_without_its_slash(server: FaultServer, client: Transport) -> None:
    page = Reply(index_page(ROWS))
    server.on("/p/", page)
    moved = server.on("/p", Reply(status=301, headers={"Location": "/p/"}))
    assert listing(moved, client)[0].url == server.url + "/p/pubmed26n0001.xml.gz"
    kept = server.on("/q", page)
    assert listing(kept, client)[0].url == server.url + "/q/pubmed26n0001.xml.gz"


def test_the_page_of_pythons_own_server(tmp_path: Path, client: Transport) -> None:
    for name in ("b.xml.gz", "a.xml", "a.xml.md5"):
        (tmp_path / name).write_bytes(b"x")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    handler = partial(Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        try:
            base = f"http://127.0.0.1:{running.server_port}/"
            assert [f.name for f in listing(base, client)] == ["a.xml", "b.xml.gz"]
        finally:
            running.shutdown()


def test_a_page_without_files_is_an_error(server: FaultServer, client: Transport) -> None:
    base = server.on("/a/", Reply(index_page(ROWS[:1])))
    with pytest.raises(SourceError, match=r"links to no \*\.xml") as failed:
        listing(base, client)
    assert not failed.value.retryable and str(failed.value).startswith(base)


@pytest.mark.parametrize(
    "fault", [Reply(status=503), Reply(index_page(ROWS), manner=cut(700)), Reply(b"")]
)
def test_a_page_that_cannot_be_had_is_no_empty_list(
    fault: Reply, server: FaultServer, client: Transport
) -> None:
    with pytest.raises(TransientSourceError):
        listing(server.on("/a/", fault), client)


def test_a_page_without_its_end_is_refused(server: FaultServer, client: Transport) -> None:
    """A server that closes instead of announcing a length can lose the tail unseen."""
    half = index_page(ROWS)[:700]
    with pytest.raises(TransientSourceError, match="middle"):
        listing(server.on("/a/", Reply(half)), client)


def test_one_file(client: Transport) -> None:
    url = "http://127.0.0.1:9/a/pubmed26n0001.xml.gz"
    assert listing(url, client) == [RemoteFile("pubmed26n0001.xml.gz", url)]


def test_a_list_of_addresses(server: FaultServer, client: Transport) -> None:
    text = b"# mine\n\nhttp://127.0.0.1:9/b/pubmed26n0003.xml.gz\npubmed26n0001.xml.gz\r\n"
    base = server.on("/lists/mine.txt", Reply(text))
    assert [f.url for f in listing(base, client)] == [
        "http://127.0.0.1:9/b/pubmed26n0003.xml.gz",
        server.url + "/lists/pubmed26n0001.xml.gz",
    ]
    for bad in (b"ftp://h/a.xml", b"file:///etc/a.xml", b"pubmed26n0001.xml.gz\nwhat\n"):
        server.on("/lists/mine.txt", Reply(bad))
        with pytest.raises(SourceError, match="line "):
            listing(base, client)
    server.on("/lists/mine.txt", error_page())
    with pytest.raises(SourceError, match="links to no"):
        listing(base, client)


def test_a_mirror_directory(tmp_path: Path) -> None:
    for name in ("b.xml.gz", "a.xml", "b.xml.gz.md5", "notes.txt"):
        (tmp_path / name).write_bytes(b"123")
    found = listing(str(tmp_path))
    assert [(f.name, f.local, f.size) for f in found] == [
        ("a.xml", tmp_path / "a.xml", 3),
        ("b.xml.gz", tmp_path / "b.xml.gz", 3),
    ]
    assert listing(str(tmp_path / "a.xml")) == found[:1]
    assert found[0].folder == f"{tmp_path}/"


def test_a_list_file(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.xml.gz").write_bytes(b"1")
    (tmp_path / "a.xml").write_bytes(b"1")
    lines = f"deep/b.xml.gz\n# no\n\n{tmp_path}/a.xml\nhttps://h.example/c.xml.gz\na.xml\n"
    (tmp_path / "files.txt").write_text(lines)
    found = listing(str(tmp_path / "files.txt"))
    assert [f.name for f in found] == ["b.xml.gz", "a.xml", "c.xml.gz"]
    assert [f.local for f in found][2] is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "lists no"),
        (b"absent.xml\n", r"line 1: .*absent\.xml does not exist"),
        (b"http://h.example/readme.txt\n", "line 1 names no"),
        (b"\xff\xfe\0", "neither XML nor a list"),
    ],
)
def test_a_bad_list_file(text: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "files.txt").write_bytes(text)
    with pytest.raises(SourceError, match=says):
        listing(str(tmp_path / "files.txt"))


def test_places_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        listing(str(tmp_path / "absent"))
    with pytest.raises(SourceError, match=r"no \*\.xml"):
        listing(str(tmp_path))


def test_what_nlm_publishes(server: FaultServer) -> None:
    bases = {
        "pubmed-baseline": server.on("/baseline/", Reply(index_page(ROWS))),
        "pubmed-updates": server.on("/updatefiles/", Reply(index_page(ROWS[:1]))),
    }
    client = Transport(replace(QUICK, bases=bases))
    assert [f.name[8:13] for f in published(client)] == ["n0001", "n0002"]
    day = ("pubmed26n0003.xml.gz", "2026-01-30 14:03", "1M")
    server.on("/updatefiles/", Reply(index_page([day, ROWS[1]])))
    found = published(client)
    assert [f.name[8:13] for f in found] == ["n0001", "n0002", "n0003"]
    assert found[1].folder == bases["pubmed-baseline"]
    server.on("/updatefiles/", Reply(status=503))
    with pytest.raises(TransientSourceError):
        published(client)
