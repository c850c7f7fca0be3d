"""People by arm: "62 received A and 59 placebo", "(n = 30) ... (n = 31)", "30 in each of three".

Arms are a row: two to five counts that follow each other in one sentence (or two neighbouring
ones) and are told apart by group words. A row that adds up to the total is the surest sign.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import combinations
from typing import NamedTuple

from etl.text.candidates import Count, Sentence

_EACH = frozenset({"each", "per", "apiece", "both"})
_HOW_MANY = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "2": 2, "3": 3, "4": 4, "5": 5}

# Below this a row is not taken for arms.
THRESHOLD = 0.0

# A single count that looks less like an arm than this is not tried in any row.
_HOPELESS = -1.5


class Row(NamedTuple):
    """Counts that may be the arms of one trial, and how much they look like it (log-odds)."""

    counts: tuple[Count, ...]
    score: float

    @property
    def total(self) -> int:
        """People over all arms."""
        return sum(count.value for count in self.counts)

    @property
    def values(self) -> tuple[int, ...]:
        """People by arm, in the order of the text."""
        return tuple(count.value for count in self.counts)


def rows(counts: Sequence[Count], total: int | None) -> Iterator[tuple[Count, ...]]:
    """Every row that may be looked at: neighbours, neighbours of one form, pairs that add up."""
    by_order: dict[int, list[Count]] = {}
    for count in counts:
        if count.arm < _HOPELESS:
            continue
        by_order.setdefault(count.sentence.order, []).append(count)
    seen = set()
    for order, here in by_order.items():
        runs = [here]
        if order + 1 in by_order:
            runs.append(here[-3:] + by_order[order + 1][:3])
        for run in runs:
            for row in _rows_of(run, total):
                key = tuple(map(id, row))
                if key not in seen:
                    seen.add(key)
                    yield row


def _rows_of(run: list[Count], total: int | None) -> Iterator[tuple[Count, ...]]:
    yield from _windows(run)
    if len(run) < 3:
        return
    for chosen in (
        [count for count in run if count.arm > 0.0],
        [count for count in run if count.form == "n"],
        [count for count in run if count.form == "whole"],
    ):
        if 2 <= len(chosen) < len(run):
            yield from _windows(chosen)
    if total is not None:
        for one, other in combinations(run[:7], 2):
            if one.value + other.value == total:
                yield one, other


def _windows(run: Sequence[Count]) -> Iterator[tuple[Count, ...]]:
    for size in (2, 3, 4, 5):
        for start in range(len(run) - size + 1):
            yield tuple(run[start : start + size])


def row_features(row: Sequence[Count], total: int | None, others: Set[int]) -> list[str]:
    """Names of what a row says as a whole; ``others`` are all values found in the text."""
    values = [count.value for count in row]
    high, low, added = max(values), min(values), sum(values)
    found = ["row_" + str(len(row))]
    if low * 1.35 >= high:
        found.append("row_even")
    elif low * 4 < high:
        found.append("row_uneven")
    if high * 2 == added and len(row) > 2:
        found.append("row_holds_total")
    if row[0].sentence is not row[-1].sentence:
        found.append("row_split")
    found += _forms(row)
    found += _sum(added, total, others)
    for letter in "RTGE":
        if letter in row[0].sentence.letters:
            found.append("row_s_" + letter)
    return found


def _sum(added: int, total: int | None, others: Set[int]) -> tuple[str, ...]:
    """Names for how the sum of a row stands to the total, or to the other values."""
    if total is None:
        return ("row_sum_other",) if added in others else ("row_sum_none",)
    if added == total:
        return ("row_sum_total",)
    if abs(added - total) * 50 <= total:
        return ("row_about_total",)
    if added > total:
        return ("row_over",)
    near = "row_near" if added * 10 >= total * 9 else "row_part" if added * 2 >= total else ""
    near = near or "row_small"
    return (near, "row_sum_other") if added in others else (near,)


def _forms(row: Sequence[Count]) -> list[str]:
    """Names for how the members of a row are written and joined."""
    forms = {count.form for count in row}
    found = ["row_mixed" if len(forms) > 1 else "row_all_" + row[0].form]
    here = row[0].sentence
    values = [count.value for count in row]
    if "first_of" in row[0].features and max(values) * 2 > sum(values) and len(here.counts) > 2:
        found.append("row_holds_whole")
    if row[0].form == "n" and sum([count.form == "n" for count in here.counts]) == len(row):
        found.append("row_every_n")
    if "n_of_group" in row[0].features and all("n_of_group" in one.features for one in row):
        found.append("row_named_groups")
    if cases_and_controls(row):
        found.append("row_cases_controls")
    if here is row[-1].sentence:
        if any(here.tokens[count.at - 1] in _JOINTS for count in row[1:]):
            found.append("row_joined")
        if "respectively" in here.tokens[row[-1].at :]:
            found.append("row_respectively")
    return found


def cases_and_controls(row: Sequence[Count]) -> bool:
    """Whether a row counts patients or cases and those they are compared with."""
    if row[0].sentence is not row[-1].sentence or row[0].noun not in ("P", "") or len(row) > 3:
        return False
    for count in row[1:]:
        here = count.sentence
        near = here.tokens[max(0, count.at - 4) : count.at + 8]
        if (
            "controls" in near
            or ("healthy" in near and "control" in near)
            or _set_beside(row[0], count)
        ):
            return "P" in (count.noun, row[0].noun)
    return False


def _set_beside(one: Count, other: Count) -> bool:
    """Whether exposed people are compared with people who are not: "and 90 unexposed women"."""
    if one.noun != "P" or other.noun != "P":
        return False
    tokens = other.sentence.tokens
    after = tokens[other.at + 1 : other.at + other.distance + 1]
    if not _UNEXPOSED.isdisjoint(after):
        return True
    before = tokens[max(one.at, other.at - 7) : other.at]
    return "compared" in before and ("with" in before or "to" in before)


_UNEXPOSED = frozenset(
    {"unexposed", "nonexposed", "exposed", "untreated", "unaffected", "comparators"}
)

_JOINTS = frozenset({"and", "or", "versus", "vs", "v", "while", "whereas", "compared"})


def best_row(counts: Sequence[Count], total: int | None, weight: Mapping[str, float]) -> Row | None:
    """The row that looks most like arms; None when none does."""
    if len(counts) < 2:
        return None
    best: Row | None = None
    bar = THRESHOLD
    bias, form = weight["a_bias"], weight["row_best"]
    if max([count.arm for count in counts]) + bias + form <= bar:
        return None
    others = frozenset([count.value for count in counts])
    rest = form - weight["row_cheap"]
    said: dict[int, float] = {}
    for row in rows(counts, total):
        score = sum([count.arm for count in row]) / len(row) + bias
        if score + form <= bar:
            continue  # no feature of the row as a whole could lift it
        here = row[0].sentence
        if here.order not in said:
            said[here.order] = rest + _said(here, weight)
        if score + _known(row, total, others, weight) + said[here.order] <= bar:
            continue
        for name in row_features(row, total, others):
            score += weight.get(name, 0.0)
        if score > bar:
            best, bar = Row(row, score), score
    return best


_SIZES = ("", "", "row_2", "row_3", "row_4", "row_5")
_FORMS = {"n": "row_all_n", "whole": "row_all_whole", "paren": "row_all_paren"}
_SUMS = ("row_sum_none", "row_sum_total", "row_about_total", "row_over", "row_near", "row_part")


def _known(
    row: Sequence[Count], total: int | None, others: Set[int], weight: Mapping[str, float]
) -> float:
    """What the number of arms, their evenness, form and sum weigh: the part that is cheap.

    Less what this row cannot have of the rest: the features of rows of ``(n = 20)``.
    """
    values = [count.value for count in row]
    high, low = max(values), min(values)
    get = weight.get
    known = get(_SIZES[len(row)], 0.0)
    if low * 1.35 >= high:
        known += get("row_even", 0.0)
    elif low * 4 < high:
        known += get("row_uneven", 0.0)
    form = row[0].form
    for count in row:
        if count.form != form:
            known += get("row_mixed", 0.0)
            break
    else:
        known += get(_FORMS.get(form, "row_all_other"), 0.0)
    for name in _sum(sum(values), total, others):
        known += get(name, 0.0)
    if form != "n":
        known -= max(0.0, get("row_every_n", 0.0))
    if "n_of_group" not in row[0].features:
        known -= max(0.0, get("row_named_groups", 0.0))
    return known


def _said(sentence: Sentence, weight: Mapping[str, float]) -> float:
    """The most that the words of a sentence can add to the score of a row that begins in it."""
    tokens = sentence.tokens
    most = sum(
        [weight.get("row_s_" + letter, 0.0) for letter in "RTGE" if letter in sentence.letters]
    )
    for name, words in _SPOKEN:
        if not words.isdisjoint(tokens):
            most += max(0.0, weight.get(name, 0.0))
    return most


# Features of a row that need one of these words in its sentence.
_SPOKEN = (
    ("row_joined", _JOINTS),
    ("row_respectively", frozenset({"respectively"})),
    ("row_cases_controls", _UNEXPOSED | {"controls", "control", "compared"}),
)


def arm_weight(features: Sequence[str], weight: Mapping[str, float]) -> float:
    """Weight of one count as the size of an arm; ``weight`` is ``ranking.weights().arm``."""
    total = 0.0
    for feature in features:
        if feature in weight:
            total += weight[feature]
    return total


def each(counts: Sequence[Count]) -> tuple[Count, int] | None:
    """A count said to be that of each group, with the number of groups; None when not said."""
    for count in counts:
        tokens = count.sentence.tokens
        near = tokens[count.at + 1 : count.at + 7]
        if _EACH.isdisjoint(near) or not (
            "R" in count.sentence.letters or "G" in count.sentence.letters
        ):
            continue
        groups = _groups(tokens) or (2 if "both" in near else 0)
        if groups and count.value > 4 and count.noun in ("P", ""):
            return count, groups
    return None


def _groups(tokens: Sequence[str]) -> int:
    """How many groups the sentence names: "three groups", "two equal groups"; 0 when not said."""
    for at, token in enumerate(tokens):
        if token in _HOW_MANY and any(
            word in ("groups", "arms", "group", "arm") for word in tokens[at + 1 : at + 5]
        ):
            return _HOW_MANY[token]
    return 0
