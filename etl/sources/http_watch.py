"""Connections that end at a deadline whatever the server does.

A read timeout counts the silence between two bytes; a server that sends one byte every few
seconds, in a header or in a body, is never caught by it. A ``Watch`` shuts the socket down at its
deadline, so that the thread that reads from it wakes up.
"""

import contextlib
import os
import socket
import threading
from types import TracebackType
from typing import Any

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection

_present = threading.local()


class Watch:
    """Ends all requests that its thread makes inside the ``with`` block after ``seconds``."""

    def __init__(self, seconds: float) -> None:
        self.expired = False
        self._lock = threading.Lock()
        self._held: list[socket.socket] = []
        self._closed = False
        self._timer = self._timer_of(seconds)

    def _timer_of(self, seconds: float) -> threading.Timer:
        timer = threading.Timer(seconds, self._expire)
        timer.daemon = True
        return timer

    def __enter__(self) -> "Watch":
        _present.watch = self
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _present.watch = None
        self._timer.cancel()
        with self._lock:
            self._closed = True
            self._drop()

    def stretch(self, seconds: float) -> None:
        """Counts ``seconds`` from now instead."""
        self._timer.cancel()
        self._timer = self._timer_of(seconds)
        self._timer.start()

    def hold(self, connection: socket.socket) -> None:
        """Watches this connection too."""
        # A duplicate: TLS takes the first object's descriptor away, shutdown reaches the
        # connection through either.
        copy = socket.socket(fileno=os.dup(connection.fileno()))
        with self._lock:
            self._held.append(copy)
            if self.expired:
                self._cut()

    def _expire(self) -> None:
        with self._lock:
            if not self._closed:
                self.expired = True
                self._cut()

    def _cut(self) -> None:
        for held in self._held:
            with contextlib.suppress(OSError):  # the server may have ended it already
                held.shutdown(socket.SHUT_RDWR)

    def _drop(self) -> None:
        for held in self._held:
            held.close()
        self._held.clear()


def _hold(connection: socket.socket) -> None:
    watch: Watch | None = getattr(_present, "watch", None)
    if watch is not None:
        watch.hold(connection)


class _Watched(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        new = super()._new_conn()
        _hold(new)
        return new

    def request(self, *args: Any, **options: Any) -> None:
        if self.sock is not None:
            _hold(self.sock)
        super().request(*args, **options)


class _WatchedSecure(_Watched, HTTPSConnection):
    pass


class _Pool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Watched


class _SecurePool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _WatchedSecure


def pools(connections: int) -> urllib3.PoolManager:
    """Pools of watched connections, for all threads; certificates are checked."""
    manager = urllib3.PoolManager(num_pools=16, maxsize=connections)
    manager.pool_classes_by_scheme = {"http": _Pool, "https": _SecurePool}
    return manager
