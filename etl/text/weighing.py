"""All numbers of a text that may be its sample size, each with a score."""

import re
from collections.abc import Mapping, Sequence, Set

from etl.text import arms, groups, own, ranking, sentences
from etl.text.candidates import Count, Sentence, counts
from etl.text.features import describe
from etl.text.numbered import read
from etl.text.placing import place
from etl.text.sentences import Section

_TITLE_NUMBER = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d{2,6})(?![\w.%])")


def gather(
    text: str, low: str, vocabulary: Set[str], sections: Sequence[Section] | None
) -> list[Sentence]:
    """Sentences of a text that may hold its sample size, with their counts; ``low`` is ``text`` in lower case.

    Worth asking only where ``numbered.may_count``.

    ``vocabulary`` holds at least the distinct words of the text.
    """
    spans = sentences.split(text)
    found = read(text, low, spans, vocabulary, lambda: sentences.kinds(text, sections))
    for sentence in found:
        counts(sentence)
    return found


def weigh(title: str, text: str, gathered: Sequence[Sentence]) -> list[Count]:
    """All candidates of a text with features and scores: stated ones in order, then sums of arms.

    ``title`` is in lower case. Sums have a negative ``distance``. Weighs what was gathered once.
    """
    found = [count for sentence in gathered for count in sentence.counts]
    if not found:
        return found
    table = ranking.weights()
    for count in found:
        describe(count)
    place(found, len(sentences.split(text)), _numbers_of(title))
    own.mark(found, title)
    for count in found:
        count.arm = arms.arm_weight(count.features, table.arm)
    found += _from_arms(found, table.all)
    for count in found:
        count.score = ranking.score(count.features, table.all)
    return found + _with_controls(found)


def _with_controls(found: Sequence[Count]) -> list[Count]:
    """The people studied and their controls of another sentence, when nobody adds them up."""
    controls = groups.controls_apart([count for count in found if count.distance >= 0])
    others = [count for count in found if all(count.sentence is not c.sentence for c in controls)]
    best = max(others, key=lambda count: count.score, default=None)
    if not controls or best is None or not groups.compared_with(found, best, controls):
        return []
    total = groups.size(best) + sum(count.value for count in controls)
    if any(count.value == total for count in found):
        return []
    score = 0.5 + max(count.score for count in found)
    return [Count(total, best.sentence, best.at, "P", -1, ["with_controls"], score)]


def _numbers_of(title: str) -> frozenset[int]:
    if not title:
        return frozenset()
    return frozenset(int(number.replace(",", "")) for number in _TITLE_NUMBER.findall(title))


def _from_arms(found: Sequence[Count], table: Mapping[str, float]) -> list[Count]:
    """Totals that nobody states but the arms add up to; arms and stated sums are marked as such."""
    made: list[Count] = []
    summed = _enumerated(found)
    each = arms.each(found)
    if each is not None:
        count, groups = each
        count.features.append("in_row")
        made.append(_made(count, count.value * groups, ["arms_each"]))
    row = arms.best_row(found, None, table)
    if row is not None:
        compared = arms.cases_and_controls(row.counts)
        for count in row.counts:
            count.features += ["in_row", "in_row_compared"] if compared else ["in_row"]
        how = ["arms_sum" if row.score > 1.0 else "arms_low"] + ["arms_compared"] * compared
        if any(row.total < count.value for count in found if "largest" in count.features):
            how.append("arms_below")
        if row.counts[0].form == row.counts[-1].form == "whole":
            how.append("arms_whole")
        if all("in_enumeration" in count.features for count in row.counts):
            how += ["arms_cut"] * (row.total not in [count.value for count in summed])
        how += _said_of(row.counts)
        made.append(_made(row.counts[0], row.total, how))
    made += summed
    totals = {count.value for count in made}
    for count in found:
        if count.value in totals:
            count.features.append("sum_of_row")
            totals.discard(count.value)
            made = [one for one in made if one.value != count.value]
    return made


def _said_of(row: Sequence[Count]) -> list[str]:
    """What a row says beside its sum: things that are counted, people who were included."""
    if any("unknown_plural" in count.features for count in row):
        return ["arms_of_things"]
    named = all("n_of_people" in count.features for count in row)
    return ["arms_included"] if named and "r1_E" in row[-1].features else []


def _enumerated(found: Sequence[Count]) -> list[Count]:
    """Sums of groups that are counted one after the other; their members are marked as such."""
    made = []
    for run in groups.enumerated(found):
        total = sum(count.value for count in run)
        for count in run:
            count.features.append("in_enumeration")
        how = ["enumerated"] + ["enumerated_controls"] * arms.cases_and_controls(run)
        if any(count.value >= total for count in found if count.noun == "P"):
            how.append("enumerated_below")
        made.append(_made(run[0], total, how))
    return made


def _made(count: Count, value: int, how: list[str]) -> Count:
    kept = [name for name in count.features if name[:3] in ("at_", "in_", "s_R", "s_F")]
    kept = [name for name in kept if name[:6] not in ("in_row", "in_enu")]
    return Count(value, count.sentence, count.at, "P", -1, how + kept)
