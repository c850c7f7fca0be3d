"""Records fetched live, kept as one more change of the warehouse: the next question is local.

They take the way of a delivered file: as delivered under ``raw/live/``, then citations, signals,
links, facts, grades, index and one commit under the refresh lock. Their place in the order is
after the last applied file and before NLM's next one, which therefore replaces them when it
brings the same PMIDs. Nothing else moves: no watermark, no gap, no version.
"""

import gzip
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import duckdb
import pyarrow as pa

from etl.errors import EvidenceError
from etl.jobs import derive, index
from etl.jobs.grade import RULE_VERSION
from etl.jobs.ingest import unique_name
from etl.jobs.plan import live_place
from etl.store import tables as store
from etl.store.home import Home, prepare, sync_file, sync_folder, writing
from etl.store.lock import refresh_lock
from etl.store.schema import TABLES, conform
from etl.store.snapshot import Snapshot, commit, current
from etl.store.views import held
from etl.text.extract import EXTRACTOR_VERSION, extract

FOLDER = "live"


@dataclass(frozen=True)
class Kept:
    """Whether fetched records are in the warehouse now; ``why`` says in one line why not."""

    snapshot: Snapshot | None
    why: str = ""


def keep(home: Home, citations: pa.Table, xml: Sequence[bytes] = ()) -> Kept:
    """Put ``citations`` (rows of that table, from efetch) into the warehouse with one commit.

    ``xml`` are the answers as delivered. Never raises for what hinders it (another refresh, a
    read-only or full disk, a warehouse graded under other rules): ``Kept.why`` says it, and the
    warehouse is what it was.
    """
    if not citations.num_rows:
        return Kept(current(home))
    try:
        prepare(home)
        with refresh_lock(home):
            return _keep(home, citations, xml)
    except EvidenceError as error:
        return Kept(None, str(error))
    except (OSError, duckdb.Error, pa.ArrowException) as error:
        return Kept(None, " ".join(str(error).split())[:300])


def _keep(home: Home, citations: pa.Table, xml: Sequence[bytes]) -> Kept:
    before = current(home)
    if before is None or "graded" not in before.tables:
        return Kept(None, f"nothing has been loaded into {home.root} yet: run evidence refresh")
    other = _other_version(before)
    if other:
        return Kept(None, other)
    work = derive.Working(home, before, int(before.versions["as_of_year"]))
    news = _not_held(work, citations)
    if not news.num_rows:
        return Kept(before)
    known = before.sources.get("pubmed", {})
    seq = live_place(known)
    names = [_write_raw(home, text) for text in xml]
    changed = _put(work, _placed(news, seq, names[0] if names else "live"), seq)
    graded = derive.derive_changed(work, changed, lambda what: None)
    index.bring_up_to_date(work, graded)
    sources = {**before.sources, "pubmed": {**known, "live": _noted(known, seq, news)}}
    return Kept(commit(home, replace(work.snapshot, sources=sources)))


def _other_version(before: Snapshot) -> str:
    """Why a change of a few records would mix two versions of the rules; empty if it would not."""
    now = {"rules": RULE_VERSION, "extractor": EXTRACTOR_VERSION}
    for name, version in now.items():
        was = before.versions.get(name)
        if was != version:
            return f"the warehouse has {name} {was}, this program {version}: run evidence refresh"
    return ""


def _not_held(work: derive.Working, citations: pa.Table) -> pa.Table:
    """Only what the warehouse lacks: another question may have kept the others meanwhile."""
    pmids = citations.column("pmid").to_pylist()
    there = held(work.home, work.snapshot, pmids)
    mask = [pmid not in there for pmid in pmids]
    return citations.filter(pa.array(mask, pa.bool_()))


def _placed(citations: pa.Table, seq: int, name: str) -> pa.Table:
    """The rows with their place and the name of the delivery that they came from."""
    told: dict[str, Any] = {"seq": seq, "source_file": name}
    for column, value in told.items():
        at = citations.schema.get_field_index(column)
        kind = citations.schema.field(at)
        values = pa.repeat(pa.scalar(value, kind.type), citations.num_rows)
        citations = citations.set_column(at, kind, values)
    return conform(TABLES["citations"], citations)


def _put(work: derive.Working, rows: pa.Table, seq: int) -> pa.Array:
    """Citations and signals as one change each; the PMIDs whose visible record is another."""
    name = unique_name("live", seq)
    touched = pa.table(
        {
            "pmid": rows.column("pmid"),
            "op": pa.repeat(pa.scalar("put"), rows.num_rows),
            "version": rows.column("version"),
        }
    )
    changed: dict[str, pa.Array] = {}
    for table, content in (("citations", rows), ("citation_signals", extract(rows))):
        file = store.write_file(work.home, table, content, seq, name)
        change = store.Change(seq, file, touched)
        state, changed[table] = store.apply(work.home, table, work.state(table), [change])
        work.tables[table] = store.compact(work.home, table, state)
    return changed["citations"]


def _write_raw(home: Home, xml: bytes) -> str:
    """The answer as delivered, compressed; its name, which holds time and checksum."""
    now = datetime.now(UTC)
    name = f"efetch-{now:%Y%m%dT%H%M%S}-{hashlib.sha256(xml).hexdigest()[:12]}.xml.gz"
    path = home.raw / FOLDER / name
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(xml, 6, mtime=0))
        sync_file(path)
        sync_folder(path.parent)
    return name


def _noted(known: Any, seq: int, news: pa.Table) -> dict[str, Any]:
    """What the manifest says of live records: their last place, how many, when the last came."""
    was = known.get("live", {})
    return {
        "seq": seq,
        "records": was.get("records", 0) + news.num_rows,
        "kept_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
