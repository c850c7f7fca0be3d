"""Rows of live sources: the columns of ``citations``, and under which name the source knows them.

A source without PMIDs (preprints of Europe PMC, works of OpenAlex) has null there; the name
(``evidence_id``) is then all that identifies the record: ``PMID:1``, ``PPR:PPR123``,
``PMC:PMC1``, ``DOI:10.1/x``, ``OPENALEX:W1``. Nothing of that kind is ever stored.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from etl.store.schema import TABLES, Column

_COLUMNS = TABLES["citations"].columns
LIVE = pa.schema(
    [pa.field(c.name, c.type, nullable=c.nullable or c.name == "pmid") for c in _COLUMNS]
    + [
        pa.field("evidence_id", pa.string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
    ]
)

PREPRINT = "Preprint"

_BLOCK = re.compile(r"</?(?:p|h[1-6]|title|sec|div|br|li|ul|ol)\b[^<>]*>", re.I)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_SPACE = re.compile(r"\s+")


def _empty(column: Column) -> Any:
    """What a column holds when a source does not speak of it."""
    fixed = {"pmid": None, "version": 1, "record_type": "article"}
    if column.name in fixed:
        return fixed[column.name]
    if column.nullable:
        return None
    if column.codes:
        return column.codes[-1]  # the declared codes end in "unknown"
    if pa.types.is_list(column.type):
        return []
    return "" if pa.types.is_string(column.type) else 0


_EMPTY = {column.name: _empty(column) for column in _COLUMNS}


def live_table(source: str, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """A table of the schema ``LIVE``; what a row does not name is empty.

    Each row has ``evidence_id`` and columns of ``citations``.
    """
    values = {
        name: _array([row.get(name, empty) for row in rows], LIVE.field(name).type)
        for name, empty in _EMPTY.items()
    }
    values["evidence_id"] = _array([row["evidence_id"] for row in rows], pa.string())
    values["source"] = pa.array([source] * len(rows), pa.string())
    return pa.table(values, schema=LIVE)


def _array(values: list[Any], kind: pa.DataType) -> pa.Array:
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:  # JSON may hold half a surrogate pair, which is no character
        return pa.array(encodable(values), kind)


def encodable(value: Any) -> Any:
    """``value`` (text, or lists and dicts of it) with "?" for what no encoding can hold."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [encodable(item) for item in value]
    if isinstance(value, dict):
        return {name: encodable(item) for name, item in value.items()}
    return value


def plain(text: object) -> str | None:
    """Text without tags of HTML or JATS and with single spaces; None when nothing is left.

    >>> plain("<h4>Aim</h4>n <i>&lt;</i> 5")
    'Aim n < 5'
    """
    import html

    if not isinstance(text, str):
        return None
    bare = _TAG.sub("", _BLOCK.sub(" ", text))
    return _SPACE.sub(" ", html.unescape(bare)).strip() or None


def types(names: Sequence[object]) -> dict[str, list[str | None]]:
    """The two columns of publication types for names without UIs."""
    kept = [name for name in dict.fromkeys(plain(n) for n in names) if name]
    return {"publication_types": list(kept), "publication_type_uis": [None] * len(kept)}


@dataclass(frozen=True)
class Section:
    """One paragraph or part of a full text, without tables, references and citation marks.

    ``kind`` is abstract, introduction, methods, results, discussion, conclusions or other;
    ``heading`` the nearest title above it, empty where there is none.
    """

    heading: str
    kind: str
    text: str


_KINDS = (
    (
        "methods",
        re.compile(r"method|subjects|patients|participants|materials|procedure|design", re.I),
    ),
    ("results", re.compile(r"result|finding|outcome", re.I)),
    ("introduction", re.compile(r"intro|background", re.I)),
    ("discussion", re.compile(r"discuss|comment", re.I)),
    ("conclusions", re.compile(r"conclusion|concl$", re.I)),
    ("abstract", re.compile(r"abstract|summary", re.I)),
)


def kind(*names: str | None) -> str:
    """The kind of section that the first telling one of ``names`` (types, titles) says."""
    for name in names:
        for known, pattern in _KINDS:
            if name and pattern.search(name):
                return known
    return "other"
