"""The report as one JSON document."""

import json
from collections.abc import Sequence
from typing import Any

from warehouse.citations import apa, chinese
from warehouse.report.clean import links
from warehouse.report.facts import Facts, Row, identifier
from warehouse.report.findings import Sentence, advice, gaps, key_findings
from warehouse.report.standing import KEYS, standing
from warehouse.report.words import Words


def render(facts: Facts, words: Words) -> str:
    """Keys: generated_at, query, snapshot, standing (each ``text`` and ``warns``), warehouse,
    date_range, match, nearest, sources, incomplete, offline, notices, ignored (as the search
    answered; None for a given list), without_record, total, by_grade, listed, by_design_level,
    by_year, top, key_findings, citation_advice, gaps (each ``text`` and ``pmids``), references,
    trials.
    """
    document = {
        "generated_at": facts.generated.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "query": facts.query,
        "query_translation": facts.translation,
        "snapshot": facts.snapshot,
        "standing": [{"text": s.text, "warns": s.warns} for s in standing(facts, words)],
        **{key: facts.answer.get(key) for key in KEYS},
        "warehouse": facts.basis,
        "without_record": [
            {"pmid": identifier(row), "lookup": row.get("lookup")} for row in facts.absent
        ],
        "total": facts.total,
        "by_grade": facts.counts,
        "listed": len(facts.rows),
        "by_design_level": facts.levels(),
        "by_year": {str(year): counts for year, counts in facts.years().items()},
        "top": [_top(row) for row in facts.top],
        "key_findings": _said(key_findings(facts, words)),
        "citation_advice": _said(advice(facts, words)),
        "gaps": _said(gaps(facts, words)),
        "references": [_reference(row) for row in facts.citable],
        "trials": [identifier(row) for row in facts.trials],
    }
    return json.dumps(document, ensure_ascii=False, indent=2, default=str) + "\n"


def _said(sentences: Sequence[Sentence]) -> list[dict[str, Any]]:
    return [{"text": sentence.text, "pmids": sentence.pmids} for sentence in sentences]


def _top(row: Row) -> dict[str, Any]:
    keys = ("pmid", "title", "journal", "year", "grade", "grade_label", "design", "sample_size",
            "sample_size_source", "sample_size_evidence", "grade_rationale", "rules", "match",
            "source_chain")  # fmt: skip
    return {
        "evidence_id": row.get("evidence_id") or f"PMID:{identifier(row)}",
        **{key: row.get(key) for key in keys},
        "links": dict(links(row)),
    }


def _reference(row: Row) -> dict[str, Any]:
    return {
        "pmid": identifier(row),
        "grade": row.get("grade"),
        "citation_apa": apa(row),
        "citation_chinese": chinese(row),
    }
