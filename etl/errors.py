"""The one family of errors that users see.

Every message is one line and names the thing, the value and the next command. The
command line prints ``str(error)`` and exits with ``error.exit_code``; anything that is not
an ``EvidenceError`` is a fault of ours.
"""


class EvidenceError(Exception):
    """Base of all expected failures.

    ``retryable`` says whether the same call may succeed later with nothing changed.
    """

    exit_code = 1
    retryable = False


class UsageError(EvidenceError):
    """The caller asked for something that has no answer: a bad value, an unknown name."""

    exit_code = 2


class SourceError(EvidenceError):
    """A delivery (file, zip, dump, server) cannot be read as what it should be."""


class TransientSourceError(SourceError):
    """A delivery could not be read now: network, server or disk; asking again may help."""

    retryable = True


class StoreError(EvidenceError):
    """The warehouse itself cannot be read or written (no home, full disk, damaged file)."""


class DamagedError(StoreError):
    """A file that says what is committed is damaged: ``what``, and ``mend``, the command for it."""

    def __init__(self, what: str, mend: str) -> None:
        super().__init__(f"{what}: mend it with: {mend}")
        self.what = what
        self.mend = mend


class NoSnapshotError(StoreError):
    """Nothing has been committed yet in this home."""


class SchemaError(StoreError):
    """Rows do not fit the declared table: a bad code, a null where none may be, a wrong type."""


class LockedError(EvidenceError):
    """Another refresh holds the lock of this home."""

    exit_code = 4
    retryable = True


class QueryError(UsageError):
    """A search query or SQL text that cannot be understood; the message marks the place."""
