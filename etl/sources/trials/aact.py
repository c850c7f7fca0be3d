"""AACT into the declared tables, from a dump, a flat export or a live PostgreSQL."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from etl.errors import SourceError, UsageError
from etl.sources.trials import archive, joined, repeats
from etl.sources.trials.delivery import Delivery, Notices
from etl.sources.trials.mapping import CALCULATED, DESIGNS, FEEDS, NOT_STORED, STUDIES, Feed
from etl.sources.trials.opened import is_dsn, open_delivery
from etl.sources.trials.shape import shape
from etl.store.schema import TABLES

Write = Callable[[str, Iterable[pa.Table]], None]
NAMES = ("trials", *FEEDS)


@dataclass(frozen=True)
class AactReport:
    """What was loaded.

    ``rows``: by declared table. ``missing_columns`` and ``unknown_columns``: by delivered table,
    against what is known; missing ones are null, unknown ones are left out.
    ``missing_tables``: declared tables that the delivery does not have; they were not written.
    ``notices``: one line each on everything that was loaded although it is not as expected.
    """

    kind: str
    snapshot_date: str | None
    rows: Mapping[str, int]
    missing_columns: Mapping[str, list[str]]
    unknown_columns: Mapping[str, list[str]]
    missing_tables: list[str]
    notices: list[str]


def load(
    source: str,
    write: Write,
    tables: Sequence[str] | None = None,
    workdir: Path | None = None,
) -> AactReport:
    """Load ``tables`` (all declared ones by default) from ``source``.

    ``source`` is a zip, a ``.dmp``, a folder of ``.txt`` files, or a PostgreSQL DSN. ``write`` is
    called once a table with an iterable of batches that fit ``TABLES[table]``; an error of the
    delivery is raised while it iterates, so it must not commit before the iterable ends.
    ``workdir`` is where a zipped dump is unpacked (it needs the dump's size; the system's
    temporary folder by default).

    Raises ``SourceError`` naming the delivery and the mend, ``TransientSourceError`` when a
    server went away, ``UsageError`` for a table that is not declared.
    """
    names = _asked(tables)
    with open_delivery(source, workdir) as delivery:
        loading = _Loading(delivery)
        loading.run(names, write)
        return loading.report()


def identify(source: str) -> tuple[str, str]:
    """Name of the delivery and a checksum that changes when its content does.

    A file: its name and SHA-256. A folder: names, sizes and times of its files. A server: its
    address without user and password, and the number, the newest update and the newest writing
    of its studies.
    """
    if is_dsn(source):
        from etl.sources.trials.live import identify_live

        return identify_live(source)
    path = Path(source)
    archive.kind_of(path)
    return path.name, archive.checksum(path)


def _asked(tables: Sequence[str] | None) -> list[str]:
    unknown = sorted(set(tables or ()) - set(NAMES))
    if unknown:
        raise UsageError(f"no AACT table {unknown[0]!r}; the tables are {', '.join(NAMES)}")
    return [name for name in NAMES if tables is None or name in tables]


@dataclass
class _Loading:
    delivery: Delivery
    notices: Notices = field(default_factory=Notices)
    rows: dict[str, int] = field(default_factory=dict)
    missing_columns: dict[str, list[str]] = field(default_factory=dict)
    unknown_columns: dict[str, list[str]] = field(default_factory=dict)
    missing_tables: list[str] = field(default_factory=list)

    def run(self, names: Sequence[str], write: Write) -> None:
        for line in self.delivery.losses():
            self.notices.add(line)
        self._require_studies()
        repeated = self._trials(write if "trials" in names else None)
        self._others([name for name in names if name != "trials"], repeated, write)

    def _require_studies(self) -> None:
        if STUDIES.table not in self.delivery.tables():
            raise SourceError(
                f"{self.delivery.label}: has no table ctgov.studies; give {archive.EXPECTED}"
            )

    def _trials(self, write: Write | None) -> pa.Table:
        """Writes ``trials`` (when asked) and returns the studies delivered more than once."""
        if write is None:
            bare = [Feed(f.table, f.columns[:1]) for f in (STUDIES, DESIGNS)]
            repeated = repeats.copies(*self._whole(bare))
        else:
            feeds = (STUDIES, DESIGNS, CALCULATED)
            parts = self._whole(feeds)
            repeated = repeats.copies(*parts)
            write("trials", self._counted("trials", joined.trials(parts)))
        repeats.report(repeated, self.notices)
        return repeated

    def _whole(self, feeds: Sequence[Feed]) -> list[pa.Table]:
        """The tables that make up ``trials``, in memory; an undelivered one is empty."""
        read = {feed.table: [_empty(feed)] for feed in feeds}
        named = {feed.table: ("trials", feed) for feed in feeds}
        for feed in feeds:
            if feed.table not in self.delivery.tables():
                self.notices.add(f"no table {feed.table} was delivered: its columns are null")
        for _, feed, batches in self._read(named):
            read[feed.table] += batches
        return [pa.concat_tables(read[feed.table]) for feed in feeds]

    def _others(self, names: Sequence[str], repeated: pa.Table, write: Write) -> None:
        for name in names:
            if FEEDS[name].table not in self.delivery.tables():
                self.missing_tables.append(name)
                self.notices.add(f"no table {FEEDS[name].table} was delivered: {name} not loaded")
        for name, _, batches in self._read({FEEDS[n].table: (n, FEEDS[n]) for n in names}):
            kept = repeats.without(name, batches, repeated)
            write(name, self._counted(name, (b.cast(TABLES[name].arrow) for b in kept)))

    def _read(
        self, named: Mapping[str, tuple[str, Feed]]
    ) -> Iterator[tuple[str, Feed, Iterator[pa.Table]]]:
        present = {t: feed.wanted for t, (_, feed) in named.items() if t in self.delivery.tables()}
        if not present:
            return
        with closing(self.delivery.read(present)) as delivered:
            for rows in delivered:
                name, feed = named[rows.table]
                self._compare(feed, rows.delivered)
                yield name, feed, (shape(name, feed, b, self.notices) for b in rows.batches)

    def _compare(self, feed: Feed, delivered: Sequence[str]) -> None:
        if "nct_id" not in delivered:
            raise SourceError(f"{self.delivery.label}: {feed.table} has no column nct_id")
        if len(feed.columns) == 1:  # read for its NCT numbers alone
            return
        known = NOT_STORED.union(feed.wanted)
        if missing := [c for c in feed.wanted if c not in delivered]:
            self.missing_columns[feed.table] = missing
        if unknown := [c for c in delivered if c not in known]:
            self.unknown_columns[feed.table] = unknown

    def _counted(self, name: str, batches: Iterable[pa.Table]) -> Iterator[pa.Table]:
        self.rows[name] = 0
        for batch in batches:
            self.rows[name] += batch.num_rows
            yield batch

    def report(self) -> AactReport:
        return AactReport(
            self.delivery.kind,
            self.delivery.snapshot_date,
            self.rows,
            self.missing_columns,
            self.unknown_columns,
            self.missing_tables,
            self.notices.lines,
        )


def _empty(feed: Feed) -> pa.Table:
    return pa.schema([pa.field(c.name, c.type) for c in feed.columns]).empty_table()
