"""Groups that are counted one by one and never added up: their sum is the number of people."""

from collections.abc import Iterator, Sequence

from etl.text.candidates import Count
from etl.text.count_words import words

_JOINED = words("and , or versus vs plus")
_FROM = words("from in of on for a cohort group another with the")
_NO_VERBS = frozenset("REXCVU")
_BREAKS = frozenset("();:.[]%=")
_GENERAL = words("subjects participants people individuals volunteers persons respondents")
_SERVED = words("used served acted serving")


def enumerated(counts: Sequence[Count]) -> Iterator[list[Count]]:
    """Runs of counts that follow each other: "eight patients with gout and 13 controls"."""
    run: list[Count] = []
    for count in counts:
        if run and _joined(run[-1], count):
            run.append(count)
            continue
        if len(run) > 1:
            yield run
        run = [count] if _begins(count) else []
    if len(run) > 1:
        yield run


def _begins(count: Count) -> bool:
    if count.form not in ("other", "first") or count.noun not in ("P", ""):
        return False
    return {
        "first_of",
        "out_of",
        "part_of",
        "percent_after",
        "staff_beside",
        "unknown_plural",
    }.isdisjoint(count.features)


def _joined(one: Count, other: Count) -> bool:
    """Whether the second goes on where the first ended, with no verb between them."""
    if one.sentence is not other.sentence or other.noun != "P" or other.form != "other":
        return False
    if not {"part_of", "percent_after"}.isdisjoint(other.features):
        return False
    here = one.sentence
    between = _without_rate(here.tokens[one.at + 1 : other.at])
    if not between or len(between) > 16 or not _BREAKS.isdisjoint(between):
        return False
    if any(token[0].isdigit() for token in between):
        return False
    while between and between[-1] in _FROM:
        between = between[:-1]
    if not between or between[-1] not in _JOINED:
        return False
    classes = "".join(here.classes[one.at + 1 : other.at])
    return _NO_VERBS.isdisjoint(classes) and ("P" in classes or 1 < len(between) < 5)


def _without_rate(tokens: list[str]) -> list[str]:
    """The same without a rate in brackets: "90 cases (99% response rate) and 80 controls"."""
    if "rate" not in tokens or "(" not in tokens or ")" not in tokens:
        return tokens
    start, end = tokens.index("("), tokens.index(")")
    return tokens[:start] + tokens[end + 1 :] if "%" in tokens[start:end] else tokens


def controls_apart(counts: Sequence[Count]) -> list[Count]:
    """People who were only compared, in a sentence of their own; empty when there are none.

    "A control group of 100 persons", "24 patients and 72 donors were used as controls".
    """
    for count in counts:
        if count.noun != "P":
            continue
        tokens = count.sentence.tokens
        before = tokens[max(0, count.at - 4) : count.at]
        people = [one for one in count.sentence.counts if one.noun == "P"]
        if before[-3:] == ["control", "group", "of"]:
            return people if len(people) == 1 else []
        if _served_as_controls(tokens[count.at :]):
            return people
    return []


def _served_as_controls(tokens: list[str]) -> bool:
    if "as" not in tokens or _SERVED.isdisjoint(tokens):
        return False
    place = tokens.index("as")
    near = tokens[place + 1 : place + 6]
    return tokens[place - 1] in _SERVED and ("control" in near or "controls" in near)


def size(best: Count) -> int:
    """People that ``best`` counts, with the other groups of its sentence: "(n = 20)", "(n = 18)"."""
    if best.form != "n":
        return best.value
    return sum(count.value for count in best.sentence.counts if count.form == "n")


def compared_with(found: Sequence[Count], best: Count, controls: Sequence[Count]) -> bool:
    """Whether ``best`` counts only those with whom ``controls`` are compared."""
    tokens = best.sentence.tokens
    if any(one.sentence is best.sentence for one in controls) or "controls" in tokens:
        return False
    if "total_of" in best.features and not _GENERAL.isdisjoint(tokens[best.at :][:4]):
        return False
    if not _GENERAL.isdisjoint(tokens[best.at + 1 : best.at + 4]):
        return False
    apart = {id(one.sentence) for one in controls}
    return not any(
        "R" in count.sentence.letters for count in found if id(count.sentence) not in apart
    )
