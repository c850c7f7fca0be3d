"""What the index of one snapshot answers to a search: counts, hits, trials, how near they are."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from etl.store.index_fields import GRADES
from warehouse import span
from warehouse.doubtful import doubtful_enrollments, marked
from warehouse.nearest import FEW, by_grade, nearest_hits, question
from warehouse.query.plan import Both, Codes, Dates, Except, Gist, Plan, says
from warehouse.targets import DESIGNS

if TYPE_CHECKING:
    from etl.store.index_search import Hit, SearchIndex

_WIDER = "no guideline matches: the answer holds RCTs and above instead"
_PREPRINT = Codes(("f:preprint",), "preprint[Filter]")
_EXCLUDED = Codes((f"g:{GRADES[-1]}",), f"{GRADES[-1]}[Grade]")
_EXACT_TRIALS = 1000  # trials that hold all words of a question, looked at to mark the others


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
    span: str = ""  # ``years`` as they were given


@dataclass(frozen=True)
class Found:
    """What one attempt found: the plan and target that were searched, counts and hits.

    ``held`` are the PMIDs that hold all words where the plan is by nearness, else None.
    """

    plan: Plan
    target: str
    counts: dict[str, int]
    hits: "list[Hit]"
    notices: tuple[str, ...]
    held: frozenset[int] | None = None

    @property
    def total(self) -> int:
        """Citations that are not excluded."""
        return sum(self.counts.values()) - self.counts["excluded"]

    def match(self, hit: "Hit") -> str:
        """Whether ``hit`` holds what was asked (``query``) or is only near it (``nearest``)."""
        return "query" if self.held is None or hit.pmid in self.held else "nearest"


def _nearer(index: "SearchIndex", exact: Found, asked: Asked) -> Found:
    """``exact``; for a plain question that this leaves open, the nearest records too."""
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
    from warehouse.query.compile import compile_plan

    hits = nearest_hits(index, near, lambda plan: _restricted(plan, asked, target), asked.limit)
    known = {hit.pmid for hit in hits}
    whole = compile_plan(_restricted(exact.plan, asked, exact.target), index.schema)
    full = index.best(whole, sum(exact.counts.values()))  # fewer than FEW
    hits += [hit for hit in full if hit.pmid not in known]
    counts, ordered = by_grade(index, hits, asked.excluded)
    said = (
        f"only {len(full)} hold"
        if len(full) > 1
        else "only one holds"
        if full
        else "no citation holds"
    )
    wider = () if target == asked.target else (_WIDER,)
    notice = (
        f"{said} all these words: the answer holds the {len(hits)} nearest to the question, "
        "marked nearest; total and by_grade count them"
    )
    held = frozenset(hit.pmid for hit in full)
    return Found(near, target, counts, ordered[: asked.limit], (*wider, notice), held)


def search_index(index: "SearchIndex", asked: Asked) -> dict[str, Any]:
    """The answer of ``index`` to ``asked``."""
    from warehouse.query.explain import understand, without_match

    plan, context = understand(index, asked.query)
    exact = _first_that_finds(index, plan, asked)
    found = _nearer(index, exact, asked)
    counts = found.counts
    results = [_result(index.card(hit), hit, found.match(hit)) for hit in found.hits]
    trials = _trials(index, found.plan, plan, asked, asked.limit - len(results))
    years = span.told(asked.span, asked.years, _outside(index, exact, asked), trials.outside)
    notices = [*index.notices, *context.notices, *found.notices, *_told(trials, years)]
    return {
        "total": found.total,
        "by_grade": {
            grade: counts[grade] for grade in ("A", "B", "C", "D", "excluded", "ungraded")
        },
        "match": "query" if found.held is None else "nearest",
        "nearest": 0 if found.held is None else found.total - exact.total,
        "date_range": years,
        "fast_path_used": False,
        "cache_hit": False,
        "elapsed_seconds": 0.0,
        "results": results + trials.rows,
        "trials_total": trials.total,
        "target_grade": found.target,
        "notices": notices,
        "snapshot": index.snapshot,
        "query_translation": says(found.plan),
        "without_match": without_match(index, found.plan),
        "ignored": context.ignored,
        "query": asked.query,
    }


def _told(trials: "Trials", years: dict[str, Any]) -> list[str]:
    """What the user should know of the years and of the trials."""
    limit = span.notice(years)
    lines = [limit] if limit else []
    if trials.total > len(trials.rows):
        shown = f"{len(trials.rows)} of {trials.total}"
        lines.append(f"{shown} registered trials shown: citations come first, up to max_results")
    return [*lines, *doubtful_enrollments(trials.rows, "sample_size")]


def _outside(index: "SearchIndex", exact: Found, asked: Asked) -> int | None:
    """How many citations match and are not of the years asked for; None for all years."""
    from warehouse.query.compile import compile_plan

    if asked.years is None:
        return None
    ever = Except(_restricted(exact.plan, replace(asked, years=None), exact.target), _EXCLUDED)
    return index.count(compile_plan(ever, index.schema)) - exact.total


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


@dataclass(frozen=True)
class Trials:
    """Registered trials: how many match, those to show, how many match outside the years."""

    total: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)
    outside: int | None = None


def _trials(index: "SearchIndex", plan: Plan, exact: Plan, asked: Asked, room: int) -> Trials:
    """The registered trials of ``plan``, most relevant first; none for guidelines.

    ``exact`` is the query as typed, ``plan`` may be by nearness.
    """
    from etl.store.index import open_trials
    from warehouse.query.compile import compile_plan

    if not asked.trials or asked.target == "guideline_only":
        return Trials()
    trials = open_trials(index)
    if not trials.docs:
        return Trials()
    query = compile_plan(_within(exact, asked), trials.schema)
    if isinstance(plan, Gist):
        near = nearest_hits(trials, plan, lambda near: _within(near, asked), room)
        held = frozenset(hit.pmid for hit in trials.best(query, _EXACT_TRIALS))
        return Trials(len(near), _trial_results(trials, near[:room], held))
    hits = trials.best(query, room)
    total = len(hits) if len(hits) < room else trials.count(query)
    ever = trials.count(compile_plan(exact, trials.schema)) if asked.years else total
    outside = ever - total if asked.years else None
    return Trials(total, _trial_results(trials, hits), outside)


def _trial_results(
    trials: "SearchIndex", hits: "list[Hit]", held: frozenset[int] | None = None
) -> list[dict[str, Any]]:
    """Rows of ``hits``; ``held`` None: all of them hold what was asked."""
    return [
        {
            **marked(trials.card(hit)),
            "match": "query" if held is None or hit.pmid in held else "nearest",
            "source_chain": ["warehouse"],
            "score": round(hit.score, 4),
        }
        for hit in hits
    ]


def _result(card: dict[str, Any], hit: "Hit", match: str) -> dict[str, Any]:
    return {
        "evidence_id": f"PMID:{hit.pmid}",
        **card,
        "match": match,
        "source": "pubmed",
        "source_chain": ["warehouse"],
        "score": round(hit.score, 4),
    }
