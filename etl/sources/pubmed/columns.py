"""Columnar memory of the records read so far, and its way into one Arrow table.

A value is put once into the Python list of its column: there are no dictionaries by row.
A list column is a ``Family``: the flat fields of all its items, and where each record ends.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from etl.sources.pubmed.text import folded
from etl.store.schema import TABLES

Value = str | int | bool | None

SCHEMA = TABLES["citations"].arrow
SCALARS = tuple(
    field.name
    for field in SCHEMA
    if not pa.types.is_list(field.type) and field.name not in {"source_file", "seq"}
)
SLOT = {name: position for position, name in enumerate(SCALARS)}


class Family:
    """The items of one list column, of all records.

    ``items`` holds plain values, or a tuple of the fields of a struct; ``ends`` the items so
    far after each owner; ``inner`` the list that is the item's last field, where it has one.
    """

    __slots__ = ("ends", "inner", "items")

    def __init__(self, inner: "Family | None" = None) -> None:
        self.items: list[Any] = []
        self.ends: list[int] = [0]
        self.inner = inner

    def array(self, kind: pa.ListType) -> pa.ListArray:
        """One list an owner."""
        return pa.ListArray.from_arrays(pa.array(self.ends, pa.int32()), self._items(kind))

    def _items(self, kind: pa.ListType) -> pa.Array:
        item = kind.value_type
        if not pa.types.is_struct(item):
            return plain(self.items, item)
        own = list(item)[: item.num_fields - (self.inner is not None)]
        columns = zip(*self.items, strict=True) if self.items else [()] * len(own)
        children = [plain(v, field.type) for v, field in zip(columns, own, strict=True)]
        if self.inner is not None:
            children.append(self.inner.array(item.field(len(own)).type))
        return pa.StructArray.from_arrays(children, fields=list(item))


def plain(values: Sequence[Value], kind: pa.DataType) -> pa.Array:
    """An array of one column's values; texts are folded, dates are days since 1970."""
    if pa.types.is_string(kind):
        return folded(values)  # type: ignore[arg-type]
    if pa.types.is_date(kind):
        return pa.array(values, pa.int32()).view(kind)
    return pa.array(values, kind)


class Columns:
    """What has been read since the last ``take``. A record is open between ``close_record``s."""

    def __init__(self) -> None:
        self.unknown: Counter[str] = Counter()  # elements that the DTDs do not name
        self._reset()

    def _reset(self) -> None:
        self.rows: list[list[Value]] = []
        self.row: list[Value] = [None] * len(SCALARS)
        self._places: set[str] = set()  # affiliations of the open record
        self.qualifiers, self.author_affiliations, self.accessions = Family(), Family(), Family()
        self.abstract_sections, self.other_abstracts = Family(), Family()
        self.publication_types, self.publication_type_uis = Family(), Family()
        self.mesh_terms = Family(self.qualifiers)
        self.supplementary_concepts, self.chemicals = Family(), Family()
        self.gene_symbols, self.keywords, self.languages = Family(), Family(), Family()
        self.authors, self.author_details = Family(), Family(self.author_affiliations)
        self.investigators, self.affiliations = Family(), Family()
        self.data_banks = Family(self.accessions)
        self.comments_corrections, self.grants = Family(), Family()
        self.cited_pmids, self.citation_subsets = Family(), Family()
        self._families = {
            name: family
            for name, family in vars(self).items()
            if isinstance(family, Family) and name in SCHEMA.names
        }
        self._closings = [(f.ends.append, f.items) for f in self._families.values()]

    def add_affiliation(self, text: str) -> None:
        """An affiliation of the open record, unless it has it already."""
        if text not in self._places:
            self._places.add(text)
            self.affiliations.items.append(text)

    def close_record(self) -> None:
        """The open record is complete; the next one begins."""
        self.rows.append(self.row)
        self.row = [None] * len(SCALARS)
        self._places.clear()
        for end, items in self._closings:
            end(len(items))

    def take(self, source_file: str, seq: int) -> pa.Table:
        """All closed records as rows of ``citations``, in document order; memory is emptied."""
        rows = len(self.rows)
        arrays = {
            "source_file": pa.repeat(pa.scalar(source_file, pa.string()), rows),
            "seq": pa.repeat(pa.scalar(seq, pa.int64()), rows),
        }
        columns = zip(*self.rows, strict=True) if rows else [()] * len(SCALARS)
        for name, values in zip(SCALARS, columns, strict=True):
            arrays[name] = plain(values, SCHEMA.field(name).type)
        for name, family in self._families.items():
            arrays[name] = family.array(SCHEMA.field(name).type)
        arrays |= self._headings(arrays["mesh_terms"])
        self._reset()
        return pa.table([arrays[field.name] for field in SCHEMA], schema=SCHEMA)

    def _headings(self, terms: pa.ListArray) -> dict[str, pa.Array]:
        """Names and UIs of the headings as lists of their own, sharing the memory of terms."""
        fields = {"mesh_headings": "name", "mesh_uis": "ui"}
        return {
            column: pa.ListArray.from_arrays(terms.offsets, terms.values.field(name))
            for column, name in fields.items()
        }
