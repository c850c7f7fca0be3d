"""What a place offers: an index page, a mirror directory, or a list of addresses.

Source of the shape of NLM's page: https://ftp.ncbi.nlm.nih.gov/pubmed/baseline/ (Apache's
mod_autoindex); nginx's and Python's own pages differ only in what stands beside the links.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from etl.errors import SourceError
from etl.sources.http import Transport, transport
from etl.sources.http_checks import HEAD, is_html
from etl.sources.http_errors import scrub
from etl.sources.pubmed.files import find, official_number

_NAME = re.compile(r"[A-Za-z0-9][\w.+-]*\.xml(?:\.gz)?", re.ASCII)
_WHEN = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?|\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d")
_SIZE = re.compile(r"\s*(\d+)(?:\.(\d+))?\s*([KMGT]?)(?![\w:.-])")
_UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}


@dataclass(frozen=True)
class RemoteFile:
    """One XML file that a place offers.

    ``url`` is an address or, on this machine, a path. ``size`` is in bytes and never below the
    true one (pages round: ``19M`` counts as 20 MiB); None where it is not said.
    ``modified`` is the text of the page, whose time zone nobody states, and serves only to be
    compared; None where it is not said.
    """

    name: str
    url: str
    size: int | None = None
    modified: str | None = None

    @property
    def folder(self) -> str:
        """Everything of ``url`` before the name."""
        return self.url[: self.url.rindex("/") + 1] if "/" in self.url else ""

    @property
    def local(self) -> Path | None:
        """The path when the file is on this machine."""
        return None if is_address(self.url) else Path(self.url)


class NothingOfferedError(SourceError):
    """An index page was read whole and links to no XML file."""


def is_address(text: str) -> bool:
    """Whether ``text`` is a web address rather than a path."""
    return text.lower().startswith(("http://", "https://"))


def listing(base: str, server: Transport | None = None) -> list[RemoteFile]:
    """The XML files that ``base`` offers, in the order of application, each name once.

    ``base`` is the address of an index page, of a list or of one file, or a path: a directory,
    one XML file, or a text file with one address or path a line (blank lines and those that
    begin with # do not count; a relative path starts at the list; its order is kept). Other
    names, other folders and other hosts on an index page are passed over.

    Raises ``SourceError`` when there is no such file in it, ``TransientSourceError`` when the
    server cannot be asked now.
    """
    if not is_address(base):
        return _on_this_machine(base)
    if _NAME.fullmatch(base.rpartition("/")[2]):
        return [RemoteFile(base.rpartition("/")[2], base)]
    answer = (server or transport()).get(base)
    if is_html(answer.body[:HEAD]):
        files = _linked(answer.body.decode("utf-8", "replace"), _as_folder(answer.url))
    else:
        files = _listed(answer.body.decode("utf-8", "replace"), answer.url)
    if not files:
        raise NothingOfferedError(
            f"{scrub(base)}: links to no *.xml or *.xml.gz; "
            "name the folder that holds them, such as .../pubmed/baseline/"
        )
    return files


def published(server: Transport | None = None) -> list[RemoteFile]:
    """What NLM publishes now: the baseline and, after it, the update files.

    The addresses are ``pubmed-baseline`` and ``pubmed-updates`` of the settings. There may be no
    update files yet, just after a new baseline. Raises as ``listing`` does.
    """
    asked = server or transport()
    baseline = listing(asked.settings.bases["pubmed-baseline"], asked)
    try:
        return _once([*baseline, *listing(asked.settings.bases["pubmed-updates"], asked)])
    except NothingOfferedError:
        return baseline


# -- this machine ----------------------------------------------------------------------------------


def _on_this_machine(base: str) -> list[RemoteFile]:
    path = Path(base).expanduser()
    if not path.is_file() or path.name.endswith((".xml", ".xml.gz")):
        return _once(_file(p) for p in find([path]))
    try:
        files = _listed(path.read_text(encoding="utf-8"), str(path.absolute()))
    except (OSError, UnicodeDecodeError):
        raise SourceError(f"{path}: is neither XML nor a list of addresses or paths") from None
    if not files:
        raise SourceError(f"{path}: lists no *.xml or *.xml.gz; write one address or path a line")
    return files


def _file(path: Path) -> RemoteFile:
    place = path.absolute().as_posix()
    try:
        stat = path.stat()
    except OSError:  # a link that leads nowhere: whoever reads it will say so
        return RemoteFile(path.name, place, None, None)
    return RemoteFile(path.name, place, stat.st_size, str(stat.st_mtime_ns))


def _listed(text: str, where: str) -> list[RemoteFile]:
    lines = [line.strip() for line in text.splitlines()]
    return _once(
        _entry(line, number, where)
        for number, line in enumerate(lines, 1)
        if line and not line.startswith("#")
    )


def _entry(line: str, number: int, where: str) -> RemoteFile:
    name = unquote(urlsplit(line).path if is_address(line) else line).rpartition("/")[2]
    if not _NAME.fullmatch(name):
        raise SourceError(
            f"{scrub(where)}: line {number} names no *.xml or *.xml.gz: {scrub(line)[:100]!r}"
        )
    if is_address(line):
        return RemoteFile(name, line)
    if is_address(where) and is_address(urljoin(where, line)):
        return RemoteFile(name, urljoin(where, line))
    if "://" in line:
        raise SourceError(
            f"{scrub(where)}: line {number}: only http(s) addresses and paths are read"
        )
    path = Path(where).parent / Path(line).expanduser()
    if not path.is_file():
        raise SourceError(f"{where}: line {number}: {path} does not exist")
    return _file(path)


def _once(files: Iterable[RemoteFile]) -> list[RemoteFile]:
    kept: dict[str, RemoteFile] = {}
    for file in files:
        kept.setdefault(file.name, file)
    return list(kept.values())


# -- index pages -----------------------------------------------------------------------------------


def _as_folder(url: str) -> str:
    return url if url.endswith("/") or "." in url.rpartition("/")[2] else url + "/"


def _linked(page: str, base: str) -> list[RemoteFile]:
    links = _Links()
    links.feed(page)
    links.close()
    files = (_link(href, text, base) for href, text in links.found)
    return sorted(_once(f for f in files if f is not None), key=_order)


def _order(file: RemoteFile) -> tuple[bool, tuple[int, int], str]:
    number = official_number(file.name)
    return number is None, number or (0, 0), file.name


def _link(href: str, beside: str, base: str) -> RemoteFile | None:
    try:
        url = urljoin(base, href.strip())
        parts, home = urlsplit(url), urlsplit(base)
    except ValueError:
        return None
    folder, _, last = parts.path.rpartition("/")
    inside = (parts.scheme, parts.netloc) == (home.scheme, home.netloc)
    inside = inside and folder == home.path.rpartition("/")[0]
    name = unquote(last)
    if not inside or parts.query or parts.fragment or not _NAME.fullmatch(name):
        return None
    when = _WHEN.search(beside)
    size = _size(beside[when.end() :]) if when else None
    return RemoteFile(name, url, size, when[0] if when else None)


def _size(text: str) -> int | None:
    """Bytes of ``19M``, ``1.5G`` or ``19922944``; a rounded figure is taken at its highest."""
    match = _SIZE.match(text)
    if match is None:
        return None
    whole, digits, unit = match[1], match[2] or "", _UNITS[match[3]]
    if not unit:
        return int(whole)
    steps = int("1" + "0" * len(digits))
    return ((int(whole + digits) + 1) << unit) // steps


class _Links(HTMLParser):
    """All links of a page, each with the text that stands between it and the next one."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, str]] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes the target of a link."""
        href = dict(attrs).get("href") if tag == "a" else None
        if href:
            self.found.append((href, ""))
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        """The text of the link itself is over."""
        if tag == "a":
            self._inside = False

    def handle_data(self, data: str) -> None:
        """Adds text beside the last link; what stands in it is its (possibly cut) name."""
        if self.found and not self._inside:
            href, text = self.found[-1]
            self.found[-1] = (href, f"{text} {data}")
