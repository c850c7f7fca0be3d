"""A Dask cluster as the place where files are parsed.

Facts: distributed's ``ClientExecutor`` runs submitted calls on any worker; the scheduler gives
the calls of a dead worker to others by itself, and fails them with ``KilledWorker`` after
``distributed.scheduler.allowed-failures`` (3) deaths. It counts every call that was assigned to
the dead worker, also those that only waited, so the map counts for itself. Functions travel by
name: workers must import this project from their environment.
"""

import pickle
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from typing import Any, TypeVar
from urllib.parse import urlsplit

from etl.errors import TransientSourceError, UsageError
from etl.jobs.pool import Pool

Result = TypeVar("Result")

CONNECT_SECONDS = 10.0
PATIENCE_SECONDS = 60.0  # how long to wait for a first worker, or for another after the last died


@contextmanager
def dask_pool(address: str) -> Iterator[Pool]:
    """The cluster whose scheduler listens at ``address`` (``tcp://HOST:PORT`` or ``tls://``).

    Raises ``UsageError`` when Dask is missing or the address is none, ``TransientSourceError``
    when nobody answers there.
    """
    try:
        import distributed
    except ModuleNotFoundError as error:
        raise UsageError(
            f"--cluster {address} needs Dask: pip install 'evidence-warehouse[cluster]'"
        ) from error
    _probe(address)
    connect: Any = distributed.Client  # without types of its own
    try:
        client = connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise _unreachable(address, error) from error
    pool = DaskPool(address, client)
    try:
        yield pool
    finally:
        pool.close()


def _probe(address: str) -> None:
    """Says at once what Dask's client does not: it waits for ever for a listener that is silent."""
    scheme, host, port = _parts(address)
    try:
        with socket.create_connection((host, port), CONNECT_SECONDS) as talk:
            greeting = talk.recv(8, socket.MSG_WAITALL) if scheme == "tcp" else _SOME_LENGTH
    except OSError as error:
        raise _unreachable(address, error) from error
    if len(greeting) < 8 or int.from_bytes(greeting, "little") > _GREETING_BYTES:
        raise _unreachable(address, ValueError("what listens there is something else"))


# A Dask listener speaks first: the length of its greeting (8 bytes, little-endian), then that.
# TLS waits for the client instead. Source: distributed/comm/tcp.py and comm/core.py, 2026.8.
_GREETING_BYTES = 1 << 20
_SOME_LENGTH = bytes(8)


def _parts(address: str) -> tuple[str, str, int]:
    try:
        parts = urlsplit(address)
        scheme, host, port = parts.scheme, parts.hostname, parts.port
    except ValueError:
        scheme, host, port = "", None, None
    if scheme not in {"tcp", "tls"} or not host or not port:
        raise UsageError(f"--cluster {address!r} is no address: give tcp://HOST:PORT")
    return scheme, host, port


def _unreachable(address: str, error: Exception) -> TransientSourceError:
    reason = " ".join(str(error).split()) or type(error).__name__
    return TransientSourceError(
        f"no Dask scheduler answers at {address} ({reason}): "
        "start one with `dask scheduler`, or use --workers N"
    )


class DaskPool(Pool):
    """The executor of a connected client."""

    def __init__(self, address: str, client: Any) -> None:
        from distributed.scheduler import KilledWorker

        self._address, self._client = address, client
        self._seen = time.monotonic()
        self.deaths = (KilledWorker,)
        self.executor = client.get_executor(pure=False)

    def window(self) -> int:
        """Two jobs a worker: one that runs and one that waits there, so that none is idle."""
        workers = self._workers()
        now = time.monotonic()
        if workers:
            self._seen = now
        elif now - self._seen > PATIENCE_SECONDS:
            raise TransientSourceError(
                f"the cluster at {self._address} has had no worker for {PATIENCE_SECONDS:.0f} s: "
                f"start some with `dask worker {self._address} --nthreads 1` and run again"
            )
        return max(1, 2 * workers)

    def _workers(self) -> int:
        try:
            return len(self._client.nthreads())
        except (OSError, TimeoutError, RuntimeError) as error:
            raise self._lost() from error

    def submit(self, fn: Callable[..., Result], *args: Any) -> "Future[Result]":
        """``fn`` as bytes that only the worker's call unpacks.

        A worker that cannot import what it is sent as a function does not say so: it ends
        itself. This way the error of the import comes back as that of the call, and the
        scheduler need not have this project installed.
        """

        # local and without types of ours: cloudpickle then sends its text, not its name
        def unpack_and_call(work: bytes) -> Any:
            import pickle

            function, arguments = pickle.loads(work)  # noqa: S301 - our own
            return function(*arguments)

        return self.executor.submit(unpack_and_call, pickle.dumps((fn, args)))

    def explain(self, error: BaseException) -> Exception | None:
        """A lost scheduler, and workers without our packages, in words that say what to do."""
        if isinstance(error, CancelledError):
            return self._lost()
        if isinstance(error, ImportError):
            return UsageError(
                f"a worker of the cluster at {self._address} cannot import evidence-warehouse "
                f"({error}): install it in the workers' environment and restart them"
            )
        return None

    def _lost(self) -> TransientSourceError:
        return TransientSourceError(
            f"the Dask scheduler at {self._address} was lost while files were being parsed; "
            "nothing was committed: run again"
        )

    def close(self) -> None:
        """Cancels what still runs and leaves the cluster."""
        with suppress(OSError, TimeoutError, RuntimeError):
            self.executor.shutdown(wait=False)
        with suppress(OSError, TimeoutError, RuntimeError):
            self._client.close(timeout=CONNECT_SECONDS)
