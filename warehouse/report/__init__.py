"""``evidence_summary``: graded evidence as a report in Markdown, HTML or JSON."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from etl.errors import StoreError, UsageError

_FORMATS = {"markdown": "markdown", "html": "page", "json": "document"}


def evidence_summary(  # noqa: PLR0913 - the seed's three and how to say it
    graded_list: Sequence[Mapping[str, Any]],
    output_format: str = "markdown",
    output_path: str | None = None,
    *,
    lang: str = "zh",
    query: str | None = None,
    answer: Mapping[str, Any] | None = None,
    home: Path | None = None,
) -> str:
    """The report of ``graded_list`` (results of ``evidence_search`` or ``grade_pmid_list``).

    ``output_format``: ``markdown``, ``html`` (one page that needs nothing else) or ``json``.
    ``output_path``: also write it there. ``lang``: ``zh`` or ``en``. ``answer`` is the whole answer
    of ``evidence_search``; its counts over all matches are then told, and before them what limits
    it: live sources that failed, the years, near records, the days of the warehouse. Rows without
    authors or abstract are completed from the warehouse in ``home`` when it holds them. Key
    findings are quotations and counts, each with its PMIDs; what was not computed is said.
    Raises ``UsageError`` for an unknown format or language, or rows that are not mappings.
    """
    from warehouse.report.facts import gather
    from warehouse.report.words import words

    if output_format not in _FORMATS:
        raise UsageError(f"output format {output_format!r} is none of {', '.join(_FORMATS)}")
    rows = _rows(graded_list, home)
    facts = gather(rows, answer, query, basis=None if answer else _basis(home))
    module = import_module(f"warehouse.report.{_FORMATS[output_format]}")
    rendered: str = module.render(facts, words(lang))
    text = rendered.encode("utf-8", "replace").decode()
    if output_path is not None:
        _write(Path(output_path), text)
    return text


def _rows(graded: Sequence[Mapping[str, Any]], home: Path | None) -> list[dict[str, Any]]:
    if isinstance(graded, Mapping | str) or not all(isinstance(row, Mapping) for row in graded):
        raise UsageError("the graded list must be a list of objects, as evidence_search returns")
    rows = [dict(row) for row in graded]
    if all("authors" in row and "abstract" in row for row in rows):
        return rows
    from etl.store.home import open_home
    from warehouse.records import completed

    return completed(rows, open_home(home))


def _basis(home: Path | None) -> dict[str, Any] | None:
    """The warehouse in ``home`` and its days; None when there is none or it cannot be read."""
    from etl.store.home import open_home
    from etl.store.snapshot import current
    from warehouse.basis import basis

    try:
        snapshot = current(open_home(home))
    except StoreError:
        return None
    return basis(snapshot) if snapshot else None


def _write(path: Path, text: str) -> None:
    from warehouse.folder_files import write_bytes, writing

    with writing(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, text.encode())
