"""Whether a worker runs the same code on the same files as the refresh that gives it work."""

import functools
import hashlib
import socket
from pathlib import Path

import etl
import sql
from etl.errors import StoreError, UsageError


@functools.cache
def code_digest() -> str:
    """One value for the whole text of ``etl`` and ``sql``: other code may give other rows."""
    digest = hashlib.sha256()
    for package in (etl, sql):
        root = Path(package.__file__ or "").parent
        for path in sorted(p for p in root.rglob("*") if p.is_file() and p.suffix != ".pyc"):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def check_code(expected: str, folder: Path) -> None:
    """Raises when this process runs other code (``UsageError``) or lacks ``folder`` of the home."""
    host = socket.gethostname()
    if code_digest() != expected:
        raise UsageError(
            f"the worker on {host} runs another version of evidence-warehouse: "
            "install the same one in the workers' environment and restart them"
        )
    if not folder.is_dir():
        raise StoreError(
            f"the worker on {host} does not see {folder}: "
            "with --cluster, --home must be on a file system that all workers share"
        )
