"""People by arm: "62 received A and 59 placebo", "(n = 30) ... (n = 31)", "30 in each of three groups".

Arms are numbers that follow each other in one sentence (or two neighbouring ones) and are
told apart by group words. Numbers that add up to the total are the surest sign.
"""

from collections.abc import Sequence

from etl.text.candidates import Count

_EACH = frozenset({"each", "per", "apiece"})
_HOW_MANY = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "2": 2,
    "3": 3,
    "4": 4,
    "both": 2,
}


def runs(counts: Sequence[Count]) -> list[list[Count]]:
    """Counts by neighbourhood: those of one sentence, then those of two sentences in a row."""
    by_order: dict[int, list[Count]] = {}
    for count in counts:
        by_order.setdefault(count.sentence.order, []).append(count)
    single = list(by_order.values())
    pairs = [by_order[order] + by_order[order + 1] for order in by_order if order + 1 in by_order]
    return single + pairs


def adding_up(counts: Sequence[Count], total: int) -> list[Count]:
    """Two to five counts in a row, in one or two sentences, whose sum is ``total``; else empty."""
    best: list[Count] = []
    best_score = 0.0
    for run in runs(counts):
        for size in (2, 3, 4, 5):
            for start in range(len(run) - size + 1):
                part = run[start : start + size]
                if sum(count.value for count in part) != total:
                    continue
                score = 1.0 + _looks(part)
                if score > best_score:
                    best, best_score = part, score
    return best


def _looks(part: Sequence[Count]) -> float:
    """How much a row of counts looks like arms, by the words around each."""
    score = 0.0
    for count in part:
        score += arm_weight(count)
    score /= len(part)
    values = [count.value for count in part]
    if min(values) * 3 >= max(values):
        score += 0.5
    if part[0].sentence is not part[-1].sentence:
        score -= 0.3
    if "R" in part[0].sentence.letters or "T" in part[0].sentence.letters:
        score += 0.3
    return score


_WEIGHTS = {
    "n_small": 0.8, "n_capital": 0.4, "n_of_group": 0.6, "bare_paren": 0.6, "paren": 0.5,
    "r1_G": 0.8, "r2_G": 0.3, "r1_T": 0.6, "r1_R": 0.3, "l1_G": 0.3, "l2_G": 0.1, "l1_T": 0.3,
    "right_in": 0.4, "noun_P": 0.1, "r1_V": -0.8, "percent_after": -0.3, "l1_V": -0.6,
    "part_of": -0.6, "noun_V": -1.5, "noun_O": -1.0, "noun_M": -1.0, "noun_D": -1.0,
    "noun_H": -1.0, "right_each": 0.5, "in_results": -0.1, "total_of": -1.2, "l1_X": -0.5,
    "r1_X": -0.5, "of": -0.4, "noun_K": 0.3,
}  # fmt: skip


def arm_weight(count: Count) -> float:
    """Weight of one count as the size of an arm."""
    return sum(_WEIGHTS.get(feature, 0.0) for feature in count.features)


def unsummed(counts: Sequence[Count]) -> list[Count]:
    """The row of counts that looks most like arms when no total is known; empty when none does."""
    best: list[Count] = []
    best_score = 0.9
    for run in runs(counts):
        if run[0].sentence is not run[-1].sentence and len(run) > 2:
            continue
        row = [count for count in run if arm_weight(count) >= 0.6]
        if not 2 <= len(row) <= 6:
            continue
        score = _looks(row) - 0.02 * row[0].sentence.order
        if score > best_score:
            best, best_score = row, score
    return best


def each(counts: Sequence[Count]) -> tuple[Count, int] | None:
    """A count said to be that of each group, with the number of groups; None when not said."""
    for count in counts:
        tokens = count.sentence.tokens
        near = tokens[count.at + 1 : count.at + 7]
        if (
            _EACH.isdisjoint(near)
            or "R" not in count.sentence.letters
            and "G" not in count.sentence.letters
        ):
            continue
        groups = _groups(tokens)
        if groups:
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
