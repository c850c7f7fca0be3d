"""One study, one row: PMID before PMCID before DOI; a preprint with its article."""

from typing import Any

import pytest

from warehouse.fill import term_of
from warehouse.unite import keys, title_key, united


def row(evidence_id: str, **more: Any) -> dict[str, Any]:
    pmid = evidence_id.removeprefix("PMID:") if evidence_id.startswith("PMID:") else None
    return {
        "evidence_id": evidence_id, "pmid": pmid, "pmcid": None, "doi": None, "title": None,
        "authors": [], "is_preprint": False, "source_chain": ["a"], "superseded_by": None, **more,
    }  # fmt: skip


def test_the_same_pmid_is_one_row_and_gaps_are_filled() -> None:
    (one,) = united([
        row("PMID:1", title="T"),
        row("PMID:1", title="other", pmcid="PMC1", source_chain=["b"]),
    ])  # fmt: skip
    assert one["title"] == "T" and one["pmcid"] == "PMC1" and one["source_chain"] == ["a", "b"]


def test_pmcid_and_doi_unite_too() -> None:
    rows = united([
        row("PMID:1", pmcid="PMC1", doi="10.1/A"),
        row("PMCID:PMC1", pmcid="pmc1"),
        row("DOI:10.1/a", doi="https://doi.org/10.1/a"),
        row("OPENALEX:W1"),
    ])  # fmt: skip
    assert [r["evidence_id"] for r in rows] == ["PMID:1", "OPENALEX:W1"]


def test_a_row_without_identifiers_is_never_lost() -> None:
    rows = united([row("PPR:1"), row("PPR:2"), row("OPENALEX:W1")])
    assert len(rows) == 3 and keys(rows[0]) == ["PPR:1"]


TITLE = "Zoledronate for the prevention of fractures in frail women"


def test_a_preprint_names_its_article() -> None:
    rows = united([
        row("PPR:PPR9", title=TITLE, authors=["Müller J"], is_preprint=True),
        row("PMID:7", title=TITLE + ".", authors=["Muller JA"]),
    ])  # fmt: skip
    preprint, article = rows
    assert preprint["superseded_by"] == "7" and article["preprints"] == ["PPR:PPR9"]


def test_short_titles_and_other_authors_do_not_pair() -> None:
    assert title_key(row("PMID:1", title="Reply", authors=["Lee A"])) is None
    rows = united([
        row("PPR:1", title=TITLE, authors=["Lee A"], is_preprint=True),
        row("PMID:7", title=TITLE, authors=["Kim B"]),
    ])  # fmt: skip
    assert rows[0]["superseded_by"] is None


@pytest.mark.parametrize(
    ("query", "translation", "term"),
    [
        ("asthma[mh] AND x", "…", "asthma[mh] AND x"),
        ("heart attack", "…", "heart attack"),
        ("Is venetoclax effective in acute myeloid leukemia?", "…",
         "venetoclax acute myeloid leukemia"),
        ("哮喘", '"asthma"[MeSH Terms]', '"asthma"[MeSH Terms]'),
        ("哮喘 儿童", "nearest to: asthma child", "asthma child"),
        ("#1 asthma\n#2 copd\n#1 OR #2", "asthma OR copd", "asthma OR copd"),
    ],
)  # fmt: skip
def test_what_pubmed_is_asked(query: str, translation: str, term: str) -> None:
    assert term_of(query, translation) == term
