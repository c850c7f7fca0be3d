"""PubMed deliveries on disk: which files, in which order, with which checksum.

Source of names and order: NLM's README of the baseline and the update files
(https://ftp.ncbi.nlm.nih.gov/pubmed/baseline/README.txt).
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from etl.errors import SourceError

_SUFFIXES = (".xml", ".xml.gz")
_OFFICIAL = re.compile(r"pubmed(\d\d)n(\d{4,5})\.xml(?:\.gz)?")
# `MD5(X)= hex` and `MD5 (X) = hex` name the file before the digest, `hex  X` after it.
_MD5 = re.compile(
    r"(?:MD5\s*\((?P<of>[^)]+)\)\s*=\s*)?(?P<hex>[0-9a-fA-F]{32})(?:[ \t]+\*?(?P<for>\S+))?\s*"
)


@dataclass(frozen=True)
class PubmedFile:
    """One delivered file. ``checksum`` is the MD5 (hex) of its bytes as delivered."""

    path: Path
    name: str
    checksum: str
    bytes: int


def find(sources: Sequence[Path]) -> list[Path]:
    """The XML files that ``sources`` name, in the order of application.

    A file stands for itself; a directory for its ``*.xml`` and ``*.xml.gz`` in the order of
    their names (not those of its subdirectories; links that lead nowhere are named too, so that
    a missing disk is noticed). Raises ``SourceError`` for a source that
    does not exist or a directory without such files.
    """
    return [path for source in sources for path in _expand(source)]


def _expand(source: Path) -> list[Path]:
    if source.is_dir():
        try:
            inside = sorted(
                p for p in source.iterdir() if p.name.endswith(_SUFFIXES) and not p.is_dir()
            )
        except OSError as error:
            raise SourceError(
                f"{source}: cannot be read ({error.strerror}); give yourself the right to read it"
            ) from error
        if not inside:
            raise SourceError(
                f"{source}: no *.xml or *.xml.gz in this directory; name the one that holds them"
            )
        return inside
    if not source.is_file():
        raise SourceError(f"{source}: no such file or directory; check the path given to --pubmed")
    return [source]


def identify(path: Path) -> PubmedFile:
    """Name, size and MD5 of a file; a ``<name>.md5`` beside it must agree.

    Raises ``SourceError`` when the file cannot be read, when the .md5 file holds no checksum,
    or when the two differ: the download was cut or the file was changed.
    """
    try:
        with path.open("rb") as file:
            checksum = hashlib.file_digest(file, _md5).hexdigest()
        size = path.stat().st_size
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror}); check the path") from error
    stated = _stated_checksum(path)
    if stated is not None and stated != checksum:
        raise SourceError(
            f"{path}: MD5 is {checksum}, but {path.name}.md5 says {stated}; "
            "download both files again"
        )
    return PubmedFile(path=path, name=path.name, checksum=checksum, bytes=size)


def _md5() -> "hashlib._Hash":
    return hashlib.md5(usedforsecurity=False)


def _stated_checksum(path: Path) -> str | None:
    """The digest in ``<path>.md5``, lower case; None when there is no such file."""
    beside = path.with_name(path.name + ".md5")
    try:
        text = beside.read_text(encoding="ascii", errors="replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceError(f"{beside}: cannot be read ({error.strerror})") from error
    return checksum_in(text, path.name, str(beside))


def checksum_in(text: str, name: str, where: str) -> str:
    """The MD5 (hex, lower case) that ``text``, found at ``where``, states for the file ``name``.

    Raises ``SourceError`` when it holds none, or that of another file.
    """
    match = _MD5.fullmatch(text.strip())
    if match is None:
        raise SourceError(f"{where}: holds no MD5 checksum; download it again or remove it")
    named = match["of"] or match["for"] or name
    if named.rpartition("/")[2] != name:
        raise SourceError(f"{where}: is the checksum of {named}; download the right one")
    return match["hex"].lower()


def official_number(name: str) -> tuple[int, int] | None:
    """``(year, number)`` of an NLM file name; None for any other name.

    >>> official_number("pubmed26n1335.xml.gz")
    (26, 1335)
    """
    match = _OFFICIAL.fullmatch(name)
    return (int(match[1]), int(match[2])) if match else None
