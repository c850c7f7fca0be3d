"""Delivered text columns to the declared columns of one table."""

from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc

from etl.errors import SourceError
from etl.sources.trials import values
from etl.sources.trials.delivery import Notices
from etl.sources.trials.mapping import Feed
from etl.store.schema import Column

# a PMID has at most 8 digits today; a PMC number or a DOI in this field is not one
PMID_TEXT = r"(?i)^\s*(?:pmid\s*[:#]?\s*)?(?P<pmid>[1-9]\d{0,8})\s*\.?\s*$"
_TRUE = pa.array(["t", "true", "True", "TRUE"])
_FALSE = pa.array(["f", "false", "False", "FALSE"])


def shape(name: str, feed: Feed, rows: pa.Table, notices: Notices) -> pa.Table:
    """``rows`` (text, delivered names) with the columns of ``feed`` in their declared types.

    A column that was not delivered is null. A row without an NCT number belongs to no study: it
    is left out and reported. Raises ``SourceError`` on a value that is not of the column's type.
    """
    rows = _of_studies(feed, rows, notices)
    columns = [_column(name, feed, column, rows, notices) for column in feed.columns]
    return pa.table(columns, pa.schema([pa.field(c.name, c.type) for c in feed.columns]))


def _of_studies(feed: Feed, rows: pa.Table, notices: Notices) -> pa.Table:
    ids = rows.column("nct_id")
    if not ids.null_count:
        return rows
    notices.add(f"{feed.table}: rows without an NCT number were left out")
    return rows.filter(pc.is_valid(ids))


def _column(
    name: str, feed: Feed, column: Column, rows: pa.Table, notices: Notices
) -> pa.ChunkedArray:
    source = feed.source(column.name)
    text = _text(rows, source)
    if column.name == "pmid":
        return _pmids(name, text, notices)
    if column.name == "patient_registry":
        text = _registries(text, rows)
    if f"{name}.{column.name}" in values.KNOWN:
        return values.today(name, column.name, text, notices)
    convert = _CONVERT.get(column.type, _cast)
    try:
        return convert(text, column.type)
    except pa.ArrowInvalid as error:
        raise SourceError(
            f"{feed.table}.{source}: {error}; report it, the table was not loaded"
        ) from error


def _text(rows: pa.Table, column: str) -> pa.ChunkedArray:
    """The delivered column; nulls when it was not delivered."""
    if column in rows.column_names:
        return rows.column(column)
    return pa.chunked_array([pa.nulls(rows.num_rows, pa.string())])


def _registries(text: pa.ChunkedArray, rows: pa.Table) -> pa.ChunkedArray:
    """Before 2024 the study type said it: ``Observational [Patient Registry]``."""
    said = pc.match_substring(_text(rows, "study_type"), "[Patient Registry]")
    return pc.if_else(pc.fill_null(said, False), pa.scalar("t"), text)


def _cast(text: pa.ChunkedArray, wanted: pa.DataType) -> pa.ChunkedArray:
    return text.cast(wanted)


def _flags(text: pa.ChunkedArray, _: pa.DataType) -> pa.ChunkedArray:
    true, false = pc.is_in(text, value_set=_TRUE), pc.is_in(text, value_set=_FALSE)
    odd = text.filter(pc.invert(pc.or_(true, false))).drop_null()
    if len(odd):
        raise pa.ArrowInvalid(f"{odd[0].as_py()!r} is neither t nor f")
    return pc.if_else(pc.is_valid(text), true, pa.scalar(None, pa.bool_()))


_Convert = Callable[[pa.ChunkedArray, pa.DataType], pa.ChunkedArray]
_CONVERT: dict[pa.DataType, _Convert] = {pa.bool_(): _flags}


def _pmids(name: str, text: pa.ChunkedArray, notices: Notices) -> pa.ChunkedArray:
    found = pc.struct_field(pc.extract_regex(text, pattern=PMID_TEXT), "pmid")
    found = pc.if_else(pc.equal(pc.fill_null(found, ""), ""), pa.scalar(None, pa.string()), found)
    odd = text.filter(pc.and_(pc.is_null(found), pc.fill_null(pc.not_equal(text, ""), False)))
    if len(odd):
        notices.add(f"{name}.pmid: {odd[0].as_py()!r} is no PMID; kept in pmid_text only")
    return found.cast(pa.int64())
