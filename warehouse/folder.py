"""The evidence folder: one file a record by grade, an index, a summary, a log of queries.

Each line of ``_query_log.jsonl`` names the files that its run stands for, with checksums. That is
how a rerun knows which files are its own: those that the same query wrote before and does not
stand for any more are removed, unless someone has changed them since.
"""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from etl.store.home import Home
from etl.store.snapshot import Snapshot, committed
from warehouse import folder_log
from warehouse.citations import apa, chinese, gbt7714
from warehouse.folder_files import checksum, encoded, utf8, write_bytes, writing
from warehouse.records import completed
from warehouse.report import evidence_summary
from warehouse.safe_names import cell, stem

FOLDERS = ("grade-A", "grade-B", "grade-C", "grade-D", "excluded", "ungraded")
_BY_GRADE = {grade: f"grade-{grade}" for grade in "ABCD"} | {"excluded": "excluded"}
INDEX = (
    "evidence_id", "grade", "grade_label", "design", "sample_size", "year", "first_author",
    "title", "journal", "pmid", "pmcid", "doi", "nct_ids", "grade_rationale", "citation_apa",
    "citation_chinese", "match", "file",
)  # fmt: skip
# what stands beside metadata in a record's file
_APART = (
    "evidence_id", "grade", "grade_rationale", "abstract", "score", "source_chain", "sources",
)  # fmt: skip

# of a search answer, what a reader of the log needs to trust its counts
_STANDING = ("date_range", "match", "nearest", "sources", "incomplete", "offline", "warehouse")


@dataclass
class Written:
    """What one run did: files that it stands for, removed ones, what the user should know."""

    folder: Path
    files: dict[str, str] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def write_folder(  # noqa: PLR0913 - keywords
    out: Path,
    rows: Sequence[Mapping[str, Any]],
    *,
    home: Home,
    query: Mapping[str, Any],
    answer: Mapping[str, Any] | None = None,
    lang: str = "zh",
) -> Written:
    """Writes ``rows`` (search results or graded PMIDs) into ``out`` in the seed's structure.

    ``query`` says what was asked, in values that JSON holds; the same values mean the same query
    at a rerun. ``answer`` is the whole search answer, for counts over all matches. Rows that the
    warehouse does not hold (``found`` False) get no file. Raises ``StoreError`` naming the folder
    when it cannot be written.
    """
    snapshot = committed(home)
    known = [row for row in rows if row.get("found") is not False]
    full = completed(known, home)
    with writing(out):
        for name in FOLDERS:
            (out / name).mkdir(parents=True, exist_ok=True)
    log = folder_log.read(out)
    written = Written(out, notices=list(log.notices))
    entries = _write_records(out, full, snapshot, written)
    _remove_stale(out, log, query, written)
    others = _of_other_queries(out, log, query, written)
    write_bytes(out / "_index.csv", utf8(_index([*entries, *others])))
    absent = [row for row in rows if row.get("found") is False]
    summary = evidence_summary(
        [*full, *absent], lang=lang, answer=answer, query=_title(query), home=home.root
    )
    write_bytes(out / "_summary.md", utf8(summary))
    folder_log.append(out, _log_line(query, answer, snapshot, rows, written))
    return written


def _write_records(
    out: Path, rows: Sequence[Mapping[str, Any]], snapshot: Snapshot, written: Written
) -> list[dict[str, Any]]:
    entries = []
    taken: set[str] = set()
    for row in rows:
        name = f"{_BY_GRADE.get(str(row.get('grade')), 'ungraded')}/{stem(row)}"
        if name.casefold() in taken:  # the same record twice in one answer
            continue
        taken.add(name.casefold())
        document = record_document(row, snapshot)
        _write(out, f"{name}.json", encoded(document), written)
        if document["abstract"]:
            _write(out, f"{name}_abs.txt", utf8(f"{document['abstract']}\n"), written)
        entries.append(_entry(document, f"{name}.json"))
    return entries


def _write(out: Path, name: str, content: bytes, written: Written) -> None:
    write_bytes(out / name, content)
    written.files[name] = checksum(content)


