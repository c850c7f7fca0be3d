"""The only parser of PubMed XML: bulk files, update files and live efetch answers.

Rows are those of ``citations`` (etl/store/schema/pubmed.py). Nothing is interpreted here.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from lxml import etree

from etl.errors import SourceError
from etl.sources.pubmed.article import read_article
from etl.sources.pubmed.book import read_book
from etl.sources.pubmed.columns import SCHEMA, SLOT, Columns
from etl.sources.pubmed.lists import number
from etl.sources.pubmed.netting import Netting
from etl.sources.pubmed.stream import RecordStream, read_chunks

_PMID, _VERSION, _TYPE = SLOT["pmid"], SLOT["version"], SLOT["record_type"]
_PRECISION, _REFERENCES = SLOT["publication_date_precision"], SLOT["reference_count"]
_DELETES = frozenset({"DeleteCitation", "DeleteDocument"})
_SLICE_BYTES = 64 << 10
_MAX_VERSION = 32767  # version is stored in 16 bits


@dataclass(frozen=True)
class Parsed:
    """What one file did.

    ``touched``: pmid, op (put or delete), version, one row a PMID, its puts and deletes netted
    in document order. ``losers``: ordinals (from 0, over all emitted rows) of rows that a
    higher version, a later record or a delete in the same file overtook; they are not to be
    stored. ``articles``, ``books`` and ``deletes`` count records as they stand in the file.
    ``unknown_elements``: ``Parent/Child`` tags that no DTD up to 2025 names, with how often
    they came; not empty means that the format has changed.
    """

    touched: pa.Table
    losers: tuple[int, ...]
    citations: int
    books: int
    deletes: int
    unknown_elements: Mapping[str, int]


def parse_file(
    path: Path, seq: int, emit: Callable[[pa.Table], None], batch_rows: int = 5000
) -> Parsed:
    """Streams one file; ``emit`` gets tables of ``citations`` rows in document order.

    Memory does not grow with the file, but for 50 bytes a PMID. What has been emitted counts
    only when this returns: ``SourceError`` (cut, damaged or hostile file, a record without
    PMID) may come after some tables.
    """
    return _Run(str(path), path.name, seq, emit, batch_rows).parse(read_chunks(path))


def to_table(path: Path, seq: int) -> tuple[pa.Table, Parsed]:
    """One file in memory: its winning rows, sorted by PMID, and what it did.

    Raises ``SourceError`` as ``parse_file`` does.
    """
    tables: list[pa.Table] = []
    parsed = parse_file(path, seq, tables.append)
    return winners(tables, parsed), parsed


def parse_bytes(xml: bytes, seq: int = 0, source_file: str = "") -> pa.Table:
    """The winning rows of an XML text in memory (an efetch answer), sorted by PMID.

    Raises ``SourceError`` as ``parse_file`` does.
    """
    tables: list[pa.Table] = []
    slices = (xml[i : i + _SLICE_BYTES] for i in range(0, len(xml), _SLICE_BYTES))
    run = _Run(source_file or "PubMed answer", source_file, seq, tables.append, 5000)
    return winners(tables, run.parse(slices))


def winners(tables: Iterable[pa.Table], parsed: Parsed) -> pa.Table:
    """The emitted tables as one, without the losers, sorted by PMID."""
    table = pa.concat_tables([SCHEMA.empty_table(), *tables])
    lost = set(parsed.losers)
    pmids = table.column("pmid").to_pylist()
    order = sorted((i for i in range(len(pmids)) if i not in lost), key=pmids.__getitem__)
    if order == list(range(len(pmids))):
        return table
    return table.take(pa.array(order, pa.int64()))


@contextmanager
def _cycles_not_searched() -> Iterator[None]:
    """Rows are lists and tuples without cycles; looking for some takes 4 % of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class _Run:
    """One pass over one XML text."""

    def __init__(
        self,
        name: str,
        source_file: str,
        seq: int,
        emit: Callable[[pa.Table], None],
        batch_rows: int,
    ) -> None:
        self._name, self._source_file, self._seq = name, source_file, seq
        self._emit, self._batch_rows = emit, batch_rows
        self._columns = Columns()
        self._net = Netting()
        self._books = self._deletes = 0

    def parse(self, chunks: Iterable[bytes]) -> Parsed:
        with _cycles_not_searched():
            for element in RecordStream(chunks, self._name):
                self._record(element)
            self._flush()
        return Parsed(
            touched=self._net.touched(),
            losers=tuple(sorted(self._net.losers)),
            citations=self._net.rows,
            books=self._books,
            deletes=self._deletes,
            unknown_elements=dict(self._columns.unknown),
        )

    def _record(self, element: etree._Element) -> None:
        tag = element.tag
        row = self._columns.row
        if tag == "PubmedBookArticle":
            row[_TYPE] = "book"
            self._books += 1
            read_book(element, self._columns)
        elif tag in {"PubmedArticle", "MedlineCitation", "PubMedArticle"}:
            row[_TYPE] = "article"
            read_article(element, self._columns)
        else:
            self._other(element)
            return
        self._close()

    def _close(self) -> None:
        row = self._columns.row
        pmid, version = row[_PMID], row[_VERSION]
        if not isinstance(pmid, int) or not isinstance(version, int) or version > _MAX_VERSION:
            raise SourceError(
                f"{self._name}: record {self._net.rows + 1} has no valid PMID; "
                "the file is damaged, download it again"
            )
        row[_PRECISION] = row[_PRECISION] or "unknown"
        row[_REFERENCES] = row[_REFERENCES] or 0
        self._net.put(pmid, version)
        self._columns.close_record()
        if len(self._columns.rows) >= self._batch_rows:
            self._flush()

    def _other(self, element: etree._Element) -> None:
        """A delete list; anything else is counted as unknown."""
        if element.tag not in _DELETES:
            self._columns.unknown[f"/{element.tag}"] += 1
            return
        for child in element:
            pmid = number(child.text)
            if child.tag != "PMID" or pmid is None:
                raise SourceError(
                    f"{self._name}: {element.tag} holds {child.text!r}, not a PMID; "
                    "the file is damaged, download it again"
                )
            self._net.delete(pmid, number(child.get("Version")) or 1)
            self._deletes += 1

    def _flush(self) -> None:
        if self._columns.rows:
            self._emit(self._columns.take(self._source_file, self._seq))
