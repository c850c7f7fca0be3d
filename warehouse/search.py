"""``evidence_search``: graded citations for a query, best grade first, then relevance."""

import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from etl.errors import UsageError
from etl.store.index_fields import GRADES
from warehouse.cached import remembered
from warehouse.gaps import NOBODY, filled
from warehouse.hints import hints
from warehouse.live_mode import Live
from warehouse.live_mode import live as live_mode
from warehouse.nearest import FEW, by_grade, nearest_hits, question
from warehouse.query.plan import Both, Codes, Dates, Except, Gist, Plan, says
from warehouse.targets import DESIGNS, TARGETS

if TYPE_CHECKING:
    from etl.store.index_search import Hit, SearchIndex

_WIDER = "no guideline matches: the answer holds RCTs and above instead"
_PREPRINT = Codes(("f:preprint",), "preprint[Filter]")


@dataclass(frozen=True)
class Asked:
    """One search as the caller wants it; ``years`` None is all years."""

    query: str
    target: str
    limit: int
    preprints: bool
    trials: bool
    years: tuple[int, int] | None
    excluded: bool
    live: str = "never"
    biomcp: bool = False
    day: str = ""  # answers from live sources are those of one day


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
    ``snapshot``, ``query_translation``, ``ignored`` (operands that cannot be searched here),
    ``sources``, ``incomplete`` and ``gaps`` (which live sources were asked, which of them failed,
    and why they were asked).
    Raises ``UsageError`` on a bad value, ``QueryError`` on a query that cannot be read.
    """
    started = time.perf_counter()
    mode = live_mode(live)
    asked = Asked(
        query, _target(target_grade), _limit(max_results), include_preprints, include_trials,
        years(date_range), include_excluded,
        *((mode.mode, use_biomcp_if_available, _today()) if mode.goes_out else ()),
    )  # fmt: skip
    answer = remembered(asked, home, cache, lambda: _answer(asked, home, mode))
    answer["elapsed_seconds"] = round(time.perf_counter() - started, 3)
    return answer


def _answer(asked: Asked, home: Path | None, mode: Live) -> dict[str, Any]:
    """The warehouse's answer, and what the live sources add to it."""
    index = open_search(home)
    answer = search_index(index, asked)
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
    from etl.store.home import open_home
    from etl.store.index import open_index
    from etl.store.snapshot import committed

    place = open_home(home)
    snapshot = committed(place)

    def connect() -> Any:
        from etl.store.views import connect

        return connect(place, snapshot)

    return open_index(place, snapshot, connect)


def years(date_range: str) -> tuple[int, int] | None:
    """First and last year of ``date_range``; None for all. Raises ``UsageError``."""
    text = date_range.strip().lower().replace(" ", "")
    this = datetime.now(UTC).year
    if text == "all":
        return None
    span = re.fullmatch(r"([0-9]{1,3})years?", text)
    if span and int(span.group(1)):
        return this - int(span.group(1)), 9999
    low, colon, high = text.partition(":")
    if colon and (low or high) and all(not part or _year(part) for part in (low, high)):
        first, last = int(low or 0), int(high or 9999)
        if first <= last:
            return first, last
    raise UsageError(
        f"date range {date_range!r} is none of all, 5years, 10years, 2020:2025: give one of these"
    )


def _year(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) == 4


def _target(target_grade: str) -> str:
    if target_grade not in TARGETS:
        raise UsageError(f"target grade {target_grade!r} is none of {', '.join(TARGETS)}")
    return target_grade


def _limit(max_results: int) -> int:
    if not 0 <= max_results <= 100_000:
        raise UsageError(f"max results {max_results} is not between 0 and 100000")
    return max_results


@dataclass(frozen=True)
class Found:
    """What one attempt found: the plan and target that were searched, counts and hits."""

    plan: Plan
    target: str
    counts: dict[str, int]
    hits: "list[Hit]"
    notices: tuple[str, ...]


def _found(index: "SearchIndex", plan: Plan, asked: Asked) -> Found:
    """The search as asked; for a plain question that this leaves open, the nearest records too."""
    exact = _first_that_finds(index, plan, asked)
    held = sum(exact.counts.values())
    enough = FEW if held and asked.target == "guideline_only" else held  # guidelines are few
    near = question(index, asked.query, enough)
    if near is None:
        return exact
    for target in _targets(asked):
        found = _nearest(index, near, asked, target, exact)
        if found.hits:
            return found
    return exact


def _targets(asked: Asked) -> tuple[str, ...]:
    """What to try in turn."""
    return (asked.target, "rct_or_above") if asked.target == "guideline_only" else (asked.target,)


def _first_that_finds(index: "SearchIndex", plan: Plan, asked: Asked) -> Found:
    """The query as typed with the first target that finds something, else with the last."""
    for target in _targets(asked):
        counts, hits = _run(index, _restricted(plan, asked, target), asked)
        if sum(counts.values()):
            break
    wider = () if target == asked.target or not sum(counts.values()) else (_WIDER,)
    return Found(plan, target, counts, hits, wider)


