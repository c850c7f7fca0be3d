"""Where per-file work runs: in this process, on local processes, or on a Dask cluster.

One map over any ``concurrent.futures.Executor``. A worker that dies (killed, out of memory)
costs only the job it was at, which is given to another one; a job whose worker died ``TRIES``
times is given up by name and the others go on.
"""

import os
import queue
import shutil
import socket
import threading
import uuid
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from pathlib import Path
from typing import Any, Generic, TypeVar

from etl.errors import SourceError, StoreError
from etl.jobs.code import check_code, code_digest
from etl.store.home import Home, writing

TRIES = 3  # deaths of a worker that one job may cause before it is given up
LOOK_SECONDS = 5.0  # how often the pool is looked at while no job ends

Job = TypeVar("Job")
Result = TypeVar("Result")


class WorkerDiedError(SourceError):
    """Every worker that was given this job died at it (killed, or out of memory)."""


class Pool(ABC):
    """An executor, and what the map has to know about it."""

    executor: Executor
    deaths: tuple[type[BaseException], ...] = (BrokenExecutor,)

    @abstractmethod
    def window(self) -> int:
        """How many jobs to have under way at once.

        Raises ``TransientSourceError`` when no worker is left to wait for.
        """

    def submit(self, fn: Callable[..., Result], *args: Any) -> Future[Result]:
        """``fn(*args)`` on some worker; importable by name there."""
        return self.executor.submit(fn, *args)

    def explain(self, error: BaseException) -> Exception | None:
        """What to raise in place of ``error``, None when it says enough itself."""
        return None


class LocalPool(Pool):
    """Processes of this machine, one executor each: a death then tells which job caused it."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self.executor = _Processes(workers)

    def window(self) -> int:
        """As many jobs as there are processes."""
        return self._workers


class _Processes(Executor):
    """N executors of one process; ``submit`` waits until one of them is free.

    ``ProcessPoolExecutor`` ends all its processes when one dies, so the others would lose their
    work and nobody could say which job was at fault.
    """

    def __init__(self, workers: int) -> None:
        self._idle: queue.SimpleQueue[ProcessPoolExecutor] = queue.SimpleQueue()
        for _ in range(workers):
            self._idle.put(_process())
        self._workers = workers

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        lane = self._idle.get()
        try:
            future = lane.submit(fn, *args, **kwargs)
        except BrokenExecutor:  # it died while it had nothing to do
            self._idle.put(self._renewed(lane))
            return self.submit(fn, *args, **kwargs)
        except BaseException:  # no process could be started; shutdown waits for all of them
            self._idle.put(lane)
            raise
        future.add_done_callback(lambda done: self._give_back(lane, done))
        return future

    def _give_back(self, lane: ProcessPoolExecutor, done: Future[Any]) -> None:
        broken = not done.cancelled() and isinstance(done.exception(), BrokenExecutor)
        self._idle.put(self._renewed(lane) if broken else lane)

    def _renewed(self, lane: ProcessPoolExecutor) -> ProcessPoolExecutor:
        lane.shutdown(wait=False)
        return _process()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for _ in range(self._workers):
            self._idle.get().shutdown(wait)
        self._workers = 0


def _process() -> ProcessPoolExecutor:
    # forkserver: forking a process that already runs Arrow and DuckDB threads can deadlock
    context = get_context("forkserver")
    return ProcessPoolExecutor(1, mp_context=context, initializer=_end_with_parent)


def _end_with_parent() -> None:
    """Ends this worker when the refresh that started it is killed; it would wait for ever."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


@contextmanager
def executor(workers: int, cluster: str | None = None) -> Iterator[Pool | None]:
    """The Dask cluster when one is named, else local processes; None: in this process.

    Raises ``UsageError`` when Dask is not installed or ``cluster`` is no address, and
    ``TransientSourceError`` when nothing answers there.
    """
    if cluster is not None:
        from etl.jobs.cluster import dask_pool

        with dask_pool(cluster) as dask:
            yield dask
    elif workers <= 1:
        yield None
    else:
        pool = LocalPool(workers)
        with pool.executor:
            yield pool


