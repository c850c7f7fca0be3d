"""Bytes of a delivery -> one record element after another, in flat memory.

Hostile input is expected: entities are never expanded (a file that declares any is refused),
no DTD is loaded, nothing is fetched, and one record may take ``MAX_RECORD_BYTES`` at most, so
neither a gzip bomb nor an entity bomb gets far.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, cast

from isal import igzip_lib
from lxml import etree

from etl.errors import SourceError

_GzipError = cast("type[Exception]", igzip_lib.IsalError)  # the stubs call it an instance

MAX_RECORD_BYTES = 64 << 20  # the largest real records (thousands of authors) are below 10 MB
_READ_BYTES = 64 << 10

SETS = frozenset(
    {"PubmedArticleSet", "PubMedArticleSet", "MedlineCitationSet", "PubmedBookArticleSet"}
)
RECORDS = frozenset({"PubmedArticle", "PubMedArticle", "MedlineCitation", "PubmedBookArticle"})

_DECLARATION = re.compile(rb"\s*<\?xml\s[^>]*\?>")
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)


def read_chunks(path: Path) -> Iterator[bytes]:
    """The file's decompressed bytes (gzip is told by its first bytes, not by its name).

    Raises ``SourceError`` for an empty file, a zip, a cut or damaged gzip, trailing bytes.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_READ_BYTES)
            if not head:
                raise SourceError(f"{path}: the file is empty; download it again")
            if head.startswith(b"PK\x03\x04"):
                raise SourceError(f"{path}: is a zip archive; unpack it and give the XML files")
            rest = iter(lambda: file.read(_READ_BYTES), b"")
            if head.startswith(b"\x1f\x8b"):
                yield from _gunzip(path, head, rest)
            else:
                yield head
                yield from rest
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror}); check the path") from error


def _gunzip(path: Path, head: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    """Members of a gzip file one after another, never more than ``_READ_BYTES`` at a time."""
    data = head
    while data:
        member = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)
        while not member.eof:
            if member.needs_input and not data and not (data := next(rest, b"")):
                raise SourceError(f"{path}: gzip data end too early; download the file again")
            try:
                plain = member.decompress(data, _READ_BYTES)
            except _GzipError as error:
                raise SourceError(
                    f"{path}: gzip data are damaged ({error}); download the file again"
                ) from error
            data = b""
            if plain:
                yield plain
        data = member.unused_data or next(rest, b"")
        if data and not data.startswith(b"\x1f\x8b"):
            raise SourceError(f"{path}: bytes after the end of the gzip data; download it again")


class RecordStream:
    """Record elements (``RECORDS``) and delete lists of one XML text, in document order.

    ``name`` is what errors call the input. Each element is valid until the next is asked for.
    Raises ``SourceError`` for anything that is not one well-formed PubMed XML document.
    """

    def __init__(self, chunks: Iterable[bytes], name: str) -> None:
        self._chunks = iter(chunks)
        self._name = name
        # Events for each element would cost a third of the parse; one for a processing
        # instruction put before the root gives a way into the tree as it grows.
        self._parser = etree.XMLPullParser(
            events=("pi",),
            resolve_entities=False,
            load_dtd=False,
            no_network=True,
            remove_comments=True,
            huge_tree=False,
        )
        self._mark: etree._Element | None = None
        self._root: etree._Element | None = None
        self._instructions = False  # the input has processing instructions of its own
        self._open_bytes = 0  # fed since the last complete record

    def __iter__(self) -> Iterator[etree._Element]:
        self._feed(self._head())
        for chunk in self._chunks:
            self._feed(chunk)
            if self._root is not None and self._root.tag in SETS and len(self._root) > 1:
                yield from self._take(self._root, len(self._root) - 1)
        root = self._close()
        if root.tag in RECORDS:
            yield self._clean(root)
        else:
            yield from self._take(root, len(root))

    def _head(self) -> bytes:
        """The first bytes, with the mark behind the XML declaration."""
        head = b""
        while len(head) < 1024 and (more := next(self._chunks, b"")):
            head += more
        head = head.removeprefix(b"\xef\xbb\xbf")
        if _HTML.match(head):
            raise SourceError(f"{self._name}: is an HTML page, not PubMed XML; download it again")
        if not head.lstrip().startswith(b"<"):
            raise SourceError(f"{self._name}: is not XML in UTF-8; give PubMed XML files")
        declaration = _DECLARATION.match(head)
        start = declaration.end() if declaration else 0
        return head[:start] + b"<?evidence-start?>" + head[start:]

    def _feed(self, chunk: bytes) -> None:
        self._open_bytes += len(chunk)
        if self._open_bytes > MAX_RECORD_BYTES:
            raise SourceError(
                f"{self._name}: one record is larger than {MAX_RECORD_BYTES >> 20} MB, so this "
                "is not a PubMed delivery; get the original file"
            )
        try:
            self._parser.feed(chunk)
        except etree.XMLSyntaxError as error:
            raise self._malformed(error) from error
        self._note_instructions()
        if self._root is None and self._mark is not None:
            self._root = self._find_root(self._mark)
        if len(self._parser.feed_error_log):
            raise self._malformed(self._parser.feed_error_log[0].message)

    def _note_instructions(self) -> None:
        for _event, instruction in self._parser.read_events():
            if self._mark is None:
                self._mark = cast(etree._Element, instruction)
            else:
                self._instructions = True

    def _find_root(self, mark: etree._Element) -> etree._Element | None:
        """The root element when it has begun; refuses roots and DTDs that PubMed never has."""
        tree = mark.getroottree()
        root = tree.getroot()
        if root is None or not isinstance(root.tag, str):
            return None
        dtd: Any = tree.docinfo.internalDTD  # the stubs lack entities()
        if dtd is not None and dtd.entities():
            raise SourceError(
                f"{self._name}: declares XML entities, which PubMed files never do; "
                "get the original file"
            )
        if root.tag not in SETS and root.tag not in RECORDS:
            raise SourceError(
                f"{self._name}: root element is {root.tag}, not PubmedArticleSet or "
                "MedlineCitationSet; give PubMed XML files"
            )
        return root

    def _take(self, root: etree._Element, count: int) -> Iterator[etree._Element]:
        """The first ``count`` children, then frees them."""
        for child in cast("Iterable[etree._Element]", root[:count]):  # type: ignore[index]
            yield self._clean(child)
        del root[:count]
        self._open_bytes = 0

    def _clean(self, record: etree._Element) -> etree._Element:
        if self._instructions:
            etree.strip_tags(record, etree.ProcessingInstruction)
        return record

    def _close(self) -> etree._Element:
        try:
            self._parser.close()
        except etree.XMLSyntaxError as error:
            raise self._malformed(error) from error
        if self._root is None:
            raise SourceError(f"{self._name}: holds no XML element; download it again")
        return self._root

    def _malformed(self, cause: object) -> SourceError:
        reason = " ".join(str(cause).split())
        if "entity" in reason.lower():
            return SourceError(
                f"{self._name}: uses XML entities, which PubMed files never do ({reason}); "
                "get the original file"
            )
        return SourceError(f"{self._name}: XML is cut or damaged ({reason}); download it again")
