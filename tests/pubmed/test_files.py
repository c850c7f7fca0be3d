"""Which files, in which order, with which checksum."""

import hashlib
from pathlib import Path

import pytest

from etl.errors import SourceError
from etl.sources.pubmed.files import find, identify, official_number


def test_find_takes_a_directory_in_the_order_of_names(tmp_path: Path) -> None:
    for name in ("b.xml", "a.xml.gz", "a.xml.gz.md5", "notes.txt", "c.XML"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "deeper.xml").mkdir()
    (tmp_path / "deeper.xml" / "d.xml").write_bytes(b"x")
    assert [p.name for p in find([tmp_path])] == ["a.xml.gz", "b.xml"]
    other = tmp_path / "notes.txt"
    assert find([other, tmp_path])[0] == other


def test_find_refuses_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        find([tmp_path / "absent"])
    with pytest.raises(SourceError, match=r"no \*\.xml"):
        find([tmp_path])


@pytest.mark.parametrize(
    "spelling",
    ["MD5({name})= {hex}\n", "MD5 ({name}) = {hex}", "{hex}  {name}\n", "{hex} *{name}", "{hex}"],
)
def test_identify_checks_the_md5_beside_the_file(spelling: str, tmp_path: Path) -> None:
    path = tmp_path / "pubmed26n0001.xml.gz"
    path.write_bytes(b"some bytes")
    beside = tmp_path / "pubmed26n0001.xml.gz.md5"
    digest = hashlib.md5(b"some bytes").hexdigest()
    beside.write_text(spelling.format(name=path.name, hex=digest.upper()))
    found = identify(path)
    assert (found.checksum, found.bytes, found.name) == (digest, 10, path.name)
    beside.write_text(spelling.format(name=path.name, hex="0" * 32))
    with pytest.raises(SourceError, match=r"pubmed26n0001\.xml\.gz: MD5 is .*; download") as caught:
        identify(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "<html>Not found</html>", "MD5(other.xml.gz)= " + "0" * 32])
def test_identify_refuses_a_useless_md5_file(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.xml.gz"
    path.write_bytes(b"some bytes")
    (tmp_path / "a.xml.gz.md5").write_text(text)
    with pytest.raises(SourceError, match=r"a\.xml\.gz\.md5: "):
        identify(path)


def test_official_number() -> None:
    assert official_number("pubmed26n1335.xml.gz") == (26, 1335)
    assert official_number("pubmed26n0001.xml") == (26, 1)
    assert official_number("modern0001.xml.gz") is None
    assert official_number("pubmed26n0001.xml.gz.md5") is None
