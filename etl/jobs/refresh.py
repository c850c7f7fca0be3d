"""The nightly job, in order: new files, trials, MeSH, links, facts, grades, index, one commit."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from etl.errors import EvidenceError, SourceError, StoreError, UsageError
from etl.jobs import derive, index
from etl.jobs.deliveries import Deliveries, fetch_aact, gather, held_back, offered_names
from etl.jobs.grade import RULE_VERSION
from etl.jobs.ingest import Ingested, ingest, signals_again
from etl.jobs.log import write_log
from etl.jobs.plan import Failure, Plan, plan, remember
from etl.jobs.pool import executor
from etl.jobs.report import Report
from etl.sources.mesh import load as mesh
from etl.sources.trials import aact
from etl.sources.trials.restore import restore
from etl.store import tables as store
from etl.store.home import Home, prepare
from etl.store.lock import refresh_lock
from etl.store.snapshot import EMPTY, Snapshot, TableState, commit, current
from etl.store.views import ensure_derived
from etl.text.extract import EXTRACTOR_VERSION

# A refresh that changes more than this share of the corpus recomputes all of it: one pass over
# everything is then quicker than looking up what each change touches.
FULL_SHARE = 0.2

# Made from the other tables alone, so made again when a file of them is lost.
WORKED_OUT = frozenset(
    {
        "citation_trials", "citation_links", "title_keys", "guideline_references",
        "journal_metrics", "evidence_facts", "graded",
    }
)  # fmt: skip


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


class Progress:
    """Where a refresh tells what it is doing; the silent default."""

    def stage(self, name: str, total: int | None = None) -> None:
        """A new stage begins, with ``total`` steps when that is known."""

    def step(self, what: str) -> None:
        """One step of the present stage is done or begun."""


def refresh(home: Home, request: Request, progress: Progress | None = None) -> Report:
    """Bring ``home`` up to date with one commit, or leave it exactly as it was.

    A delivery that cannot be read is named in the report and the rest is loaded. Raises
    ``LockedError`` when another refresh runs, ``StoreError`` when the home cannot be written,
    ``UsageError`` when there is nothing to load and nothing was ever loaded.
    """
    prepare(home)
    started = datetime.now(UTC)
    with refresh_lock(home):
        try:
            report = _Run(home, request, progress or Progress()).run()
        except EvidenceError as error:
            write_log(home, started, error)
            raise
        if not request.dry_run:
            write_log(home, started, report)
        return report


class _Run:
    """One refresh under the lock."""

    def __init__(self, home: Home, request: Request, progress: Progress) -> None:
        self.home = home
        self.request = request
        self.progress = progress
        self.before, self.lost = _whole(home, current(home) or EMPTY)
        today = datetime.now(UTC).date()
        self.work = derive.Working(home, self.before, today.year)
        self.month = f"{today:%Y-%m}"
        self.sources: dict[str, Any] = dict(self.before.sources)
        self.watermarks: dict[str, Any] = dict(self.before.watermarks)
        self.report = Report(snapshot=self.before.id or None, dry_run=request.dry_run)
        self.changed: pa.Array = pa.array([], pa.int64())
        self.found = Deliveries()
        self.trials: dict[str, TableState] = {}

    def run(self) -> Report:
        started = time.monotonic()
        with self._stage("plan"):
            todo = self._plan()
        if not self.request.dry_run:
            self._load(todo)
            if self._anything_new():
                self.report.reworked = self._new_rules() or self.lost
                self._work_out()
                self._commit()
            elif self.before.id:
                ensure_derived(self.home, self.before)
        snapshot = current(self.home) or EMPTY
        self.report.tables = {name: t.rows for name, t in sorted(snapshot.tables.items())}
        self.report.seconds = time.monotonic() - started
        return self.report

    # -- what is new ---------------------------------------------------------------------------

    def _plan(self) -> Plan:
        wanted = self.request.pubmed if self.request.wants("pubmed") else ()
        if not (wanted or self.request.aact or self.request.mesh or self.before.id):
            raise UsageError(
                f"nothing to load into {self.home.root}: give --pubmed DIR, --aact ZIP or both"
            )
        known = self.sources.get("pubmed", {})
        if self.request.dry_run:
            return self._dry(wanted, known)
        self.found = gather(
            self.home,
            wanted,
            known,
            keep_raw=self.request.keep_raw,
            max_files=self.request.max_files,
        )
        self.report.notices += self.found.notices
        self.report.skipped += self.found.skipped
        if self.found.replaces:
            known = {}
        todo = plan(self.found.paths, known)
        if not self.request.allow_gaps:
            todo = self._in_sequence(todo, known)
        self.sources["pubmed"] = {**known, "baseline": self.found.baseline}
        self.report.skipped += todo.skipped
        self.report.failed += [*self.found.failed, *todo.failed]
        return replace(todo, todo=todo.todo[: self.request.max_files])

    def _dry(self, wanted: Sequence[str], known: Mapping[str, Any]) -> Plan:
        names = offered_names(wanted)
        loaded = known.get("files", {})
        self.report.done += [name for name in names if name not in loaded][: self.request.max_files]
        self.report.skipped += [name for name in names if name in loaded]
        return Plan((), (), ())

    def _in_sequence(self, todo: Plan, known: Mapping[str, Any]) -> Plan:
        """``todo`` without the update files that wait for one that is missing."""
        names = [p.file.name for p in todo.todo] + [f.name for f in todo.failed]
        loaded = known.get("files", {}).keys()
        waiting, missing = held_back(names, loaded, self.found.baseline)
        told = {failure.name for failure in self.found.failed}
        self.report.failed += [f for f in missing if f.name not in told]
        return replace(todo, todo=tuple(p for p in todo.todo if p.file.name not in waiting))

    def _load(self, todo: Plan) -> None:
        if todo.todo:
            self._load_pubmed(todo)
        elif todo.failed:
            self._remember([], todo.failed)
        if self._stale_signals():
            self._extract_again()
        if self.request.aact and self.request.wants("aact"):
            self._attempt(self.request.aact, self._load_aact)
        if self.request.mesh and self.request.wants("mesh"):
            self._attempt(self.request.mesh, self._load_mesh)

    def _attempt(self, source: str, load: Callable[[str], None]) -> None:
        try:
            load(source)
        except SourceError as error:
            self.report.failed.append(Failure(Path(source).name, str(error)))
        except PermissionError as error:
            why = f"{source}: cannot be read ({error.strerror}); give yourself the right to read it"
            self.report.failed.append(Failure(Path(source).name, why))

    # -- sources -------------------------------------------------------------------------------

    def _load_pubmed(self, todo: Plan) -> None:
        workers = min(self.request.workers, len(todo.todo))
        stage = self._stage("PubMed files", len(todo.todo))
        with stage, executor(workers, self.request.cluster) as pool:
            done, failed = ingest(self.home, todo.todo, pool, self.progress.step)
        self.report.failed += failed
        if self.found.replaces and (failed or todo.failed or self.found.failed):
            self._keep_the_old_base()
            return
        self.report.done += [i.planned.file.name for i in done]
        self._count(done)
        self._remember(done, [*todo.failed, *failed])
        if not done:  # a first load of which nothing could be read makes no warehouse
            return
        with self._stage("store"):
            for table in ("citations", "citation_signals"):
                state = TableState() if self.found.replaces else self.work.state(table)
                changes = [i.change(table) for i in done]
                state, changed = store.apply(self.home, table, state, changes)
                self.work.tables[table] = store.compact(self.home, table, state)
                if table == "citations":
                    self.changed = changed

    def _keep_the_old_base(self) -> None:
        """A new baseline counts only when every file of it could be read."""
        self.sources["pubmed"] = self.before.sources["pubmed"]
        self.report.notices.append(
            "the new baseline is not whole (see the failed files): the present one stays"
        )

    def _count(self, done: Sequence[Ingested]) -> None:
        unknown: Counter[str] = Counter()
        for item in done:
            unknown.update(item.unknown_elements)
        self.report.records = {
            "citations": sum(i.records for i in done),
            "deletes": sum(i.deletes for i in done),
        }
        if unknown:
            names = ", ".join(f"{name} ({n})" for name, n in unknown.most_common(5))
            self.report.notices.append(f"XML elements that the parser does not know: {names}")

    def _remember(self, done: Sequence[Ingested], failed: Sequence[Failure]) -> None:
        planned = [i.planned for i in done]
        self.sources["pubmed"] = remember(self.sources.get("pubmed", {}), planned, failed)
        if planned:
            last = max(planned, key=lambda p: p.seq)
            if last.seq >= self.watermarks.get("pubmed_seq", 0):
                self.watermarks |= {"pubmed_file": last.file.name, "pubmed_seq": last.seq}
        days = [i.newest.isoformat() for i in done if i.newest]
        if days:  # up to which day PubMed is here: later ones are asked of it live
            self.watermarks["pubmed_date"] = max([*days, self.watermarks.get("pubmed_date", "")])

    def _stale_signals(self) -> bool:
        was = self.before.versions.get("extractor")
        return was is not None and was != EXTRACTOR_VERSION

    def _extract_again(self) -> None:
        ranges = derive.ranges(self.work)
        stage = self._stage("words again", len(ranges))
        with stage, executor(self.request.workers, self.request.cluster) as pool:
            files = signals_again(self.home, self.work.snapshot, ranges, pool, self.progress.step)
        self.work.tables["citation_signals"] = store.replace(self.home, "citation_signals", files)

    def _load_aact(self, source: str) -> None:
        known = self.sources.get("aact", {})
        with self._stage("AACT"):
            place, mark = fetch_aact(self.home, source, known)
            if mark is not None and place == source:
                self.report.skipped.append(known["name"])
                return
            name, checksum = aact.identify(place)
            if known.get("checksum") == checksum:
                self.report.skipped.append(name)
                return
            result = aact.load(place, self._write_trials, workdir=self.home.staging)
            if self.request.restore_to:
                self._restore(place, self.request.restore_to)
        self.work.tables |= self.trials
        self.sources["aact"] = {
            "name": name, "checksum": checksum, "kind": result.kind, "mark": mark
        }  # fmt: skip
        self.watermarks["aact_date"] = result.snapshot_date
        self.report.done.append(name)
        self.report.notices += result.notices

    def _restore(self, dump: str, dsn: str) -> None:
        replaced = self.request.replace_database
        made = restore(dump, dsn, replace=replaced, workdir=self.home.staging)
        self.report.notices += [f"{made.studies:,} studies restored into {made.database}"]
        self.report.notices += made.notices

    def _write_trials(self, table: str, batches: Iterable[pa.Table]) -> None:
        self.progress.step(table)
        file = self.work.write(table, batches)
        self.trials[table] = store.replace(self.home, table, [file])

    def _load_mesh(self, source: str) -> None:
        path = Path(source)
        checksum = mesh.identify(path)
        if self.sources.get("mesh", {}).get("checksum") == checksum:
            self.report.skipped.append(path.name)
            return
        with self._stage("MeSH"):
            loaded = mesh.load(path)
            self.work.replace("mesh_descriptors", loaded.descriptors)
            self.work.replace("mesh_tree", loaded.tree)
        self.sources["mesh"] = {"name": path.name, "checksum": checksum, "year": loaded.year}
        self.report.done.append(path.name)

    # -- what it means -------------------------------------------------------------------------

    def _anything_new(self) -> bool:
        news = self.work.tables or self._news_of_sources() or self._new_rules() or self.lost
        return bool(news)

    def _news_of_sources(self) -> bool:
        """Whether a file failed, or came whole, that did not before."""
        now, was = ({"pubmed": {}, **s}["pubmed"] for s in (self.sources, self.before.sources))
        return bool(self.before.id) and now.get("failed", {}) != was.get("failed", {})

    def _versions(self) -> Mapping[str, str]:
        return {
            "rules": RULE_VERSION,
            "extractor": EXTRACTOR_VERSION,
            "as_of_year": str(self.work.as_of_year),
            "metrics_month": self.month,
        }

    def _new_rules(self) -> bool:
        return bool(self.before.id) and dict(self.before.versions) != self._versions()

    def _work_out(self) -> None:
        citations = self.work.state("citations")
        whole = (
            "graded" not in self.before.tables
            or self._new_rules()
            or "mesh_tree" in self.work.tables
            or self.found.replaces
            or self.lost
            or len(self.changed) > FULL_SHARE * max(citations.rows, 1)
        )
        with self._stage("evidence"):
            if whole:
                derive.derive_all(self.work, self.progress.step)
            else:
                self.changed = derive.derive_changed(self.work, self.changed, self.progress.step)
        with self._stage("index"):
            index.bring_up_to_date(self.work, None if whole else self.changed)

    def _commit(self) -> None:
        self.watermarks["refreshed_at"] = datetime.now(UTC).isoformat(timespec="seconds")
        with self._stage("commit"):
            made = commit(
                self.home,
                replace(
                    self.work.snapshot,
                    sources=self.sources,
                    watermarks=self.watermarks,
                    versions=self._versions(),
                ),
            )
        self.report.snapshot, self.report.changed = made.id, True
        self.found.forget(self.home)

    @contextmanager
    def _stage(self, name: str, total: int | None = None) -> Iterator[None]:
        self.progress.stage(name, total)
        started = time.monotonic()
        yield
        self.report.stages[name] = self.report.stages.get(name, 0.0) + time.monotonic() - started


def _whole(home: Home, snapshot: Snapshot) -> tuple[Snapshot, bool]:
    """``snapshot`` without worked-out tables whose files are gone, and whether there were any.

    What is worked out can be made again. Raises ``StoreError`` when what was delivered is gone.
    """
    lost = {
        name: file
        for name, state in snapshot.tables.items()
        for file in state.files
        if not (home.root / file.path).is_file()
    }
    for name, file in lost.items():
        if name not in WORKED_OUT:
            raise StoreError(
                f"{home.root / file.path} is missing, a file of {name}: restore it from a backup, "
                "or load everything into a new home with evidence refresh --home NEW"
            )
    kept = {name: state for name, state in snapshot.tables.items() if name not in lost}
    return replace(snapshot, tables=kept), bool(lost)