def run_all(
    home: Home,
    pool: Pool | None,
    call: Callable[[Job], Result],
    jobs: Sequence[Job],
    name: Callable[[Job], str],
) -> Iterator[tuple[Job, Result | WorkerDiedError]]:
    """Each job with what ``call`` made of it, as they end, in any order.

    ``name`` says how a job that is given up is called. An error that ``call`` raises ends the
    map. Raises ``TransientSourceError`` when the cluster is lost.
    """
    if pool is None:
        for job in jobs:
            yield job, call(job)
        return
    with _attempts_folder(home) as folder:
        yield from _Map(pool, call, jobs, name, folder).run()


class _Map(Generic[Job, Result]):
    def __init__(
        self,
        pool: Pool,
        call: Callable[[Job], Result],
        jobs: Sequence[Job],
        name: Callable[[Job], str],
        folder: Path,
    ) -> None:
        self._pool, self._call, self._jobs, self._name = pool, call, jobs, name
        self._folder = folder
        self._waiting = deque(range(len(jobs)))
        self._running: dict[Future[Result], int] = {}
        self._deaths = [0] * len(jobs)

    def run(self) -> Iterator[tuple[Job, Result | WorkerDiedError]]:
        try:
            while self._waiting or self._running:
                self._submit()
                done, _ = wait(self._running, LOOK_SECONDS, FIRST_COMPLETED)
                for future in done:
                    yield from self._ended(self._running.pop(future), future)
        finally:
            for future in self._running:
                future.cancel()

    def _submit(self) -> None:
        free = self._pool.window() - len(self._running)
        while self._waiting and free > 0:
            number = self._waiting.popleft()
            self._running[self._start(number)] = number
            free -= 1

    def _start(self, number: int) -> Future[Result]:
        mark = self._folder / str(number)
        job = self._jobs[number]
        return self._pool.submit(attempt, mark, code_digest(), self._call, job)

    def _ended(
        self, number: int, future: Future[Result]
    ) -> Iterator[tuple[Job, Result | WorkerDiedError]]:
        job = self._jobs[number]
        try:
            yield job, future.result()
        except self._pool.deaths:
            self._deaths[number] += 1
            if self._deaths[number] < TRIES:
                self._waiting.appendleft(number)
            else:
                yield job, self._given_up(job)
        except TooManyDeathsError:
            yield job, self._given_up(job)
        except (Exception, CancelledError) as error:
            told = self._pool.explain(error)
            if told is None:
                raise
            raise told from error

    def _given_up(self, job: Job) -> WorkerDiedError:
        return WorkerDiedError(
            f"{self._name(job)}: its worker died {TRIES} times (killed, or out of memory); "
            "run again with fewer --workers or more memory"
        )


class TooManyDeathsError(Exception):
    """A worker was given a job at which ``TRIES`` others had died."""


# One job at a time in a process, whatever threads it has: a death then tells which job caused
# it, and little is lost, because building rows holds the interpreter's lock.
_ONE_AT_A_TIME = threading.Lock()


def attempt(mark: Path, code: str, call: Callable[[Job], Result], job: Job) -> Result:
    """Runs in the worker: ``call(job)``, with a mark on disk for as long as it lasts.

    The marks of dead workers stay, which is how the deaths of a job are counted on any
    executor: a Dask scheduler gives a job to the next worker by itself, and also counts the
    jobs that only waited on the dead one. Raises ``TooManyDeathsError``, and ``StoreError`` or
    ``UsageError`` when this worker does not see the home or runs another version.
    """
    check_code(code, mark.parent)
    with _ONE_AT_A_TIME:
        mine = _take_mark(mark)
        try:
            return call(job)
        finally:
            mine.unlink(missing_ok=True)


def _take_mark(mark: Path) -> Path:
    for number in range(TRIES):
        path = mark.with_name(f"{mark.name}-{number}")
        try:
            with writing(path), path.open("x") as out:
                out.write(f"{socket.gethostname()} {os.getpid()}")
        except StoreError as error:
            if isinstance(error.__cause__, FileExistsError):
                continue
            raise
        return path
    raise TooManyDeathsError(mark.name)


@contextmanager
def _attempts_folder(home: Home) -> Iterator[Path]:
    for left in home.staging.glob("attempts-*"):  # of a refresh that was killed; we have the lock
        shutil.rmtree(left, ignore_errors=True)
    folder = home.staging / f"attempts-{uuid.uuid4().hex[:8]}"
    with writing(folder):
        folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def default_workers() -> int:
    """As many local processes as there are processors that we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
