"""Damaged and hostile deliveries: a one-line SourceError that names the file and the mend."""

import gzip
import io
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from etl.errors import SourceError
from etl.sources.pubmed.files import identify
from etl.sources.pubmed.parse import parse_file, to_table
from tests.pubmed.xml import article, article_set

GOOD = article_set(*(article(n) for n in range(1, 2001)))
HTML = b"<!DOCTYPE html>\n<html><head><title>503</title></head><body>Busy</body></html>"
BOMB = (
    b'<?xml version="1.0"?>\n<!DOCTYPE PubmedArticleSet [<!ENTITY a0 "'
    + b"x" * 100
    + b'">'
    + b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 9))
    + b"]>"
)


def _zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("pubmed26n0001.xml", GOOD)
    return buffer.getvalue()


def _flipped() -> bytes:
    data = bytearray(gzip.compress(GOOD))
    data[-6] ^= 0xFF
    return bytes(data)


CASES: dict[str, tuple[bytes, str]] = {
    "empty file": (b"", "empty"),
    "gzip of nothing": (gzip.compress(b""), "not XML"),
    "gzip cut at half": (gzip.compress(GOOD)[: len(gzip.compress(GOOD)) // 2], "too early"),
    "gzip without its last byte": (gzip.compress(GOOD)[:-1], "too early"),
    "gzip header only": (gzip.compress(GOOD)[:7], "too early"),
    "gzip with a wrong checksum": (_flipped(), "damaged"),
    "bytes after the gzip": (gzip.compress(GOOD) + b"\nnonsense", "after the end"),
    "XML cut in the middle": (gzip.compress(GOOD[: len(GOOD) // 2]), "cut or damaged"),
    "XML cut after a record": (GOOD[: GOOD.rindex(b"<PubmedArticle>")], "cut or damaged"),
    "text after the root": (GOOD + b"and more", "cut or damaged"),
    "a second root": (GOOD + b"<PubmedArticleSet/>", "cut or damaged"),
    "HTML page": (HTML, "HTML page"),
    "HTML page in gzip": (gzip.compress(HTML), "HTML page"),
    "XHTML page": (b'<?xml version="1.0"?><html xmlns="x"><body/></html>', "HTML page"),
    "zip": (_zip(), "zip archive"),
    "other root": (b"<eSearchResult><Count>0</Count></eSearchResult>", "root element is eSearch"),
    "plain text": (b"no results", "not XML"),
    "UTF-16": (GOOD.decode().replace('"utf-8"', '"utf-16"').encode("utf-16"), "not XML in UTF-8"),
    "declaration only": (b'<?xml version="1.0"?>\n', "damaged"),
    "not UTF-8": (GOOD.replace(b"A trial of tea.", b"A trial\xff\xfe of tea.", 1), "damaged"),
    "record without PMID": (
        article_set(article(1), "<PubmedArticle><MedlineCitation/></PubmedArticle>"),
        "record 2 has no valid PMID",
    ),
    "PMID of letters": (article_set(article(1).replace(">1<", ">one<")), "no valid PMID"),
    "delete without PMID": (
        article_set("<DeleteCitation><PMID>x</PMID></DeleteCitation>"),
        "not a PMID",
    ),
    "declared entities": (
        BOMB + b"<PubmedArticleSet>" + article(1, title="&a8;").encode() + b"</PubmedArticleSet>",
        "entities",
    ),
    "external entity": (
        b'<!DOCTYPE PubmedArticleSet [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        b"<PubmedArticleSet>" + article(1, title="&x;").encode() + b"</PubmedArticleSet>",
        "entities",
    ),
    "unknown entity": (article_set(article(1, title="5 &alpha; 6")), "alpha"),
}


@pytest.mark.parametrize("case", CASES)
def test_one_line_names_the_file(case: str, tmp_path: Path) -> None:
    data, words = CASES[case]
    path = tmp_path / "pubmed26n0001.xml.gz"
    path.write_bytes(data)
    with pytest.raises(SourceError) as caught:
        to_table(path, 1)
    message = str(caught.value)
    assert words in message
    assert message.startswith(str(path))
    assert "\n" not in message


def _gzip_of(blocks: Iterator[bytes], path: Path) -> None:
    packer = zlib.compressobj(9, wbits=31)
    with path.open("wb") as file:
        for block in blocks:
            file.write(packer.compress(block))
        file.write(packer.flush())


def _endless_title() -> Iterator[bytes]:
    yield article_set(article(1))[:-20] + b"<PubmedArticle><MedlineCitation><Article><ArticleTitle>"
    for _ in range(200):
        yield b"a" * (1 << 20)


def _endless_record() -> Iterator[bytes]:
    yield b"<PubmedArticleSet><PubmedArticle><MedlineCitation><KeywordList>"
    for _ in range(200):
        yield b"<Keyword>a</Keyword>" * 50_000


def _endless_dtd() -> Iterator[bytes]:
    yield b"<!DOCTYPE PubmedArticleSet ["
    for _ in range(200):
        yield b"<!-- a lot -->" * 70_000


def _endless_blanks() -> Iterator[bytes]:
    for _ in range(200):
        yield b" " * (1 << 20)


@pytest.mark.parametrize("blocks", [_endless_title, _endless_record, _endless_dtd, _endless_blanks])
def test_gzip_bomb_ends_soon(blocks: Callable[[], Iterator[bytes]], tmp_path: Path) -> None:
    path = tmp_path / "bomb.xml.gz"
    _gzip_of(blocks(), path)
    start = time.process_time()
    with pytest.raises(SourceError, match=r"bomb\.xml\.gz"):
        to_table(path, 1)
    assert time.process_time() - start < 5


def test_entity_bomb_of_10_gb_ends_at_once(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xml"
    path.write_bytes(BOMB + b"<PubmedArticleSet>&a8;</PubmedArticleSet>")
    start = time.process_time()
    with pytest.raises(SourceError, match="entities"):
        to_table(path, 1)
    assert time.process_time() - start < 1


def test_dtd_and_network_are_never_asked(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    head = '<!DOCTYPE PubmedArticleSet SYSTEM "http://127.0.0.1:9/none.dtd">'
    path.write_bytes(article_set(article(1), head=head))
    assert to_table(path, 1)[0].num_rows == 1


def test_a_failure_may_come_after_tables_but_never_returns(tmp_path: Path) -> None:
    path = tmp_path / "cut.xml"
    path.write_bytes(GOOD[: len(GOOD) // 2])
    emitted: list[int] = []
    with pytest.raises(SourceError):
        parse_file(path, 1, lambda table: emitted.append(table.num_rows), batch_rows=100)
    assert emitted and set(emitted) == {100}


def test_unreadable_path(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        to_table(tmp_path / "absent.xml.gz", 1)
    with pytest.raises(SourceError, match="cannot be read"):
        identify(tmp_path / "absent.xml.gz")
