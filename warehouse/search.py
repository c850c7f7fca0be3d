"""``evidence_search``: graded citations for a query, best grade first, then relevance."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from etl.errors import UsageError
from warehouse import span
from warehouse.basis import basis
from warehouse.cached import remembered
from warehouse.gaps import NOBODY, filled
from warehouse.hints import hints
from warehouse.live_mode import Live
from warehouse.live_mode import live as live_mode
from warehouse.local_search import Asked, search_index
from warehouse.targets import TARGETS

if TYPE_CHECKING:
    from etl.store.index_search import SearchIndex
    from etl.store.snapshot import Snapshot


_AT_HOME = ("never", False, "")


def evidence_search(  # noqa: PLR0913, PLR0917 - the seed fixes this signature
    query: str,
    target_grade: str = "all",
    max_results: int = 200,
    include_preprints: bool = False,
    include_trials: bool = True,
    date_range: str = "10years",
    use_biomcp_if_available: bool = True,
    *,
    home: Path | None = None,
    include_excluded: bool = False,
    cache: Path | None = None,
    live: str | None = None,
) -> dict[str, Any]:
    """Citations that match ``query`` (PubMed's language, or a plain question), with their grades.

    ``target_grade``: ``all``, ``rct_or_above`` (guidelines, systematic reviews, meta-analyses,
    randomised and phase III trials), ``guideline_only`` (falls back to ``rct_or_above`` with a
    notice when there is none). ``date_range``: ``all``, ``5years``, ``10years``, ``2020:2025``.
    ``cache`` is the file of kept answers (None: $EVIDENCE_CACHE, else the seed's place).
    ``live``: ``never``, ``gaps`` (asks the live sources for what is newer than the warehouse, and
    when there are too few results), ``always``; None: $EVIDENCE_LIVE, else ``gaps``.

    Returns the keys ``total`` (matches that are not excluded), ``by_grade`` (A, B, C, D, excluded,
    ungraded) over all matches, ``results`` (at most ``max_results``, best grade first, then
    relevance; excluded ones only with ``include_excluded``; trials after citations),
    ``trials_total``, ``fast_path_used``, ``cache_hit``, ``elapsed_seconds``, ``notices``,
    ``snapshot``, ``warehouse`` (up to which days it is current: warehouse/basis.py),
    ``query_translation``, ``ignored`` (operands that cannot be searched here), ``sources``,
    ``incomplete``, ``offline`` and ``gaps`` (which live sources were asked, which of them failed,
    whether nobody could be reached, and why they were asked).
    ``date_range`` says ``asked``, ``first`` and ``last`` year (None: open), and how many matching
    citations (``outside``) and trials (``trials_outside``) lie outside, None for all years.
    ``match`` is ``query``, or ``nearest`` for a plain question that too few records answer in
    full; ``nearest`` counts the citations in ``total`` that do not hold all its words. Each row's
    ``match`` is ``query``, ``nearest`` or ``source`` (a live source found it).
    Raises ``UsageError`` on a bad value, ``QueryError`` on a query that cannot be read.
    """
    started = time.perf_counter()
    mode = live_mode(live)
    asked = Asked(
        query, _target(target_grade), _limit(max_results), include_preprints, include_trials,
        span.years(date_range), include_excluded,
        *((mode.mode, use_biomcp_if_available, _today()) if mode.goes_out else _AT_HOME),
        date_range.strip(),
    )  # fmt: skip
    answer = remembered(asked, home, cache, lambda: _answer(asked, home, mode))
    answer["elapsed_seconds"] = round(time.perf_counter() - started, 3)
    return answer


def _answer(asked: Asked, home: Path | None, mode: Live) -> dict[str, Any]:
    """The warehouse's answer, and what the live sources add to it."""
    index, snapshot = _opened(home)
    answer = {**search_index(index, asked), "warehouse": basis(snapshot)}
    answer["notices"] += hints(asked.query)
    if not mode.goes_out:
        return {**answer, **NOBODY}
    from etl.store.home import open_home

    return filled(answer, asked, open_home(home), mode, index=index)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def search_pmids(
    query: str, limit: int = 1000, *, home: Path | None = None, any_word: bool = False
) -> list[tuple[int, float]]:
    """PMIDs that match ``query`` with their relevance, best first, whatever their grade.

    ``any_word`` reads ``query`` as plain text (a claim, a sentence) of which any word may match.
    """
    from warehouse.query.compile import compile_plan
    from warehouse.query.explain import nearest, understand

    index = open_search(home)
    plan, _ = nearest(index, query) if any_word else understand(index, query)
    if plan is None:
        return []
    hits = index.best(compile_plan(plan, index.schema), limit)
    return [(hit.pmid, hit.score) for hit in hits]


def open_search(home: Path | None) -> "SearchIndex":
    """The index of the committed snapshot of ``home`` (None: the default home).

    Raises ``NoSnapshotError`` when nothing has been loaded yet.
    """
    return _opened(home)[0]


def _opened(home: Path | None) -> "tuple[SearchIndex, Snapshot]":
    """The index and the snapshot that it is of."""
    from etl.store.home import open_home
    from etl.store.index import open_index
    from etl.store.snapshot import committed

    place = open_home(home)
    snapshot = committed(place)

    def connect() -> Any:
        from etl.store.views import connect

        return connect(place, snapshot)

    return open_index(place, snapshot, connect), snapshot


def _target(target_grade: str) -> str:
    if target_grade not in TARGETS:
        raise UsageError(f"target grade {target_grade!r} is none of {', '.join(TARGETS)}")
    return target_grade


def _limit(max_results: int) -> int:
    if not 0 <= max_results <= 100_000:
        raise UsageError(f"max results {max_results} is not between 0 and 100000")
    return max_results
