"""Work that ends the process that does it; workers import it by name."""

import os
import signal
from pathlib import Path

from etl.errors import SourceError
from etl.jobs.ingest import Ingested, ingest_file
from etl.jobs.plan import Planned
from etl.store.home import Home


def guarded(home: Home, planned: Planned) -> Ingested | SourceError:
    """As in a refresh, but a file named poison ends every worker, one named unlucky the first."""
    seen = home.root / f"seen-{planned.file.name}"
    tries = int(seen.read_text()) if seen.exists() else 0
    seen.write_text(str(tries + 1))
    if "poison" in planned.file.name or ("unlucky" in planned.file.name and tries == 0):
        os.kill(os.getpid(), signal.SIGKILL)
    try:
        return ingest_file(home, planned)
    except SourceError as error:
        return error


def tries(home: Home, name: str) -> int:
    """How often a worker began this file."""
    seen = home.root / f"seen-{name}"
    return int(seen.read_text()) if seen.exists() else 0


def ends_at(job: tuple[Path, int]) -> int:
    """The number doubled; ends the process when the number is negative."""
    folder, number = job
    (folder / f"{os.getpid()}-{number}").touch()
    if number < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


def waits_for(path: Path) -> int:
    """This process, once the file is there; says first that it has begun."""
    import time

    begun = path.with_name(f"begun-{os.getpid()}")
    begun.touch()
    while not path.exists():
        time.sleep(0.05)
    return os.getpid()


def raises(message: str) -> None:
    """A fault of ours inside a worker."""
    raise ZeroDivisionError(message)
