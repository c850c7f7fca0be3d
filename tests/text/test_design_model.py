"""The linear model: packed weights add up as the weights do; the file is read back."""

import gzip
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from etl.text.cues import prepare
from etl.text.linear import RCT_CLASS, form_of, load, pack, read, unpack

WEIGHT = st.integers(-9000, 9000).map(lambda thousandths: thousandths / 1000)
ROW = st.lists(WEIGHT, min_size=5, max_size=5)

FILE = (
    "feature\trct\tnone\tanimal\trct_any\n"
    "calibration\t1\t2\t-1\t0\n"
    "preference\t0.5\t0\t0\t0\n"
    "bias\t-1\t1\t0\t0\n"
    "c:placebo.text\t1\t-1\t0\t1\n"
    "t:trial\t0.5\t0\t0\t0.25\n"
    "w:placebo\t0.25\t0\t-0.125\t1\n"
    "z:again\t0\t0\t0\t0.5\n"
)


@given(st.lists(ROW, min_size=1, max_size=50))
def test_packed_rows_add_up_column_by_column(rows: list[list[float]]) -> None:
    expected = [sum(column) for column in zip(*rows, strict=True)]
    assert unpack(sum(map(pack, rows)), 5) == pytest.approx(expected, abs=1e-6)


def test_a_score_is_bias_and_cues_and_words() -> None:
    model = read(gzip.compress(FILE.encode()))
    words = prepare("A trial.", "Again, none. Placebo was given; placebo again.")
    scores = model.score(words, ["c:placebo.text", "c:unknown"])
    assert scores == pytest.approx([-1 + 2 + 0.5 + 0.25, 1 - 2, -0.125, 2 + 0.25 + 1 + 0.5])


def test_a_word_of_the_closing_sentence_weighs_only_there() -> None:
    model = read(gzip.compress(FILE.encode()))
    assert model.score(prepare("Again.", "Again. Nothing."), [])[-1] == 0
    assert model.score(prepare("", "again"), [])[-1] == 0.5


def test_preferences_choose_the_class_and_leave_the_rct_probability_alone() -> None:
    model = read(gzip.compress(FILE.encode()))
    scores = [1.0, 1.0, 0.5, 0.25]
    shares = model.probabilities(scores)
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["rct"] == pytest.approx(shares["none"] * math.exp(0.5))
    others = math.exp(1) + math.exp(0.5)
    mixed = 2 * (0.25 + RCT_CLASS * (1 - math.log(others))) - 1
    people = 1 - math.exp(0.5) / (math.exp(1) + others)
    assert model.rct_probability(scores) == pytest.approx(people / (1 + math.exp(-mixed)))


def test_the_loudest_mark_is_the_one_that_weighs_most() -> None:
    model = read(gzip.compress(FILE.encode()))
    assert model.loudest(["c:unknown", "c:placebo.text"], "rct") == "c:placebo.text"
    assert model.loudest(["c:placebo.text"], "none") is None


def test_the_shipped_model_is_small_and_holds_no_sentences() -> None:
    model = load()
    assert {"rct", "cohort", "case_report", "review", "none", "animal"} <= set(model.columns)
    assert not any(" " in name for name in (*model.marks, *model.title, *model.anywhere))


def test_form() -> None:
    assert form_of(prepare("[Zinc: a cure?]", None)) == [
        "l:title0", "l:abstract0", "l:question", "l:colon", "l:translated",
    ]  # fmt: skip
