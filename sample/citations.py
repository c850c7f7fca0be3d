"""Gathers the invented citations of ``content/`` and what is expected of each.

Three files are delivered: records of ``rules.toml`` and ``shapes.toml`` stand in file 1, those
made from ``templates.toml`` in file 2; ``updates.toml`` says where each of its records stands.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

CONTENT = Path(__file__).parent / "content"
DEFAULTS: Mapping[str, Any] = {"year": 2022, "journal": "fmt"}
EVERYDAY_JOURNALS = ("aic", "jio", "fmt", "anp", "zkf", "rpn", "bin")
ONE_IN = 3  # a topic takes every third template, the next topic the ones beside them

Citation = dict[str, Any]
EXPECTED = (
    "pmid",
    "grade",
    "grade_label",
    "rule",
    "signals",
    "superseded_by",
    "why",
)


def load(name: str) -> dict[str, Any]:
    """One TOML file of the content folder."""
    return tomllib.loads((CONTENT / name).read_text(encoding="utf-8"))


def by_file(vocabulary: Mapping[str, Any]) -> dict[int, list[Citation]]:
    """Number of the delivered file to its citations in document order."""
    files: dict[int, list[Citation]] = {1: [], 2: [], 3: []}
    for citation in _all(vocabulary):
        files[citation["file"]].append(citation)
    return files


def deleted_by_file() -> dict[int, list[int]]:
    """Number of the delivered file to the PMIDs that its DeleteCitation names."""
    return {int(number): pmids for number, pmids in load("updates.toml")["deleted"].items()}


def expected(vocabulary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row a citation that survives all files, by PMID; empty text where nothing is claimed."""
    rows = [_expectation(citation) for citation in _all(vocabulary) if "expect" in citation]
    return sorted(rows, key=lambda row: row["pmid"])


def _all(vocabulary: Mapping[str, Any]) -> Iterator[Citation]:
    for name in ("rules.toml", "shapes.toml"):
        for case in load(name)["case"]:
            yield {**DEFAULTS, "file": 1, **case}
    yield from _everyday(vocabulary["topics"])
    for case in load("updates.toml")["case"]:
        yield {**DEFAULTS, **case}


def _everyday(topics: Mapping[str, Sequence[str]]) -> Iterator[Citation]:
    content = load("templates.toml")
    pmid = content["first_pmid"]
    for place, topic in enumerate(topics.values()):
        for kind, template in enumerate(content["template"]):
            if (place + kind) % ONE_IN == 0:
                yield _filled(template, topic, pmid, place + kind)
                pmid += 1


def _filled(template: Mapping[str, Any], topic: Sequence[str], pmid: int, turn: int) -> Citation:
    condition, heading, drug, comparator, outcome = topic
    words = {
        "condition": condition,
        "heading": heading,
        "drug": drug,
        "comparator": comparator,
        "outcome": outcome,
        "n": f"{_turn(template['n'], turn):,}",
    }
    return {
        **template,
        "pmid": pmid,
        "file": 2,
        "year": _turn(template["years"], turn),
        "journal": _turn(EVERYDAY_JOURNALS, turn),
        "authors": 2 + turn % 5,
        "title": _sentence(template["title"].format(**words)),
        "abstract": _fill(template["abstract"], words),
        "mesh": [term.format(**words) for term in template["mesh"]],
    }


def _turn(values: Sequence[Any], turn: int) -> Any:
    return values[turn // ONE_IN % len(values)]


def _fill(abstract: Any, words: Mapping[str, str]) -> Any:
    if isinstance(abstract, str):
        return _sentence(abstract.format(**words))
    return [
        [label, category, _sentence(text.format(**words))] for label, category, text in abstract
    ]


def _sentence(text: str) -> str:
    """Capital letters at the start of each sentence: names of drugs and conditions have none."""
    return ". ".join(part[:1].upper() + part[1:] for part in text.split(". "))


def _expectation(citation: Citation) -> dict[str, Any]:
    grade, rule = citation["expect"]
    values = (
        citation["pmid"],
        grade,
        citation.get("label", _label(grade, rule)),
        rule,
        " ".join(citation.get("signals", [])),
        citation.get("superseded_by", ""),
        citation["why"],
    )
    return dict(zip(EXPECTED, values, strict=True))


def _label(grade: str, rule: str) -> str:
    """The plain label; none is claimed where words may add to it (preprints, protocols, none)."""
    return "" if rule[0] == "U" or rule == "D4" else grade
