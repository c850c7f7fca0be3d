"""``recommend_search_strategy``: which filter for which kind of question, and what to expect."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from etl.errors import EvidenceError, NoSnapshotError, UsageError
from warehouse.query import filters

TYPES = (
    "therapy", "diagnosis", "etiology", "prognosis", "harm", "prediction", "guideline", "sr",
)  # fmt: skip
_TAG = re.compile(r"\[[^\]\[]*\]")
_OPENALEX = (
    "https://api.openalex.org/works?filter=type:article|review,is_retracted:false,"
    "has_abstract:true,title_and_abstract.search:({user_query}) AND "
)


def recommend_search_strategy(
    question_type: str,
    user_query: str = "",
    *,
    home: Path | None = None,
    lang: str = "zh",
) -> dict[str, Any]:
    """The row of the Clinical Queries table for ``question_type``, as templates.

    ``question_type``: one of ``TYPES`` (English or Chinese names too). The ``*_template`` values
    hold ``{user_query}`` as it stands; with a ``user_query`` the keys without ``_template`` hold
    the finished text (None without). ``expected_grade_distribution`` is measured on the warehouse
    in ``home`` (shares of grades A to D among what the filter finds there, within the query when
    one is given); where it cannot be, it is the seed's table, which has figures for some rows
    only: other grades then say ``preferred``. ``expected_grade_distribution_basis`` says which it
    is, ``measured``, ``table`` (nothing was measured) or ``none`` (no figures at all);
    ``expected_grade_distribution_records`` on how many graded citations of the warehouse it was
    measured (0: none), ``expected_grade_distribution_source`` says both in words, and why.
    Raises ``UsageError`` for an unknown type, ``QueryError`` for a query that cannot be read.
    """
    name, row = _row(question_type)
    _check_query(user_query)
    templates = _templates(row)
    query = " ".join(user_query.split())
    filled = {key: _fill(key, text, query) if query else None for key, text in templates.items()}
    return {
        "question_type": name,
        "clinical_queries_filter": row["clinical_queries_filter"],
        **{f"{key}_template": text for key, text in templates.items()},
        **_expected(row, user_query, home),
        "preferred_grades": row["preferred_grades"],
        "recommended_skill": row["recommended_skill"],
        "also_recommended": row["also"],
        "tips": [*_tips(row, lang), *_notes(query, lang)],
        **filled,
    }


def _row(question_type: str) -> tuple[str, dict[str, Any]]:
    asked = " ".join(question_type.lower().replace("_", " ").split())
    for name in TYPES:
        row = _table()[name]
        if asked in row["names"]:
            return name, row
    raise UsageError(f"question type {question_type[:60]!r} is none of {', '.join(TYPES)}")


@cache
def _table() -> Mapping[str, dict[str, Any]]:
    folder = files("warehouse.strategies")
    return {
        name: tomllib.loads(folder.joinpath(f"{name}.toml").read_text(encoding="utf-8"))
        for name in TYPES
    }


def _check_query(query: str) -> None:
    from warehouse.query.parse import parse

    if query.strip():
        parse(query)


def _templates(row: Mapping[str, Any]) -> dict[str, str]:
    shorthand, expansion = _filter(row)
    return {
        "pubmed_query": _joined(row["pubmed"]),
        "pubmed_clinical_query": _joined(shorthand),
        "europepmc_query": _joined(row["europepmc"]),
        "europepmc_sensitive_query": _joined(row["europepmc_sensitive"]),
        "openalex_query": _OPENALEX + row["openalex"],
        "local_query": _joined(expansion),
    }


def _joined(part: str) -> str:
    return f"({{user_query}}) AND {part}"


def _filter(row: Mapping[str, Any]) -> tuple[str, str]:
    """PubMed's shorthand of the validated filter and its full text for local use."""
    if "category" not in row:
        local = filters.systematic() if row["local"] == "systematic[sb]" else row["local"]
        return row["local"], f"({local})"
    for known in filters.clinical_queries():
        if known["category"] == row["category"] and known["scope"] == row["scope"]:
            return f"({known['shorthand'].strip('()')})", known["expansion"]
    raise LookupError(row["category"])  # a strategy file that names no filter: a fault of ours


