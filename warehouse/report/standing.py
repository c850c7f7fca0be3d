"""On what a report stands: sources that failed, limits of the search, days of the warehouse.

A source that did not answer is no evidence of absence, so this is told before any count.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warehouse import span
from warehouse.report.facts import Facts, Row, identifier
from warehouse.report.words import Words

_NAMED = 10
_FAILED = ("failed", "stopped")
KEYS = ("warehouse", "date_range", "match", "nearest", "sources", "incomplete", "offline",
        "notices", "ignored")  # fmt: skip


@dataclass(frozen=True)
class Said:
    """One line; ``warns`` when it limits what the counts may be taken for."""

    text: str
    warns: bool = False


def standing(facts: Facts, words: Words) -> list[Said]:
    """Warnings first, then what was asked, then the warehouse and its days."""
    warnings = [Said(text, warns=True) for text in _warnings(facts, words)]
    return [*warnings, *(Said(text) for text in _notes(facts, words))]


def failed_sources(facts: Facts) -> list[str]:
    """Names of the live sources whose part is missing or not whole."""
    names = [str(one.get("source")) for one in _sources(facts) if _state(facts, one) != "whole"]
    return list(dict.fromkeys([*names, *(str(name) for name in _list(facts, "incomplete"))]))


def outside(facts: Facts) -> int:
    """Matching citations outside the years that were searched; 0 when not known."""
    left = _years(facts).get("outside")
    return left if isinstance(left, int) else 0


def _warnings(facts: Facts, words: Words) -> Iterator[str]:
    if facts.answer.get("offline"):
        names = ", ".join(str(one.get("source")) for one in _sources(facts)) or "–"
        yield words("standing.offline", names=names)
    else:
        yield from _failures(facts, words)
    for why, rows in _absent(facts).items():
        yield words("standing.absent", count=len(rows), why=words(f"lookup.{why}"),
                    pmids=_named([identifier(row) for row in rows]))  # fmt: skip
    if facts.answer.get("match") == "nearest":
        near = facts.answer.get("nearest")
        yield words("standing.nearest", near=near, total=facts.total)
    limit = _limit(facts, words)
    if limit and outside(facts):
        yield limit
    if ignored := [str(one) for one in _list(facts, "ignored")]:
        yield words("standing.ignored", operands="; ".join(ignored))


def _failures(facts: Facts, words: Words) -> Iterator[str]:
    told = {str(one.get("source")) for one in _sources(facts)}
    for one in _sources(facts):
        state = _state(facts, one)
        if state != "whole":
            detail = str(one.get("detail") or "") or words("unknown")
            yield words(f"standing.{state}", source=one.get("source"), detail=detail)
    for name in _list(facts, "incomplete"):
        if str(name) not in told:
            yield words("standing.failed", source=name, detail=words("unknown"))


def _state(facts: Facts, source: Row) -> str:
    if source.get("outcome") in _FAILED:
        return "failed"
    partly = source.get("source") in _list(facts, "incomplete") or source.get("partial")
    return "partial" if partly else "whole"


def _notes(facts: Facts, words: Words) -> Iterator[str]:
    limit = _limit(facts, words)
    if limit and not outside(facts):
        yield limit
    if facts.given and not facts.answer.get("offline"):
        yield _asked(facts, words)
    yield _warehouse(facts, words)
    for notice in _other_notices(facts):
        yield words("standing.notice", text=notice)


def _asked(facts: Facts, words: Words) -> str:
    asked = [
        f"{one.get('source')} ({words.outcome(one.get('outcome'))})" for one in _sources(facts)
    ]
    return words("standing.asked", names=", ".join(asked)) if asked else words("standing.local")


def _limit(facts: Facts, words: Words) -> str | None:
    """The years that were searched, and how many matches they leave out; None when not known."""
    years = _years(facts)
    if not years:
        return None
    first, last = years.get("first"), years.get("last")
    if not first and not last:
        return words("standing.all_years")
    counts = {key: years.get(key) for key in ("outside", "trials_outside")}
    left = {key: words("unknown") if n is None else f"{n}" for key, n in counts.items()}
    return words("standing.years", first=first or "–", last=last or words("now"), **left)


def _warehouse(facts: Facts, words: Words) -> str:
    if not facts.basis:
        return words("standing.no_warehouse")
    keys = ("snapshot", "created_at", "pubmed_date", "aact_date", "mesh", "rule_version",
            "extractor_version")  # fmt: skip
    said = {key: facts.basis.get(key) or words("not_loaded") for key in keys}
    said["created_at"] = str(said["created_at"])[:16].replace("T", " ")
    return words("standing.warehouse" if facts.given else "standing.warehouse_now", **said)


def _other_notices(facts: Facts) -> list[str]:
    """Notices that nothing above tells already."""
    names = tuple(str(one.get("source")) for one in _sources(facts))
    limit = _spoken_limit(facts)
    near = facts.answer.get("match") == "nearest"
    return [
        text
        for text in dict.fromkeys(str(one) for one in _list(facts, "notices"))
        if not (names and text.startswith(names))
        and not text.startswith("no network:")
        and text != limit
        and not (near and "nearest to the question" in text)
    ]


def _spoken_limit(facts: Facts) -> str | None:
    years = _years(facts)
    try:
        return span.notice(years) if years else None
    except (KeyError, TypeError, ValueError):  # an answer from a file that anyone may edit
        return None


def _absent(facts: Facts) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in facts.absent:
        why = str(row.get("lookup"))
        found.setdefault(why if why in ("unknown", "failed") else "not_asked", []).append(row)
    return found


def _named(names: Sequence[str]) -> str:
    more = f", … (+{len(names) - _NAMED})" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def _sources(facts: Facts) -> list[Mapping[str, Any]]:
    return [one for one in _list(facts, "sources") if isinstance(one, Mapping)]


def _years(facts: Facts) -> Mapping[str, Any]:
    said = facts.answer.get("date_range")
    return said if isinstance(said, Mapping) else {}


def _list(facts: Facts, key: str) -> list[Any]:
    said = facts.answer.get(key)
    return said if isinstance(said, list) else []
