"""On what an answer rests: the committed snapshot, and the days up to which it is current."""

from typing import Any

from etl.store.snapshot import Snapshot


def basis(snapshot: Snapshot) -> dict[str, Any]:
    """What an answer's ``warehouse`` says; a value is None when that source was never loaded.

    ``snapshot`` and ``created_at`` (UTC, ISO 8601) name the commit; ``pubmed_date`` is the last
    day of PubMed that is held, ``pubmed_file`` the last file applied, ``aact_date`` the day of the
    registry's copy, ``mesh`` the year of MeSH, else the name of the file that was loaded;
    ``rule_version`` and ``extractor_version`` are those that graded its records.
    """
    marks, versions = snapshot.watermarks, snapshot.versions
    mesh = snapshot.sources.get("mesh") or {}
    year = mesh.get("year")
    return {
        "snapshot": snapshot.id,
        "created_at": snapshot.created_at,
        "pubmed_date": marks.get("pubmed_date"),
        "pubmed_file": marks.get("pubmed_file"),
        "aact_date": marks.get("aact_date"),
        "mesh": str(year) if year else mesh.get("name"),
        "rule_version": versions.get("rules"),
        "extractor_version": versions.get("extractor"),
    }
