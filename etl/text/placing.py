"""What the whole text says about a number: order, size, repeats, sums, who was only screened."""

from collections.abc import Sequence

from etl.text import neighbours
from etl.text.candidates import Count
from etl.text.count_words import words

_STEPS = ((0.15, "at_0"), (0.35, "at_1"), (0.55, "at_2"), (0.8, "at_3"), (9.9, "at_4"))
_SAYS_RANDOMISED = frozenset({"r1_R", "r2_R", "l1_R", "l2_R"})


def place(counts: Sequence[Count], sentences: int, title: frozenset[int]) -> None:
    """Add to the features of each count what the other counts and its position say.

    ``sentences`` is their number in the text, ``title`` the numbers of the title.
    """
    for count in counts:
        _screening(count)
    neighbours.mark(counts)
    for count in counts:
        if _is_source(count, counts):
            count.features.append("screened")
    values = [count.value for count in counts]
    top = max((count.value for count in counts if _may_be_top(count)), default=0)
    sums = _sums(counts)
    first = next((count for count in counts if count.noun == "P"), None)
    randomised = {
        id(count.sentence) for count in counts if _randomised(count) and count.noun in ("P", "")
    }
    for count in counts:
        _beside(count, randomised)
        _size(count, top)
        add = count.features.append
        if count is first:
            add("first_people")
        if count.value in title:
            add("in_title")
        if values.count(count.value) > 1:
            add("repeated")
        if count.value in sums:
            add("is_sum" if count.noun == "P" or count.form == "n" else "is_sum_bare")
        _position(count, sentences)


def _randomised(count: Count) -> bool:
    """Whether these are said to be randomised, at once or after they were included."""
    return "r1_R" in count.features or {"r1_E", "r2_R"} <= set(count.features)


def _is_source(count: Count, counts: Sequence[Count]) -> bool:
    """Whether this is all that a database holds, and fewer people of another sentence came in."""
    tokens, at = count.sentence.tokens, count.at
    if at < 2 or tokens[at - 1] != "of" or tokens[at - 2] not in _SOURCES:
        return False
    return any(
        other.sentence is not count.sentence
        and other.value < count.value
        and other.noun == "P"
        and ("E" in other.sentence.letters or "R" in other.sentence.letters)
        for other in counts
    )


_SOURCES = frozenset({"database", "databases", "databank", "registry", "register"})


def _may_be_top(count: Count) -> bool:
    if count.noun not in ("P", "") and count.form != "n":
        return False
    return _SCREENED.isdisjoint(count.features)


def _beside(count: Count, randomised: set[int]) -> None:
    """Features by what else the sentence or the text counts."""
    add = count.features.append
    if randomised and _SAYS_RANDOMISED.isdisjoint(count.features):
        here = id(count.sentence) in randomised
        add("other_randomised_here" if here else "other_randomised")
    if "part_of" in count.features and "X" in count.sentence.letters:
        add("part_of_X")
    if "first_of" in count.features and len(count.sentence.counts) > 1:
        add("of_then_more")


def _size(count: Count, top: int) -> None:
    add = count.features.append
    value = count.value
    if value == top:
        add("largest")
    elif value * 2 < top:
        add("under_half")
    if value < 10:
        add("below_10")
        if not count.noun and count.form != "n":
            add("bare_small")
    elif value < 20:
        add("below_20")
    elif value >= 100_000:
        add("huge")


def _position(count: Count, sentences: int) -> None:
    add = count.features.append
    where = count.sentence.order / max(1, sentences - 1)
    add(next(name for limit, name in _STEPS if where < limit))
    if count.sentence.kind:
        add("in_" + count.sentence.kind)
    letters = count.sentence.letters
    for letter in "RFDX":
        if letter in letters:
            add("s_" + letter)


_MET = frozenset({"met", "meeting", "fulfilled", "fulfilling", "satisfied"})
_CLAUSE_ENDS = frozenset(";.,")
_SCREENED = frozenset({"whole_X", "screened", "of_then_randomised", "cited"})
_SCREENING = frozenset(
    {"screened", "approached", "invited", "contacted", "eligibility", "referred"}
)


