"""Retrieval for questions in words, on claims and judgements that nobody here wrote."""

from pathlib import Path

from benchmarks.quality_search import errors, measure


def test_scifact_claims(shared_data: Path) -> None:
    ndcg, recall = measure(shared_data)
    assert ndcg["ours"] >= 0.69 and recall["ours"] >= 0.92
    assert all(row["claim"] >= 0 and row["missed"] for row in errors(shared_data))
