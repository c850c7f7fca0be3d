"""A Dask scheduler and workers as processes of this machine, bound to loopback."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.run import ROOT


@dataclass
class Cluster:
    folder: Path
    address: str = ""
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def workers(self) -> list[subprocess.Popen[bytes]]:
        return self.processes[1:]

    def start_scheduler(self) -> None:
        port = _free_port()
        self.address = f"tcp://127.0.0.1:{port}"
        self._start("scheduler", "--port", str(port))
        _until_open(port)

    def start_worker(self, *options: str, code: Path = ROOT) -> None:
        """One process with one thread, and a nanny that starts it again only when asked for."""
        options = options or ("--no-nanny",)
        places = ("--local-directory", str(self.folder / "work"))
        self._start("worker", self.address, "--nthreads", "1", *places, *options, code=code)

    def _start(self, *words: str, code: Path = ROOT) -> None:
        log = (self.folder / f"{words[0]}-{len(self.processes)}.log").open("wb")
        env = {**os.environ, "PYTHONPATH": str(code), "DASK_CONFIG": str(self.folder)}
        command = [sys.executable, "-m", "dask", *words, "--host", "127.0.0.1", "--no-dashboard"]
        with log:
            self.processes.append(
                subprocess.Popen(command, stdout=log, stderr=log, env=env, cwd=self.folder)
            )

    def logs(self) -> str:
        return "\n".join(p.read_text() for p in sorted(self.folder.glob("*.log")))

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def cluster(folder: Path, workers: int, *options: str) -> Iterator[Cluster]:
    folder.mkdir(parents=True, exist_ok=True)
    made = Cluster(folder)
    try:
        made.start_scheduler()
        for _ in range(workers):
            made.start_worker(*options)
        yield made
    finally:
        made.stop()


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _until_open(port: int) -> None:
    end = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert time.monotonic() < end, "the scheduler never listened"
            time.sleep(0.1)
