"""What a refresh is offered, brought to this disk: folders, files, lists and web addresses."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from etl.errors import SourceError
from etl.jobs.plan import Failure
from etl.sources.http import transport
from etl.sources.pubmed.files import official_number
from etl.sources.pubmed.listing import is_address
from etl.sources.pubmed.order import official_name
from etl.sources.pubmed.remote import (
    Coming,
    Failed,
    Fetched,
    RemoteFile,
    Result,
    applied_year,
    baseline_number,
    drop,
    fetch,
    is_new_baseline,
    listing,
    look,
    new_baseline,
    sequence,
)
from etl.store.home import Home

NCBI = "ncbi"  # --pubmed ncbi: the addresses at which NLM publishes, as the settings say


@dataclass
class Deliveries:
    """PubMed files at hand, in the order offered.

    ``replaces``: they are a complete new baseline, which takes the place of everything before.
    ``baseline`` is the last number of the year's baseline, None when nobody said. ``coming`` are
    files that were only looked at.
    """

    paths: list[Path] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    baseline: int | None = None
    replaces: bool = False
    fetched: list[Fetched] = field(default_factory=list)
    coming: list[Coming] = field(default_factory=list)

    def forget(self, home: Home) -> None:
        """Remove downloads that were only wanted until they are committed."""
        drop(self.fetched, home.raw)


def gather(
    home: Home,
    sources: Sequence[str],
    known: Mapping[str, Any],
    *,
    keep_raw: bool = True,
    max_files: int | None = None,
) -> Deliveries:
    """List every source and fetch what is not here and not loaded.

    ``known`` is ``sources["pubmed"]`` of the last snapshot. A file that cannot be had is in
    ``failed``; a source that cannot even be listed raises ``SourceError``.
    """
    found, offered, loaded = _offered(sources, known, max_files)
    remote = [file for file in offered if file.local is None]
    results = iter(fetch(remote, home.raw, loaded, keep_raw=keep_raw)) if remote else iter(())
    _sort(found, offered, results)
    return found


def foresee(
    home: Home, sources: Sequence[str], known: Mapping[str, Any], *, max_files: int | None = None
) -> Deliveries:
    """As ``gather``, and nothing is fetched: what would be is in ``coming``."""
    found, offered, loaded = _offered(sources, known, max_files)
    remote = [file for file in offered if file.local is None]
    _sort(found, offered, iter(look(remote, home.raw, loaded)) if remote else iter(()))
    return found


def _offered(
    sources: Sequence[str], known: Mapping[str, Any], max_files: int | None
) -> tuple[Deliveries, list[RemoteFile], dict[str, list[str]]]:
    """Every file on offer that this refresh would take, and the MD5s of what is loaded by name."""
    loaded = {n: [d["checksum"] for d in ds] for n, ds in known.get("files", {}).items()}
    offered = [file for source in sources for file in _list(source)]
    found = Deliveries(baseline=_baseline(offered, loaded, known))
    offered = _chosen(found, offered, loaded, known)
    if max_files is not None:
        offered = list(_first(offered, loaded, max_files))
    return found, offered, loaded


def _sort(
    found: Deliveries, offered: Sequence[RemoteFile], results: Iterator[Result | Coming]
) -> None:
    """Each file of ``offered`` to its place in ``found``; ``results`` are of the remote ones."""
    for file in offered:
        if file.local is not None:
            found.paths.append(Path(file.local))
            continue
        result = next(results)
        if isinstance(result, Coming):
            found.coming.append(result)
        elif isinstance(result, Fetched):
            found.paths.append(result.path)
            found.fetched.append(result)
        elif isinstance(result, Failed):
            found.failed.append(Failure(result.name, result.error))
        else:
            found.skipped.append(result.name)


def held_back(
    at_hand: Sequence[str], loaded: Collection[str], baseline: int | None
) -> tuple[set[str], list[Failure]]:
    """Update files that must wait, and a failure for each missing one that they wait for."""
    ordered = sequence(at_hand, loaded, baseline)
    year = applied_year([*loaded, *at_hand])
    waiting = {n for n in at_hand if _of(n, year)} - set(ordered.apply_now)
    missing = [
        Failure(
            name,
            f"{name}: is missing, so {len(waiting)} later files wait ({min(waiting)} first); "
            "deliver it, or give --allow-gaps",
        )
        for name in ordered.missing
    ]
    return waiting, missing if waiting else []


def _of(name: str, year: int | None) -> bool:
    number = official_number(name)
    return number is not None and number[0] == year


def _list(source: str) -> list[RemoteFile]:
    if source == NCBI:
        from etl.sources.pubmed.remote import published

        return published()
    return listing(source)


def _baseline(
    offered: Sequence[RemoteFile], loaded: Collection[str], known: Mapping[str, Any]
) -> int | None:
    year = applied_year([*loaded]) or applied_year([f.name for f in offered])
    said = None if year is None else baseline_number(offered, year)
    return said if said is not None else known.get("baseline")


def _chosen(
    found: Deliveries,
    offered: list[RemoteFile],
    loaded: Collection[str],
    known: Mapping[str, Any],
) -> list[RemoteFile]:
    """The offered files, or only those of a new baseline when a complete one is among them."""
    year = applied_year(loaded)
    if not is_new_baseline([f.name for f in offered], year):
        return offered
    whole = new_baseline(offered, loaded, least=known.get("baseline") or 1)
    if whole is not None:
        found.replaces = True
        newest = applied_year([f.name for f in whole])
        found.baseline = len(whole)
        return [*whole, *(f for f in offered if _of(f.name, newest) and f not in whole)]
    found.notices.append(
        f"files of a later year than {official_name(year or 0, 1)[:8]} are offered, but not yet a "
        "complete baseline: they wait"
    )
    return [f for f in offered if official_number(f.name) is None or _of(f.name, year)]


def _first(
    offered: Sequence[RemoteFile], loaded: Collection[str], most: int
) -> Iterator[RemoteFile]:
    for file in offered:
        if file.name not in loaded:
            if most == 0:
                continue
            most -= 1
        yield file


def mark_of(address: str) -> str | None:
    """What tells this version at ``address`` from another; None when the server does not say."""
    headers = transport().head(address).headers
    parts = [headers.get(name) for name in ("etag", "last-modified", "content-length")]
    return f"{address} {parts}" if any(parts) else None


def fetch_aact(home: Home, source: str, known: Mapping[str, Any]) -> tuple[str, str | None]:
    """An AACT source as a path, and the mark of the downloaded version (None when it was local).

    An address whose server names the same version as last time is not downloaded again: the
    path is then the address itself and the mark is the known one.
    """
    if not is_address(source):
        return source, None
    mark = mark_of(source)
    if mark is not None and mark == known.get("mark"):
        return source, mark
    name = unquote(urlsplit(source).path).rpartition("/")[2]
    if not name.endswith((".zip", ".dmp")):
        name = "aact_download.zip"
    target = home.raw / name
    try:
        return str(transport().download(source, target)), mark
    except SourceError:
        target.unlink(missing_ok=True)
        raise