def record_document(row: Mapping[str, Any], snapshot: Snapshot) -> dict[str, Any]:
    """The JSON of one record. ``fetched_at`` is when the snapshot that answers was committed."""
    return {
        "evidence_id": row.get("evidence_id") or f"PMID:{row.get('pmid')}",
        "grade": row.get("grade"),
        "grade_rationale": row.get("grade_rationale"),
        "citation_apa": apa(row),
        "citation_chinese": chinese(row),
        "citation_gbt7714": gbt7714(row),
        "metadata": {key: value for key, value in row.items() if key not in _APART},
        "abstract": row.get("abstract"),
        "fetched_at": _utc(snapshot.created_at),
        "source_chain": _chain(row, snapshot),
    }


def _chain(row: Mapping[str, Any], snapshot: Snapshot) -> list[str]:
    """Where the record comes from: the delivery that brought it, or the live sources."""
    file = row.get("source_file")
    live = list(row.get("source_chain") or ["warehouse"])
    if "warehouse" not in live and not file:
        return live  # shown and not kept
    if row.get("nct_id"):
        delivered = "aact"
    elif str(file or "").startswith("efetch-"):
        delivered = f"pubmed-eutils:{file}"
    else:
        delivered = f"pubmed_bulk:{file or 'unknown file'}"
    return [delivered, f"warehouse:snapshot-{snapshot.id}"]


def _utc(text: str) -> str:
    moment = datetime.fromisoformat(text).astimezone(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _entry(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    metadata = document.get("metadata") or {}
    authors = metadata.get("authors") or []
    return {
        **{key: metadata.get(key) for key in INDEX},
        **{key: document.get(key) for key in INDEX if key in document},
        "first_author": authors[0] if authors else None,
        "file": name,
    }


def _index(entries: Sequence[Mapping[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(INDEX)
    for entry in entries:
        writer.writerow([cell(entry.get(name)) for name in INDEX])
    return text.getvalue()


def _remove_stale(
    out: Path, log: folder_log.Log, query: Mapping[str, Any], written: Written
) -> None:
    """Removes what is not stood for any more: by this query, or as another grade of a record."""
    key = folder_log.key(query)
    mine = {name for name in log.files_of(key) if name not in written.files}
    wanted = log.files_of_others(key)
    here = {Path(name).name for name in written.files}
    moved = {name for name in wanted if Path(name).name in here and name not in written.files}
    for name in sorted((mine - set(wanted)) | moved):
        state = folder_log.remove(out, name, log.checksums(name))
        if state == "removed":
            written.removed.append(name)
        elif state == "changed":
            written.notices.append(f"{name} was changed since it was written: left where it is")


def _of_other_queries(
    out: Path, log: folder_log.Log, query: Mapping[str, Any], written: Written
) -> list[dict[str, Any]]:
    """Index entries of records that other queries left in the same folder."""
    entries = []
    for name in log.files_of_others(folder_log.key(query)):
        if name.endswith(".json") and name not in written.files and (out / name).is_file():
            try:
                document = json.loads((out / name).read_text(encoding="utf-8"))
                entries.append(_entry(document, name))
            except (OSError, ValueError, AttributeError, TypeError):
                written.notices.append(f"{name} cannot be read any more: not in _index.csv")
    return entries


def _title(query: Mapping[str, Any]) -> str | None:
    return str(query["query"]) if query.get("query") else None


def _log_line(
    query: Mapping[str, Any],
    answer: Mapping[str, Any] | None,
    snapshot: Snapshot,
    rows: Sequence[Mapping[str, Any]],
    written: Written,
) -> dict[str, Any]:
    said = answer or {}
    return {
        "time": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "key": folder_log.key(query),
        "asked": dict(query),
        "query_translation": said.get("query_translation"),
        "snapshot": snapshot.id,
        "snapshot_created_at": snapshot.created_at,
        "rule_version": snapshot.versions.get("rules"),
        "total": said.get("total", sum(row.get("found") is not False for row in rows)),
        "by_grade": said.get("by_grade"),
        "notices": list(said.get("notices") or []),
        **{key: said.get(key) for key in _STANDING},
        "without_record": {
            str(row.get("pmid")): row.get("lookup") for row in rows if row.get("found") is False
        },
        "written": written.files,
        "removed": written.removed,
    }
