"""What is committed, in numbers."""

from dataclasses import asdict
from typing import Any

from etl.store.home import Home
from etl.store.snapshot import committed
from warehouse.freshness import freshness
from warehouse.index_state import index_state


def status(home: Home) -> dict[str, Any]:
    """Snapshot, rows by table, watermarks, versions and index of ``home``.

    ``watermarks`` name the last PubMed file applied and the AACT date; a key is missing when that
    source was never loaded. ``freshness`` says by source up to which day it is loaded, how many
    days ago that was, and whether something newer must exist. ``live_records`` were fetched live
    and kept since the last baseline, those that NLM's files replaced since among them. ``index``
    is the index's own stamp: ``snapshot`` None means that there is none yet or that it is broken;
    it is rebuilt when next needed.
    Raises ``NoSnapshotError`` before the first refresh.
    """
    snapshot = committed(home)
    versions = snapshot.versions
    marks = {k: v for k, v in snapshot.watermarks.items() if k != "pubmed_seq"}
    return {
        "home": str(home.root),
        "snapshot": snapshot.id,
        "created_at": snapshot.created_at,
        "tables": {name: state.rows for name, state in sorted(snapshot.tables.items())},
        "bytes": sum(f.bytes for state in snapshot.tables.values() for f in state.files),
        "watermarks": marks,
        "freshness": [asdict(one) for one in freshness(snapshot)],
        "live_records": snapshot.sources.get("pubmed", {}).get("live", {}).get("records", 0),
        "rule_version": versions["rules"],
        "extractor_version": versions["extractor"],
        "index": index_state(home, snapshot),
        "failed_files": [
            {"file": name, **failed}
            for name, failed in snapshot.sources.get("pubmed", {}).get("failed", {}).items()
        ],
        "duckdb": str(home.duckdb),
    }
