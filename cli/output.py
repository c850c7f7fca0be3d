"""How rows and documents are written: the only place that knows the output formats."""

import csv
import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, TextIO
from uuid import UUID

import click

Row = Mapping[str, Any]

# A cell that begins like this is run as a formula by spreadsheet programs (CWE-1236).
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_rows(rows: Iterable[Row], columns: Sequence[str], form: str) -> None:
    """Write ``rows`` to standard output as ``json``, ``ndjson``, ``csv`` or ``table``.

    ``columns`` orders the columns of csv and table and serves when there are no rows; JSON
    objects keep all keys of each row.
    """
    if form == "json":
        write_json([_finite(dict(row)) for row in rows])
    elif form == "ndjson":
        for row in rows:
            click.echo(json.dumps(_finite(dict(row)), ensure_ascii=False, default=_plain))
    elif form == "csv":
        _write_csv(rows, columns, sys.stdout)
    else:
        _write_table(rows, columns)


def write_json(document: Any) -> None:
    """Write one JSON document, indented, non-ASCII as it is."""
    click.echo(json.dumps(document, ensure_ascii=False, indent=2, default=_plain))


def notice(text: str) -> None:
    """Tell the user something beside the answer: standard error, one line."""
    click.echo(f"evidence: {text}", err=True)


def told_folder(written: Any) -> None:
    """Say what was written to an evidence folder (``warehouse.folder.Written``)."""
    for text in written.notices:
        notice(text)
    removed = f", {len(written.removed)} stale ones removed" if written.removed else ""
    notice(f"{len(written.files)} files of records in {written.folder}{removed}")


def _finite(value: Any) -> Any:
    """``value`` with NaN and infinities as text: JSON has no numbers for them."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, timedelta | UUID):
        return str(value)
    raise TypeError(f"no JSON form for {type(value).__name__}")


def _write_csv(rows: Iterable[Row], columns: Sequence[str], out: TextIO) -> None:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_safe_cell(row.get(name)) for name in columns])


def _safe_cell(value: Any) -> Any:
    if isinstance(value, str):
        return "'" + value if value.startswith(FORMULA) else value
    return _cell(value) if isinstance(value, list | tuple | dict) else value


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return "; ".join(_cell(item) for item in value)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, default=_plain)
    return str(value)


def _write_table(rows: Iterable[Row], columns: Sequence[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 160)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        table.add_column(name, overflow="fold")
    for row in rows:
        # Text, not str: a title may hold what rich would read as markup or escape codes
        table.add_row(*(Text(_printable(_cell(row.get(name)))) for name in columns))
    console.print(table)


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
