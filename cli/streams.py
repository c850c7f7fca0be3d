"""The standard streams, made fit before anything is read or written."""

import os
import sys
from typing import TextIO, cast


def fit_streams() -> None:
    """Open closed standard streams on the null device, and write UTF-8 whatever the locale.

    A closed stream (``>&-``, some cron daemons) is the caller's way to say that nobody reads: the
    command still does its work, and no file of ours takes the number of the stream.
    """
    while (at := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(at, True)
    os.close(at)
    sys.stdin = sys.stdin or _opened(0, "r")
    sys.stdout = _utf8(sys.stdout or _opened(1, "w"))
    sys.stderr = _utf8(sys.stderr or _opened(2, "w"))


def arguments() -> list[str]:
    """The words of the command line as UTF-8: a C locale hands them over as bytes in disguise."""
    return [os.fsencode(word).decode("utf-8", "replace") for word in sys.argv[1:]]


def _opened(number: int, mode: str) -> TextIO:
    return cast(TextIO, os.fdopen(number, mode, encoding="utf-8", errors="replace", closefd=False))


def _utf8(stream: TextIO) -> TextIO:
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:  # a stream put in its place by a caller may have none
        reconfigure(encoding="utf-8", errors="backslashreplace")
    return stream
