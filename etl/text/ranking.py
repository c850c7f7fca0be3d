"""Weights that turn the features of a number into the odds that it is the sample size.

The hand-set weights say what any reader of trials knows; a trained correction, kept small by
its penalty, is added to them when ``sample_size_weights.json`` is present. Nothing found
competes as a candidate of score 0.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

HAND: dict[str, float] = {
    "bias": -1.0, "noun_P": 1.6, "noun_none": 0.0, "noun_M": -4.0, "noun_O": -4.0, "noun_H": -4.0,
    "noun_D": -4.0, "noun_V": -4.0, "near_noun": 0.4, "far_noun": 0.0, "noun_K": -0.8,
    "n_capital": 2.0, "n_small": 0.6, "n_of_people": 1.2, "n_of_group": -1.0, "paren": -0.8,
    "bare_paren": -1.0, "in_paren": -0.8, "total_of": 1.8, "out_of": -0.2, "of": -0.1,
    "first_of": 0.4, "number_of": -1.0, "first": 0.9, "det_the": 0.1, "det_all": 0.4,
    "part_of": -0.8, "percent_after": -0.9,
    "r1_R": 1.8, "r2_R": 1.0, "r1_E": 1.3, "r2_E": 0.6, "r1_A": 0.3, "r2_A": 0.2, "r1_X": -0.8,
    "r2_X": -0.5, "r1_C": -0.8, "r2_C": -0.4, "r1_V": -1.2, "r2_V": -0.5, "r1_G": -0.8,
    "r2_G": -0.1, "r1_T": 0.1, "r2_T": 0.1, "r1_F": -1.5, "r2_F": -1.2, "r1_Q": -0.3,
    "l1_R": 0.6, "l2_R": 0.2, "l1_E": 1.0, "l2_E": 0.5, "l1_A": 0.3, "l2_A": 0.1, "l1_X": -0.6,
    "l2_X": -0.2, "l1_C": -0.2, "l1_V": -0.8, "l1_G": -0.5, "l2_G": -0.2, "l1_T": -0.2,
    "l1_F": -3.0, "l2_F": -1.5, "l1_Q": -0.5, "l1_S": 0.6,
    "left_than": -1.2, "left_over": -0.6, "left_further": -1.0, "left_additional": -1.0,
    "left_other": -1.0, "left_another": -1.2, "left_remaining": -1.2, "left_healthy": -0.7,
    "left_about": -0.6, "left_approximately": -0.5, "left_and": -0.6, "left_which": -0.7,
    "right_each": -2.0, "right_other": -1.0, "right_additional": -1.0, "right_more": -1.5,
    "right_healthy": -0.8, "right_consecutive": 1.0, "right_had": -0.8, "right_controls": -0.8,
    "right_experienced": -1.2, "right_completed": -0.6,
    "largest": 1.2, "under_half": -1.5, "first_people": 0.7, "in_title": 0.6, "repeated": 0.2,
    "is_sum": 1.6, "screened": -2.0, "cited": -7.0, "unknown_plural": -5.0, "per_year": -5.0,
    "been_reported": -3.5, "after_studies": -0.8, "of_then_randomised": -2.0, "is_sum_bare": 0.8,
    "noun_cases": -0.2, "a_noun_cases": 0.3, "below_10": -1.2, "below_20": -0.5, "huge": -1.2,
    "at_0": 0.0, "at_1": 0.3, "at_2": 0.2, "at_3": -0.5, "at_4": -0.9,
    "in_background": -1.0, "in_methods": 0.5, "in_results": 0.0, "in_conclusions": -1.5,
    "s_R": 0.4, "s_F": -0.4, "s_D": -0.2, "s_X": -0.1,
    "whole_X": -2.0, "whole_R": 0.3, "whole": -0.3, "part_of_X": 1.2, "part_taken": 2.5, "whole_taken": -2.0, "share_of": -2.0,
    "things_of_people": -3.5, "things_shared": -5.0, "left_of_screened": 3.0, "staff_beside": -3.5, "a_staff_beside": -2.0, "n_of_animals": -4.0, "n_of_things": -5.0,
    "planned": -6.0, "stopped_with": 3.0, "makes_sample": 11.0, "of_parent": -6.0, "of_part": 2.5, "in_substudy": 2.5,
    "enumerated": 4.0, "arms_cut": -4.0, "arms_of_things": -4.0, "arms_included": 2.5, "enumerated_below": -4.0, "in_enumeration": -3.0, "bare_small": -2.0, "of_literature": -3.0,
    "other_randomised_here": -1.0, "other_randomised": -1.0, "of_then_more": -0.8,
    "goes_with_things": -6.0, "range_of_people": -8.0, "of_then_met": -5.0, "met_criteria": 4.0, "n_of_share": -5.0, "enumerated_controls": 1.5,
    "arms_sum": 3.0, "arms_each": 3.0, "arms_low": 1.2, "in_row": -1.8, "in_row_compared": -2.0,
    "arms_compared": 1.5, "arms_below": -1.5, "arms_whole": -0.8, "sum_of_row": 1.0, "noun_F": -9.0,
    # people by arm: one count, then the row
    "a_bias": -1.4, "a_n_small": 0.8, "a_n_capital": 0.4, "a_n_of_group": 0.8, "a_bare_paren": 0.6,
    "a_paren": 0.6, "a_in_paren": 0.4, "a_r1_G": 1.0, "a_r2_G": 0.4, "a_r1_T": 0.6, "a_r1_R": 0.3,
    "a_l1_G": 0.3, "a_l2_G": 0.1, "a_l1_T": 0.3, "a_right_in": 0.4, "a_right_to": 0.8,
    "a_noun_P": 0.4, "a_r1_V": -0.8, "a_percent_after": -0.3, "a_l1_V": -0.6, "a_part_of": -0.8,
    "a_noun_V": -2.0, "a_noun_O": -1.5, "a_noun_M": -1.5, "a_noun_D": -1.5, "a_noun_H": -1.5,
    "a_right_each": 0.5, "a_total_of": -2.0, "a_l1_X": -0.5, "a_r1_X": -0.8, "a_of": -0.3,
    "a_whole": 0.8, "a_noun_F": 0.2, "a_noun_K": 0.4, "a_in_background": -0.5, "a_below_10": -0.8,
    "a_r1_F": -1.0, "a_l1_F": -1.0,
    "row_even": 0.5, "row_uneven": -1.0, "row_holds_total": -3.0, "row_split": -0.8,
    "row_sum_total": 3.0, "row_sum_other": 1.0, "row_over": -2.0, "row_near": 0.5,
    "row_small": -1.0, "row_holds_whole": -2.5, "row_s_R": 0.4, "row_s_T": 0.2, "row_s_G": 0.2, "row_3": -0.5, "row_4": -0.9,
    "row_5": -1.2, "row_named_groups": 1.2, "row_all_n": 1.0, "row_every_n": 0.6,
    "row_all_whole": 0.6, "row_joined": 0.4,
    "row_respectively": 0.4, "row_cases_controls": 1.0, "row_mixed": -0.5, "row_about_total": 1.2,
}  # fmt: skip


# Weights that stay as set by hand: they stand for definitions (animals, cited and planned
# numbers are no sample size), which breast-cancer trials alone would unlearn.
FIXED = frozenset(
    {"cited", "unknown_plural", "per_year", "been_reported", "noun_M", "noun_D", "noun_H", "noun_F",
     "n_of_animals", "goes_with_things", "range_of_people",
     "noun_V", "part_taken", "whole_taken", "row_holds_whole", "l1_F", "of_then_randomised", "row_named_groups"}
)  # fmt: skip

# The best candidate must score more than this, else nothing is said.
ACCEPT = 0.0


class Weights(NamedTuple):
    """Weights by feature: of totals and rows together, and of single arms."""

    all: dict[str, float]
    arm: dict[str, float]


@lru_cache(maxsize=1)
def _shipped() -> Weights:
    found = dict(HAND)
    file = resources.files("etl.text") / "sample_size_weights.json"
    if file.is_file():
        for name, delta in json.loads(file.read_text())["weights"].items():
            found[name] = found.get(name, 0.0) + delta
    return weights_of(found)


_others: list[Weights] = []


def weights() -> Weights:
    """Hand-set weights plus the trained correction when its file is there."""
    return _others[-1] if _others else _shipped()


@contextmanager
def using(table: Mapping[str, float]) -> Iterator[None]:
    """Other weights for a while: for training and cross-validation, one thread only."""
    _others.append(weights_of(table))
    try:
        yield
    finally:
        _others.pop()


def weights_of(table: Mapping[str, float]) -> Weights:
    """The two tables; ``row_best`` is the most that the form of a row can add to its score.

    ``row_cheap`` is the part of it that ``arms`` works out first.
    """
    table = {name: weight for name, weight in table.items() if name not in _BOUNDS}
    table |= {"row_best": _most(table), "row_cheap": _most_of(table, _CHEAP) - 1e-9}
    arm = {name[2:]: weight for name, weight in table.items() if name.startswith("a_")}
    return Weights(table, arm)


# Row features of which at most one holds at a time.
_EXCLUSIVE = (
    ("row_2", "row_3", "row_4", "row_5"),
    ("row_even", "row_uneven"),
    ("row_all_n", "row_all_whole", "row_all_paren", "row_all_other", "row_mixed"),
    ("row_sum_none", "row_sum_total", "row_about_total", "row_over", "row_near",
     "row_part", "row_small"),
)  # fmt: skip


_BOUNDS = ("row_best", "row_cheap")
# What is known of a row without a look at each of its counts, and what its sentence can add.
_CHEAP = (
    *("row_2", "row_3", "row_4", "row_5", "row_even", "row_uneven", "row_mixed"),
    *("row_all_n", "row_all_whole", "row_all_paren", "row_all_other"),
    *("row_sum_none", "row_sum_total", "row_about_total", "row_over", "row_near", "row_part"),
    *("row_small", "row_sum_other", "row_joined", "row_respectively", "row_cases_controls"),
    *("row_s_R", "row_s_T", "row_s_G", "row_s_E"),
)


def _most(table: Mapping[str, float]) -> float:
    """The most that the form of a row can add to its score."""
    return _most_of(table, [name for name in table if name[:4] == "row_"])


def _most_of(table: Mapping[str, float], names: Iterable[str]) -> float:
    """The most that features of these names can add up to."""
    alone = {name: max(0.0, table.get(name, 0.0)) for name in names}
    most = sum(max(alone.pop(name, 0.0) for name in group) for group in _EXCLUSIVE)
    return most + sum(alone.values())


def score(features: list[str], table: dict[str, float]) -> float:
    """Log-odds against "no number here is the sample size"."""
    total = table["bias"]
    for feature in features:
        if feature in table:
            total += table[feature]
    return total
