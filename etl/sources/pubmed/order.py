"""Which files may be applied now: NLM's update files strictly in order, baselines whole.

NLM numbers the files of one year through: the baseline is 1 .. N, the daily files go on from
N + 1 (https://ftp.ncbi.nlm.nih.gov/pubmed/updatefiles/README.txt). Each December or January a
baseline of the next year replaces everything.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from etl.sources.pubmed.files import official_number
from etl.sources.pubmed.listing import RemoteFile


class Sequenced(NamedTuple):
    """What ``sequence`` found: names to apply in this order, and names that are not there."""

    apply_now: tuple[str, ...]
    missing: tuple[str, ...]


def sequence(
    names: Sequence[str], applied: Collection[str], baseline: int | None = None
) -> Sequenced:
    """Of the files at hand (``names``), those that may be applied after ``applied``.

    ``baseline`` is the last number of the year's baseline, None while nobody knows it. Baseline
    files may be applied in any order. A file after the baseline waits while any number before it
    is neither applied nor at hand; those numbers are ``missing``. Without ``baseline`` the
    numbers are counted from the lowest that is applied or at hand.

    The year is that of the applied files, else the newest at hand; files of other years are left
    out (a later one is a matter of ``new_baseline``). Names that are not NLM's have no order and
    keep their place among ``names``. A name that is applied already may be applied again: the
    caller has a second delivery of it.
    """
    year = applied_year(applied) or applied_year(names)
    numbers = {
        name: number[1] for name in names if (number := official_number(name)) and number[0] == year
    }
    if year is None:
        return Sequenced(tuple(names), ())
    gaps = _gaps({*_of_year(applied, year), *numbers.values()}, baseline)
    first = min(gaps, default=None)
    free = {
        name: n for name, n in numbers.items() if first is None or n < first or n <= (baseline or 0)
    }
    ordered = iter(sorted(free, key=lambda name: free[name]))
    apply_now = (
        next(ordered) if name in free else name
        for name in dict.fromkeys(names)
        if name in free or official_number(name) is None
    )
    return Sequenced(tuple(apply_now), tuple(official_name(year, n) for n in gaps))


def _of_year(names: Collection[str], year: int) -> Iterator[int]:
    for name in names:
        number = official_number(name)
        if number is not None and number[0] == year:
            yield number[1]


def _gaps(there: Collection[int], baseline: int | None) -> list[int]:
    start = 1 if baseline else min(there)
    return [n for n in range(start, max(*there, baseline or 0, 0) + 1) if n not in there]


def official_name(year: int, number: int) -> str:
    """NLM's name of a file.

    >>> official_name(26, 7)
    'pubmed26n0007.xml.gz'
    """
    return f"pubmed{year:02d}n{number:04d}.xml.gz"


def _years(names: Collection[str]) -> set[int]:
    return {number[0] for name in names if (number := official_number(name)) is not None}


def applied_year(applied: Collection[str]) -> int | None:
    """The year of the base (26 for 2026); None when none of NLM's own files is applied."""
    return max(_years(applied), default=None)


def baseline_number(files: Collection[RemoteFile], year: int) -> int | None:
    """The last number of that year's baseline as the listing shows it; None when it does not.

    It is the highest number in the folder named ``baseline``.
    """
    return max(_of_year([f.name for f in files if _in_baseline(f)], year), default=None)


def _in_baseline(file: RemoteFile) -> bool:
    return file.folder.rstrip("/").rpartition("/")[2].lower() == "baseline"


def is_new_baseline(names: Collection[str], year: int | None) -> bool:
    """Whether there are files of a later year than that of the base (None: there is no base)."""
    return year is not None and any(later > year for later in _years(names))


def new_baseline(
    files: Collection[RemoteFile], applied: Collection[str], *, least: int = 1
) -> tuple[RemoteFile, ...] | None:
    """The files of a complete baseline of a later year than the applied one, in order.

    None when there is none, or when it is still being published: a number of 1 .. N is not
    there, N being the last one in the folder that holds number 1. ``least`` is the number that
    N must reach; give that of the baseline before, since PubMed only grows. A listing that is
    cut at its end by chance looks complete otherwise.
    """
    year = applied_year(applied)
    newest = max(_years([f.name for f in files]), default=0)
    if year is None or newest <= year:
        return None
    numbered = {n: f for f in files for n in _of_year([f.name], newest)}
    if 1 not in numbered:
        return None
    folder = numbered[1].folder
    base = {n: f for n, f in numbered.items() if f.folder == folder}
    if len(base) < max(least, *base):
        return None
    return tuple(base[n] for n in sorted(base))
