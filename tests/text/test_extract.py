"""Rows of citation_signals from whole citations."""

import gc

import pyarrow as pa
import pytest

from etl.store.schema import TABLES, conform
from etl.store.schema.pubmed import SECTION
from etl.text.extract import EXTRACTOR_VERSION, extract

TITLE = "Zinc for the common cold: a multicentre randomised controlled trial."
METHODS = "In 12 hospitals, 240 adults were randomly assigned to zinc (n=120) or placebo (n=120)."
RESULTS = "Colds were shorter with zinc."


def citations(*rows: dict[str, object]) -> pa.Table:
    schema = pa.schema(
        [
            ("pmid", pa.int64()),
            ("version", pa.int16()),
            ("seq", pa.int64()),
            ("title", pa.string()),
            ("abstract", pa.string()),
            ("abstract_sections", pa.list_(SECTION)),
            ("languages", pa.list_(pa.string())),
        ]
    )
    return pa.Table.from_pylist(list(rows), schema=schema)


def citation(pmid: int, title: str | None, sections: dict[str, str]) -> dict[str, object]:
    parts = [{"label": k or None, "category": None, "text": v} for k, v in sections.items()]
    abstract = " ".join(f"{k}: {v}" if k else v for k, v in sections.items()) or None
    return {
        "pmid": pmid, "title": title, "abstract": abstract, "abstract_sections": parts,
        "languages": ["eng"], "version": 1, "seq": 5,
    }  # fmt: skip


@pytest.fixture(scope="module")
def rows() -> list[dict[str, object]]:
    found = extract(
        citations(
            citation(7, TITLE, {"METHODS": METHODS, "RESULTS": RESULTS}),
            citation(3, None, {}),
            citation(5, "Zinc.", {}),
        )
    )
    return found.to_pylist()


def test_rows_fit_the_declared_table() -> None:
    found = extract(citations(citation(7, TITLE, {"METHODS": METHODS})))
    assert conform(TABLES["citation_signals"], found).equals(found)


def test_one_row_a_citation_in_the_same_order(rows: list[dict[str, object]]) -> None:
    assert [r["pmid"] for r in rows] == [7, 3, 5]
    assert {r["extractor_version"] for r in rows} == {EXTRACTOR_VERSION}


def test_a_trial(rows: list[dict[str, object]]) -> None:
    trial = rows[0]
    assert trial["design_inferred"] == "rct"
    assert trial["rct_probability"] > 0.9
    assert trial["sample_size"] == 240
    assert trial["says_randomised"] and trial["says_multicentre"]
    sentences = {s["signal"]: s["sentence"] for s in trial["signal_sentences"]}
    assert set(sentences) == {"randomised", "multicentre"}


def test_evidence_is_text_of_the_record(rows: list[dict[str, object]]) -> None:
    trial = rows[0]
    text = f"{TITLE} METHODS: {METHODS} RESULTS: {RESULTS}"
    assert trial["design_evidence"] in text
    assert all(s["sentence"] in text for s in trial["signal_sentences"])


def test_a_record_without_words_gets_the_defaults(rows: list[dict[str, object]]) -> None:
    empty = rows[1]
    assert empty["design_inferred"] == "none"
    assert empty["sample_size_source"] == "none"
    assert empty["design_probability"] is None
    assert empty["rct_probability"] is None
    assert empty["arms"] == [] and empty["signal_sentences"] == []
    assert not any(v for k, v in empty.items() if k.startswith("says_"))


def test_every_record_with_words_has_an_rct_probability(rows: list[dict[str, object]]) -> None:
    assert 0.0 <= rows[2]["rct_probability"] <= 0.5


def test_no_citations_give_no_rows() -> None:
    assert extract(citations()).num_rows == 0


@pytest.mark.parametrize("on", [True, False])
def test_the_collector_is_left_as_it_was(rows: list[dict[str, object]], on: bool) -> None:
    before = gc.isenabled()
    (gc.enable if on else gc.disable)()
    try:
        extract(citations(*rows))
        assert gc.isenabled() is on
    finally:
        (gc.enable if before else gc.disable)()