def _fill(key: str, template: str, query: str) -> str:
    if key.startswith(("europepmc", "openalex")):
        query = " ".join(_TAG.sub("", query).split())
    if not key.startswith("openalex"):
        return template.replace("{user_query}", query)
    query = " ".join(re.sub("[,|]", " ", query).split())  # both separate filters there
    return quote(template.replace("{user_query}", query), safe=":/?=,|()*")


def _tips(row: Mapping[str, Any], lang: str) -> list[str]:
    if lang not in ("zh", "en"):
        raise UsageError(f"language {lang!r} is none of zh, en")
    return list(row[f"tips_{lang}"])


def _notes(query: str, lang: str) -> list[str]:
    if not _TAG.search(query):
        return []
    if lang == "zh":
        return ["Europe PMC 与 OpenAlex 不认识 PubMed 字段标签,已从其检索式中去掉"]
    return ["Europe PMC and OpenAlex do not know PubMed's field tags: left out of their queries"]


def _expected(row: Mapping[str, Any], query: str, home: Path | None) -> dict[str, Any]:
    try:
        counts, snapshot = _measured(row, query, home)
    except NoSnapshotError:
        return _from_table(row, "no warehouse to measure on")
    except EvidenceError as error:
        return _from_table(row, f"the warehouse could not be asked ({error})")
    shown = {grade: counts[grade] for grade in "ABCD"}
    if not any(shown.values()):
        return _from_table(row, "nothing graded in this warehouse matches, so nothing was measured")
    count = sum(shown.values())
    where = f"{count} graded citations of snapshot {snapshot} of this warehouse that match"
    return {
        "expected_grade_distribution": shares(shown),
        "expected_grade_distribution_basis": "measured",
        "expected_grade_distribution_records": count,
        "expected_grade_distribution_source": f"measured: {where}",
        "expected_grade_counts": counts,
    }


def _measured(row: Mapping[str, Any], query: str, home: Path | None) -> tuple[dict[str, int], int]:
    from warehouse.query.compile import compile_plan
    from warehouse.query.explain import understand
    from warehouse.query.plan import both
    from warehouse.search import open_search

    index = open_search(home)
    plans = [understand(index, _filter(row)[1])[0]]
    if query.strip():
        plans.insert(0, understand(index, query)[0])
    return index.by_grade(compile_plan(both(plans), index.schema)), index.snapshot


def _from_table(row: Mapping[str, Any], why: str) -> dict[str, Any]:
    figures = row.get("expected")
    basis = "table" if figures else "none"
    said = "figures of the general table for this kind of question" if figures else (
        "the general table has no figures for this kind of question, only preferred grades"
    )  # fmt: skip
    return {
        "expected_grade_distribution": figures or _preferred(row["preferred_grades"]),
        "expected_grade_distribution_basis": basis,
        "expected_grade_distribution_records": 0,
        "expected_grade_distribution_source": f"{basis}: {why}; {said}",
        "expected_grade_counts": None,
    }


def _preferred(grades: str) -> dict[str, str]:
    first, _, last = grades.partition("-")
    letters = "ABCD"[ord(first[0]) - 65 : ord((last or first)[0]) - 64]
    return dict.fromkeys(letters, "preferred")


def shares(counts: Mapping[str, int]) -> dict[str, str]:
    """Whole percentages that add up to 100 (largest remainders rounded up); zeros left out."""
    total = sum(counts.values())
    exact = {name: 100 * count / total for name, count in counts.items() if count}
    whole = {name: int(value) for name, value in exact.items()}
    by_rest = sorted(exact, key=lambda name: whole[name] - exact[name])
    for name in by_rest[: 100 - sum(whole.values())]:
        whole[name] += 1
    return {name: f"{value}%" for name, value in whole.items()}
