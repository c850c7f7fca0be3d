"""The hand-written truth table (``truth.txt``) as rows and expectations."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from tests.grade.build import Row, citation, correction, row, signals, warehouse

JOURNALS = {
    "NEJM": {"journal_nlm_id": "0255562"},
    "Lancet": {"journal_nlm_id": "2985213R"},
    "JAMA": {"journal_nlm_id": "7501160"},
    "BMJ": {"journal_nlm_id": "8900488"},
    "Cochrane": {"journal_nlm_id": "100909747"},
    "medRxiv": {"journal_nlm_id": "101767986"},
    "bioRxiv-name": {"journal": "bioRxiv : the preprint server for biology"},
}
HEADINGS = {
    "D015331": "Cohort Studies",
    "D005500": "Follow-Up Studies",
    "D008137": "Longitudinal Studies",
    "D011446": "Prospective Studies",
    "D012189": "Retrospective Studies",
    "D016022": "Case-Control Studies",
    "D000818": "Animals",
    "D006801": "Humans",
    "D003430": "Cross-Sectional Studies",
    "D016032": "Randomized Controlled Trials as Topic",
    "D012042": "Registries",
    "D057186": "Comparative Effectiveness Research",
    "D035583": "Rare Diseases",
    "D003550": "Cystic Fibrosis",
}


@dataclass(frozen=True)
class Case:
    line: int
    pmid: int
    text: str
    types: list[str]
    headings: list[str]
    n: int | None
    more: dict[str, str]
    profile: str
    grade: str
    label: str
    base: str
    rules: list[str]


def read_case(line: int, text: str) -> Case:
    types, headings, n, more, profile, grade, label, base, rules = (
        part.strip() for part in text.split("|")
    )
    named = [t.strip() for t in types.split(" + ") if t.strip()]
    pairs = (word.partition("=") for word in more.split())
    return Case(
        line=line,
        pmid=10_000 + line,
        text=text,
        types=["Journal Article" if t == "JA" else t for t in named],
        headings=[h for h in headings.split(",") if h],
        n=int(n) if n else None,
        more={key: value for key, _, value in pairs},
        profile=profile,
        grade=grade,
        label=label,
        base=base,
        rules=rules.split(),
    )


def cases() -> list[Case]:
    lines = (Path(__file__).parent / "truth.txt").read_text(encoding="utf-8").splitlines()
    numbered = enumerate(lines, start=1)
    return [read_case(i, text) for i, text in numbered if text.strip() and not text.startswith("#")]


def _citation(case: Case) -> Row:
    given: dict[str, Any] = {"journal_nlm_id": f"J{case.line}", "year": 2024}
    given.update(JOURNALS.get(case.more.get("journal", ""), {}))
    given["year"] = int(case.more.get("year", 2024))
    if "coi" in case.more:
        given["coi_statement"] = "None declared."
    if "links" in case.more:
        given["comments_corrections"] = [
            correction(ref_type, 999) for ref_type in case.more["links"].split(",")
        ]
    headings = [(ui, HEADINGS[ui]) for ui in case.headings]
    return citation(case.pmid, case.types, headings, **given)


def _signals(case: Case) -> Row:
    given: dict[str, Any] = {f"says_{s}": True for s in case.more.get("says", "").split(",") if s}
    if case.n is not None:
        given |= {"sample_size": case.n, "sample_size_source": "abstract"}
    if "word" in case.more:
        given["design_inferred"] = case.more["word"]
        given["design_probability"] = float(case.more.get("p", 0.9))
    return signals(case.pmid, **given)


def _metrics(case: Case) -> Row:
    return row(
        "journal_metrics",
        journal_nlm_id=f"J{case.line}",
        year=2024,
        documents=100,
        coi_share=float(case.more.get("coi_share", 0)),
        cites_per_document=float(case.more["cites"]) if "cites" in case.more else None,
    )


def warehouse_of(chosen: list[Case]) -> duckdb.DuckDBPyConnection:
    """Views holding these cases, a trial for each that names facilities, and one guideline.

    The guideline is an old one where the cases are ``unheld``; all of them are, or none is.
    """
    tied = [c for c in chosen if "facilities" in c.more]
    cited = [c.pmid for c in chosen if "guideline" in c.more]
    year = 2015 if "unheld" in chosen[0].more else 2020
    guideline = citation(1, ["Practice Guideline"], cited_pmids=[*cited, 2], year=year)
    return warehouse(
        [*map(_citation, chosen), guideline],
        signals=map(_signals, chosen),
        metrics=map(_metrics, chosen),
        trials=[
            {"nct_id": f"NCT{c.pmid:08}", "number_of_facilities": int(c.more["facilities"])}
            for c in tied
        ],
        references=[
            {"pmid": c.pmid, "nct_id": f"NCT{c.pmid:08}", "reference_type": "DERIVED"} for c in tied
        ],
    )
