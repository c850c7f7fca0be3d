"""One page a refresh, kept in the home: what cron's user reads after a bad night."""

import os
from datetime import UTC, datetime
from pathlib import Path

from etl.errors import EvidenceError
from etl.jobs.report import Report
from etl.store.home import Home, write_text

KEEP = 60  # two months of nights


def write_log(home: Home, started: datetime, outcome: Report | EvidenceError) -> Path | None:
    """Write the page of one run; None when the home takes no file (the run has said why)."""
    folder = home.root / "logs"
    path = folder / f"refresh-{started:%Y%m%dT%H%M%SZ}-{os.getpid()}.txt"
    try:
        folder.mkdir(exist_ok=True)
        write_text(path, _page(started, outcome))
        for old in sorted(folder.glob("refresh-*.txt"))[:-KEEP]:
            old.unlink(missing_ok=True)
    except (OSError, EvidenceError):
        return None
    return path


def _page(started: datetime, outcome: Report | EvidenceError) -> str:
    ended = datetime.now(UTC)
    lines = [f"started  {started:%Y-%m-%d %H:%M:%S} UTC", f"ended    {ended:%Y-%m-%d %H:%M:%S} UTC"]
    if isinstance(outcome, EvidenceError):
        return "\n".join([*lines, f"exit     {outcome.exit_code}", f"stopped  {outcome}", ""])
    lines += [f"exit     {outcome.exit_code}", f"summary  {outcome.summary()}", ""]
    lines += [f"failed   {failure.error}" for failure in outcome.failed]
    lines += [f"notice   {notice}" for notice in outcome.notices]
    lines += [f"loaded   {name}" for name in outcome.done]
    lines += ["", *(f"{spent:10.1f} s  {stage}" for stage, spent in outcome.stages.items())]
    lines += ["", *(f"{rows:>14,}  {table}" for table, rows in outcome.tables.items()), ""]
    return "\n".join(lines)
