"""NLM's MeSH descriptor file (``desc20xx.xml`` or ``.xml.gz``) to two tables.

The DTD changed between 2015 and 2026 (dates, registry numbers); what is read here is the same
in both: DescriptorUI, DescriptorName, TreeNumberList, ConceptList with its terms.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pyarrow as pa
from lxml import etree

from etl.errors import SourceError
from etl.sources.pubmed.stream import read_chunks
from etl.store.schema import TABLES


@dataclass(frozen=True)
class Mesh:
    """Both tables of one MeSH file, and its year (None when neither file nor name says it)."""

    descriptors: pa.Table
    tree: pa.Table
    year: int | None


def load(path: Path) -> Mesh:
    """Read a DescriptorRecordSet. Raises ``SourceError`` when the file is not one."""
    descriptors: list[dict[str, object]] = []
    tree: list[dict[str, object]] = []
    year = _year(path)
    for record in _records(path):
        ui = record.findtext("DescriptorUI")
        name = record.findtext("DescriptorName/String")
        if not ui or not name:
            raise SourceError(f"{path}: a DescriptorRecord without UI or name; is the file whole?")
        descriptors.append(_descriptor(record, ui, name, year))
        numbers = record.iterfind("TreeNumberList/TreeNumber")
        tree.extend({"ui": ui, "tree_number": number.text} for number in numbers)
    if not descriptors:
        raise SourceError(f"{path}: holds no DescriptorRecord; give NLM's desc20xx.xml or .xml.gz")
    return Mesh(
        pa.Table.from_pylist(descriptors, TABLES["mesh_descriptors"].arrow),
        pa.Table.from_pylist(tree, TABLES["mesh_tree"].arrow),
        year,
    )


def identify(path: Path) -> str:
    """MD5 of the delivered bytes. Raises ``SourceError`` when the file cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "md5").hexdigest()
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror}); check --mesh") from error


def _records(path: Path) -> Iterator[etree._Element]:
    """DescriptorRecord elements in turn; entities are not expanded, nothing is fetched."""
    parser = etree.XMLPullParser(
        events=("end",),
        tag="DescriptorRecord",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    try:
        for chunk in read_chunks(path):
            parser.feed(chunk)
            yield from _taken(parser)
        root = parser.close()
    except etree.XMLSyntaxError as error:
        raise SourceError(f"{path}: {error.msg}; download the file again") from error
    if root.tag != "DescriptorRecordSet":
        raise SourceError(f"{path}: is {root.tag}, not DescriptorRecordSet; give desc20xx.xml")


def _taken(parser: "etree.XMLPullParser") -> Iterator[etree._Element]:
    for _, found in parser.read_events():
        record = cast("etree._Element", found)
        yield record
        record.clear()
        parent = record.getparent()
        while parent is not None and record.getprevious() is not None:
            del parent[0]


def _descriptor(record: etree._Element, ui: str, name: str, year: int | None) -> dict[str, object]:
    terms = (term.text for term in record.iterfind("ConceptList/Concept/TermList/Term/String"))
    note = record.findtext("ConceptList/Concept[@PreferredConceptYN='Y']/ScopeNote")
    return {
        "ui": ui,
        "name": name,
        "entry_terms": [t for t in dict.fromkeys(terms) if t and t != name],
        "scope_note": " ".join(note.split()) if note else None,
        "descriptor_class": record.get("DescriptorClass"),
        "year": year,
    }


def _year(path: Path) -> int | None:
    found = re.match(r"desc(\d{4})", path.name)
    return int(found[1]) if found else None
