"""Progress of a refresh on standard error: bars on a terminal, nothing else."""

import sys
from typing import Any

from etl.jobs.refresh import Progress


class Bars(Progress):
    """One line a stage; a bar where the number of steps is known."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import Progress as Rich

        self._rich = Rich(console=Console(file=sys.stderr), transient=False)
        self._task: Any = None

    def __enter__(self) -> "Bars":
        self._rich.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._rich.stop()

    def stage(self, name: str, total: int | None = None) -> None:
        """Begin a line."""
        if self._task is not None:
            self._rich.update(self._task, total=1, completed=1)
        self._task = self._rich.add_task(name, total=total)

    def step(self, what: str) -> None:
        """Move the present line on."""
        if self._task is not None:
            self._rich.update(self._task, advance=1)
