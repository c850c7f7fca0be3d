"""The quality table does not fall below its floors; real records, judged out of fold."""

from pathlib import Path

import pytest

from benchmarks.labels import Labelled, folds
from benchmarks.quality_design import auc, measure


@pytest.fixture(scope="module")
def figures(shared_data: Path) -> dict[tuple[str, str], float]:
    return {(row["set"], row["metric"]): row["ours"] for row in measure(shared_data)}


def test_rct_from_words_beats_others_classifiers(
    figures: dict[tuple[str, str], float],
) -> None:
    metric = "RCT from words, AUC (out of fold)"
    assert figures["medline_pt/pubmed_test", metric] >= 0.975
    assert figures["medline_pt/ovid", metric] >= 0.91


def test_grade_from_words_is_near_the_grade_from_types(
    figures: dict[tuple[str, str], float],
) -> None:
    name = "base grade from words = from types"
    assert figures["pubmed", f"{name}, equal"] >= 0.80
    assert figures["pubmed", f"{name}, within a step"] >= 0.86


def test_designs(figures: dict[tuple[str, str], float]) -> None:
    assert figures["… with a design type", "design, macro-F1"] >= 0.70


def test_auc_counts_ties_as_half() -> None:
    assert auc([0.9, 0.5, 0.5, 0.1], [True, True, False, False]) == pytest.approx(0.875)
    assert auc([0.1, 0.2], [False, True]) == 1.0


def _labelled(key: str, title: str) -> Labelled:
    return Labelled(key, "pubmed", title, "", (), (), "", True, True)


def test_two_deliveries_of_one_paper_share_a_fold() -> None:
    keys = [str(key) for key in range(1, 30)]
    same = folds([_labelled(key, f"Zinc for the common cold: {'!' * int(key)}") for key in keys])
    assert len(set(same.values())) == 1
    short = folds([_labelled(key, "In reply.") for key in keys])
    assert len(set(short.values())) > 1
