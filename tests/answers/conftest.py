"""A warehouse of the bundled sample, and records to put in reports."""

from pathlib import Path
from typing import Any

import pytest

from tests.run import ROOT, evidence

SAMPLE = ROOT / "sample"


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made by the command; tests only read it."""
    home = tmp_path_factory.mktemp("answers") / "home"
    trials = next(SAMPLE.glob("*_export_ctgov.zip"))
    outcome = evidence("refresh", "--home", home, "--pubmed", SAMPLE, "--aact", trials, "--json")
    assert outcome.code == 0, outcome.err
    return home


def record(pmid: int, grade: str = "B", design: str = "rct", **more: Any) -> dict[str, Any]:
    """A search result as ``evidence_search`` gives it."""
    return {
        "evidence_id": f"PMID:{pmid}", "pmid": str(pmid), "pmcid": None, "doi": f"10.1/{pmid}",
        "title": f"Paper {pmid}", "authors": ["Smith JA", "Jones B"], "journal": "Journal of Tests",
        "journal_abbreviation": "J Tests", "year": 2024, "publication_types": [],
        "sample_size": 100 + pmid, "is_preprint": False, "grade": grade, "grade_label": grade,
        "grade_rationale": "RCT", "abstract": f"We asked. CONCLUSIONS: Answer {pmid} holds.",
        "design": design, "nct_ids": [], "source": "pubmed", "is_retracted": False,
        "superseded_by": None, "inferred": False,
    } | more  # fmt: skip
