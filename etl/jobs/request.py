"""What a refresh is asked to load."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Request:
    """What to load. ``only`` limits the sources to some of pubmed, aact, mesh; empty is all.

    ``cluster``: address of a Dask scheduler whose workers parse, in place of local processes.
    """

    pubmed: tuple[str, ...] = ()
    aact: str | None = None
    mesh: str | None = None
    only: frozenset[str] = frozenset()
    workers: int = 1
    max_files: int | None = None
    dry_run: bool = False
    keep_raw: bool = True
    restore_to: str | None = None
    replace_database: bool = False
    allow_gaps: bool = False
    cluster: str | None = None

    def wants(self, source: str) -> bool:
        """Whether this source takes part."""
        return not self.only or source in self.only
