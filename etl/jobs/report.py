"""What one refresh did, in a shape that prints, logs and serialises the same way."""

from dataclasses import dataclass, field
from typing import Any

from etl.jobs.plan import Failure


@dataclass
class Report:
    """Outcome of a refresh. ``snapshot`` is the committed one after it, None when there is none.

    ``changed``: a snapshot was committed; with exit code 1 it only notes which files failed.
    """

    snapshot: int | None = None
    changed: bool = False
    reworked: bool = False  # evidence was worked out anew from what was held
    dry_run: bool = False
    done: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)
    tables: dict[str, int] = field(default_factory=dict)
    records: dict[str, int] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    stages: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def exit_code(self) -> int:
        """0 all loaded, 3 some deliveries failed and the rest is done, 1 nothing could be done."""
        if not self.failed:
            return 0
        return 3 if self.done or self.skipped or self.reworked else 1

    def summary(self) -> str:
        """One line for a log or a mail from cron."""
        if self.dry_run:
            what = f"would load {len(self.done)} files"
        elif self.exit_code == 1:
            held = f"snapshot {self.snapshot} holds what was loaded before"
            what = f"nothing loaded, {held if self.snapshot else 'there is no snapshot'}"
        elif self.changed:
            what = f"snapshot {self.snapshot} committed, {len(self.done)} deliveries loaded"
        elif self.snapshot is None:
            what = "nothing loaded, no snapshot"
        else:
            what = f"nothing to do, snapshot {self.snapshot} is current"
        return (
            f"{what}; {len(self.skipped)} already loaded, {len(self.failed)} failed; "
            f"{self.seconds:.1f} s"
        )

    def as_dict(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return {
            "snapshot": self.snapshot,
            "changed": self.changed,
            "dry_run": self.dry_run,
            "files": {
                "done": self.done,
                "skipped": self.skipped,
                "failed": [{"file": f.name, "error": f.error} for f in self.failed],
            },
            "records": self.records,
            "tables": self.tables,
            "notices": self.notices,
            "stages": {name: round(spent, 3) for name, spent in self.stages.items()},
            "seconds": round(self.seconds, 3),
            "summary": self.summary(),
        }
