"""Up to which day a warehouse knows PubMed, the registry and MeSH."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from etl.store.snapshot import Snapshot

# PubMed and AACT are delivered daily; a week of silence means that nobody loads them.
OLD_DAYS = 7


@dataclass(frozen=True)
class Fresh:
    """One source: the last day (MeSH: the year) that is loaded, None when it is not known.

    ``loaded`` is False for a source that was never loaded; ``days`` is the age today, None for
    MeSH and where the day is not known; ``old`` says that something newer must exist.
    """

    source: str
    loaded: bool
    until: str | None
    days: int | None
    old: bool

    def said(self) -> str:
        """In a few words."""
        if not self.loaded:
            return "never loaded"
        if self.until is None:
            return "loaded, of which date is not known"
        return self.until if self.days is None else f"up to {self.until}, {self.days} days ago"


def freshness(snapshot: Snapshot, today: date | None = None) -> tuple[Fresh, ...]:
    """PubMed (newest day of entry in NLM's files), AACT (its snapshot), MeSH (its year)."""
    day = today or datetime.now(UTC).date()
    marks, sources = snapshot.watermarks, snapshot.sources
    year = sources.get("mesh", {}).get("year")
    files = bool(sources.get("pubmed", {}).get("files"))
    return (
        _daily("PubMed", marks.get("pubmed_date"), files, day),
        _daily("AACT", marks.get("aact_date"), "aact" in sources, day),
        Fresh("MeSH", "mesh" in sources, str(year) if year else None, None,
              bool(year) and int(year) < day.year),
    )  # fmt: skip


def _daily(source: str, until: Any, loaded: bool, today: date) -> Fresh:
    said = str(until)[:10] if until else None
    days = (today - date.fromisoformat(said)).days if said else None
    return Fresh(source, loaded, said, days, days is not None and days > OLD_DAYS)