def _screening(count: Count) -> None:
    """Mark those who were only asked or looked at: "of 512 screened, 240 were randomised"."""
    tokens, at = count.sentence.tokens, count.at
    near = tokens[at + 1 : at + 8]
    stop = next((step for step, token in enumerate(near) if token in _CLAUSE_ENDS), 8)
    asked = not _SCREENING.isdisjoint(near[:stop]) and _MET.isdisjoint(near[:stop])
    if asked or (at and tokens[at - 1] in _SCREENING):
        count.features.append("screened")
    opening = not {"first_of", "out_of"}.isdisjoint(count.features) or (
        at and tokens[at - 1] == "among"
    )
    if opening and {"r1_E", "r1_R"}.isdisjoint(count.features):
        _of_then_randomised(count)
    if not _BURDEN.isdisjoint(tokens[max(0, at - 16) : at]) and "would" in tokens[:at]:
        count.features.append("cited")  # "we estimate that the burden would include 17,000"
    elif "Q" in count.sentence.letters and _is_cited(tokens, at):
        count.features.append("cited")
    if _new_cases(tokens, at) or "annually" in near or ("per" in near and "year" in near):
        count.features.append("per_year")
    after = tokens[at + 1 : at + (18 if "literature" in tokens[:at] else 12)]
    if "literature" in tokens[max(0, at - 20) : at]:
        count.features.append("of_literature")
    if "been" in after and not _REPORTED.isdisjoint(after):
        count.features.append("been_reported")
    if not _STUDIES.isdisjoint(tokens[max(0, at - 8) : at]):
        count.features.append("after_studies")


def _new_cases(tokens: Sequence[str], at: int) -> bool:
    """Whether a nation's new cases are counted: "46,000 new cases are expected in 2007"."""
    before = tokens[max(0, at - 8) : at]
    if not _RATES.isdisjoint(before) and before[-1] in _AS_MUCH:
        return True  # "an incidence of about 5000 cases"
    near = tokens[at + 1 : at + 12]
    if near[:1] != ["new"] or "cases" not in near[:5]:
        return False
    return not _NATIONAL.isdisjoint(near) or not _NATIONAL.isdisjoint(tokens[max(0, at - 6) : at])


_NATIONAL = frozenset(
    {"expected", "estimated", "worldwide", "annually", "yearly", "year", "predicted", "projected"}
)
_RATES = frozenset({"incidence", "prevalence"})
_AS_MUCH = words("of about approximately around nearly was is be at almost")
_BURDEN = frozenset({"estimate", "estimated", "burden", "projected", "predicted"})
_REPORTED = frozenset({"reported", "published", "described"})
_STUDIES = frozenset({"trials", "studies"})


_EARLIER = frozenset(
    {"earlier", "previous", "previously", "original", "parent", "published", "prior", "main"}
)
_WORKS = frozenset(
    {"trial", "trials", "study", "studies", "report", "reports", "cohort", "in", "by"}
)


def _is_cited(tokens: Sequence[str], at: int) -> bool:
    """Whether an earlier study is named before a number: "in the original TEA trial, 1200"."""
    for step in range(max(0, at - 12), at):
        if tokens[step] in _EARLIER and not _WORKS.isdisjoint(tokens[step + 1 : step + 5]):
            return True
    return False


def _of_then_randomised(count: Count) -> None:
    for other in count.sentence.counts:
        if other.at > count.at and other.value < count.value and "r1_R" in other.features:
            count.features.append("of_then_randomised")
            return


_ARM_LIKE = frozenset(
    {"n_small", "n_capital", "n_of_group", "paren", "bare_paren", "in_paren", "r1_G", "r1_T",
     "right_to", "right_in", "l1_G", "r2_G"}
)  # fmt: skip


def _sums(counts: Sequence[Count]) -> set[int]:
    """Values that are the sum of two to four arm-like numbers that follow each other closely."""
    found = set()
    likely = [count for count in counts if not _ARM_LIKE.isdisjoint(count.features)]
    for start in range(len(likely) - 1):
        total = likely[start].value
        order = likely[start].sentence.order
        for count in likely[start + 1 : start + 4]:
            if count.sentence.order > order + 1:
                break
            total += count.value
            found.add(total)
    return found