def _nearest(index: "SearchIndex", near: Gist, asked: Asked, target: str, exact: Found) -> Found:
    """The records of ``target`` that are nearest to ``near``, those of ``exact`` among them."""
    hits = nearest_hits(index, near, lambda plan: _restricted(plan, asked, target), asked.limit)
    known = {hit.pmid for hit in hits}
    hits += [hit for hit in exact.hits if hit.pmid not in known]
    counts, ordered = by_grade(index, hits, asked.excluded)
    held = sum(exact.counts.values())
    said = f"only {held} hold" if held > 1 else "only one holds" if held else "no citation holds"
    wider = () if target == asked.target else (_WIDER,)
    notice = f"{said} all these words: the answer holds the {len(hits)} nearest to the question"
    return Found(near, target, counts, ordered[: asked.limit], (*wider, notice))


def search_index(index: "SearchIndex", asked: Asked) -> dict[str, Any]:
    """The answer of ``index`` to ``asked``."""
    from warehouse.query.explain import understand, without_match

    plan, context = understand(index, asked.query)
    found = _found(index, plan, asked)
    notices = [*index.notices, *context.notices, *found.notices]
    plan, target, counts, hits = found.plan, found.target, found.counts, found.hits
    results = [_result(index.card(hit), hit) for hit in hits]
    trials_total, trials = _trials(index, plan, asked, asked.limit - len(results))
    if trials_total > len(trials):
        shown = f"{len(trials)} of {trials_total}"
        notices.append(f"{shown} registered trials shown: citations come first, up to max_results")
    return {
        "total": sum(counts.values()) - counts["excluded"],
        "by_grade": {
            grade: counts[grade] for grade in ("A", "B", "C", "D", "excluded", "ungraded")
        },
        "fast_path_used": False,
        "cache_hit": False,
        "elapsed_seconds": 0.0,
        "results": results + trials,
        "trials_total": trials_total,
        "target_grade": target,
        "notices": notices,
        "snapshot": index.snapshot,
        "query_translation": says(plan),
        "without_match": without_match(index, plan),
        "ignored": context.ignored,
        "query": asked.query,
    }


def _restricted(plan: Plan, asked: Asked, target: str) -> Plan:
    """``plan`` within the years, designs and kinds of record that were asked for."""
    whole = _within(plan, asked)
    designs = DESIGNS.get(target)
    if designs:
        codes = Codes(tuple(f"d:{design}" for design in designs), f"{target}[Filter]")
        whole = Both((whole, codes))
    return whole if asked.preprints else Except(whole, _PREPRINT)


def _within(plan: Plan, asked: Asked) -> Plan:
    if asked.years is None:
        return plan
    low, high = asked.years
    return Both((plan, Dates("year", low, high, f"{low}:{high}[year]")))


def _run(index: "SearchIndex", plan: Plan, asked: Asked) -> "tuple[dict[str, int], list[Hit]]":
    """Counts by grade over all matches, and the hits to show: best grade first."""
    from warehouse.query.compile import compile_plan

    counts = index.by_grade(compile_plan(plan, index.schema))
    hits: list[Hit] = []
    for grade in GRADES if asked.excluded else GRADES[:-1]:
        wanted = min(counts[grade], asked.limit - len(hits))
        if wanted:
            graded = Both((plan, Codes((f"g:{grade}",), f"{grade}[Grade]")))
            hits += index.best(compile_plan(graded, index.schema), wanted)
    return counts, hits


def _trials(
    index: "SearchIndex", plan: Plan, asked: Asked, room: int
) -> tuple[int, list[dict[str, Any]]]:
    """How many registered trials match, and the ``room`` most relevant; none for guidelines."""
    from etl.store.index import open_trials
    from warehouse.query.compile import compile_plan

    if not asked.trials or asked.target == "guideline_only":
        return 0, []
    trials = open_trials(index)
    if not trials.docs:
        return 0, []
    if isinstance(plan, Gist):
        hits = nearest_hits(trials, plan, lambda near: _within(near, asked), room)
        return len(hits), _trial_results(trials, hits[:room])
    query = compile_plan(_within(plan, asked), trials.schema)
    found = _trial_results(trials, trials.best(query, room))
    return (len(found) if len(found) < room else trials.count(query)), found


def _trial_results(trials: "SearchIndex", hits: "list[Hit]") -> list[dict[str, Any]]:
    chain = ["warehouse"]
    return [
        {**trials.card(hit), "source_chain": chain, "score": round(hit.score, 4)} for hit in hits
    ]


def _result(card: dict[str, Any], hit: "Hit") -> dict[str, Any]:
    return {
        "evidence_id": f"PMID:{hit.pmid}",
        **card,
        "source": "pubmed",
        "source_chain": ["warehouse"],
        "score": round(hit.score, 4),
    }
