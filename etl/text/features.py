"""What stands around a number, as named features; one list a candidate."""

from collections.abc import Sequence

from etl.text.candidates import Count
from etl.text.count_words import CLASS, words

_VERBS = "REAXCVGTFQ"
_STOPS = frozenset(";.")
_CLAUSE_ENDS = frozenset(";.,")


def describe(count: Count) -> None:
    """Fill ``count.features`` with what its own sentence says."""
    add = count.features.append
    sentence, at = count.sentence, count.at
    tokens = sentence.tokens
    before = tokens[at - 1] if at else "^"
    two = tokens[at - 2] if at > 1 else "^"
    after = tokens[at + 1] if at + 1 < len(tokens) else "."
    add("noun_" + (count.noun or "none"))
    if count.noun == "P":
        add("near_noun" if count.distance <= 2 else "far_noun")
        letters = sentence.classes[at + count.distance]
        if "K" in letters:
            add("noun_cases" if tokens[at + count.distance].startswith("case") else "noun_K")
    if (
        before == "="
        or (before in (":", ",") and two == "n")
        or (before in ("was", "of") and two == "n")
    ):
        add("n_capital" if sentence.capital_n else "n_small")
        count.form = "n"
        _before_n(count)
    elif count.noun == "F":
        count.form = "whole"
    elif before == "(":
        count.form = "paren"
        add("bare_paren" if after == ")" else "paren")
    elif _inside_parens(tokens, at):
        count.form = "paren"
        add("in_paren")
    elif before == "of":
        add(
            "total_of"
            if two
            in (
                "total",
                "sample",
                "sum",
                "population",
                "cohort",
                "series",
                "size",
                "trial",
                "study",
                "group",
            )
            else ("out_of" if two == "out" else ("first_of" if two == "^" or at == 1 else "of"))
        )
        if two == "number":
            add("number_of")
    elif before == "^":
        add("first")
    elif before in ("the", "these", "those", "all", "our"):
        add("det_" + ("the" if before != "all" else "all"))
    if after == "of" or (
        after == "(" and "of" in tokens[at + 2 : at + 8] and "%" in tokens[at + 2 : at + 6]
    ):
        add("part_of")
    if after == "(" and "%" in tokens[at + 2 : at + 5]:
        add("percent_after")
    if after == "to":
        add("right_to")
    if before == "of" and at > 1:
        _whole(count)
    if not count.noun and count.form == "other" and _unknown_plural(tokens, at):
        add("unknown_plural")
    _nearby(count)


def _unknown_plural(tokens: Sequence[str], at: int) -> bool:
    """Whether what is counted is a plural that stands in none of the lists: "20 sentences"."""
    for token in tokens[at + 1 : at + 3]:
        if token in CLASS or not token.isalpha():
            return False
        if len(token) > 4 and token.endswith("s") and not token.endswith(("ss", "us", "is", "ous")):
            return True
    return False


def _whole(count: Count) -> None:
    """Tell the whole from the part in "31 of 322 eligible" and "of 121 screened, 112 were ..."."""
    sentence, at = count.sentence, count.at
    part = next(
        (step for step in range(at - 2, max(-1, at - 9), -1) if step in sentence.values), None
    )
    near = "".join(sentence.classes[at + 1 : at + 7])
    if part is not None:
        count.form = "whole"
        count.features.append("whole_X" if "X" in near else "whole_R" if "R" in near else "whole")


def _before_n(count: Count) -> None:
    """The noun before ``(n = 20)``, within a few words."""
    classes = count.sentence.classes
    for step in range(count.at - 3, max(-1, count.at - 12), -1):
        if step in count.sentence.values:
            break
        if "M" in classes[step]:
            count.features.append("n_of_animals")
            return
        if "G" in classes[step]:
            count.features.append("n_of_group")
            return
        if "P" in classes[step]:
            count.features.append("n_of_people")
            return


def _inside_parens(tokens: Sequence[str], at: int) -> bool:
    for step in range(at - 1, max(-1, at - 10), -1):
        if tokens[step] == ")":
            return False
        if tokens[step] == "(":
            return True
    return False


def _nearby(count: Count) -> None:
    """Nearest verbs and cue words on both sides."""
    add = count.features.append
    sentence, at = count.sentence, count.at
    tokens, classes, values = sentence.tokens, sentence.classes, sentence.values
    seen = ""
    for step in range(at + 1, min(at + 15, len(tokens))):
        if tokens[step] in _STOPS:
            break
        if step in values and step > at + 1:
            seen or add("r_number")
            break
        for letter in classes[step]:
            if letter in _VERBS and letter not in seen:
                seen += letter
                add(("r1_" if step - at <= 4 else "r2_") + letter)
    seen = ""
    for step in range(at - 1, max(-1, at - 9), -1):
        if tokens[step] in _STOPS:
            break
        if step in values:
            break
        for letter in classes[step]:
            if letter in "REAXCVGTFQS" and letter not in seen:
                seen += letter
                add(("l1_" if at - step <= 3 else "l2_") + letter)
    for word in tokens[max(0, at - 2) : at]:
        if word in _LEFT:
            add("left_" + word)
    for word in tokens[at + 1 : at + 3]:
        if word in _RIGHT:
            add("right_" + word)


_RANDOMISED = frozenset({"r1_R"})
_SAYS_RANDOMISED = frozenset({"r1_R", "r2_R", "l1_R", "l2_R"})
_LEFT = words(
    """
    than over approximately about nearly additional further other another remaining first
    and or with healthy only where which up
    """
)
_RIGHT = words(
    """
    each consecutive other additional more healthy randomly were had of patients controls in
    received experienced completed
    """
)


def place(counts: Sequence[Count], sentences: int, title: frozenset[int]) -> None:
    """Add what the whole text says: order, size, repeats, sums."""
    values = [count.value for count in counts]
    for count in counts:
        _screening(count)
    people = [
        count.value
        for count in counts
        if (count.noun == "P" or count.form == "n" or not count.noun)
        and _SCREENED.isdisjoint(count.features)
    ]
    top = max(people, default=0)
    sums = _sums(counts)
    first = True
    randomised = {
        id(count.sentence)
        for count in counts
        if "r1_R" in count.features and count.noun in ("P", "")
    }
    for count in counts:
        if randomised and not _SAYS_RANDOMISED & set(count.features):
            count.features.append(
                "other_randomised_here" if id(count.sentence) in randomised else "other_randomised"
            )
        if "part_of" in count.features and "X" in count.sentence.letters:
            count.features.append("part_of_X")
        if "first_of" in count.features and len(count.sentence.counts) > 1:
            count.features.append("of_then_more")
        add = count.features.append
        value = count.value
        if value == top:
            add("largest")
        elif value * 2 < top:
            add("under_half")
        if first and count.noun == "P":
            add("first_people")
            first = False
        if value in title:
            add("in_title")
        if values.count(value) > 1:
            add("repeated")
        if value in sums:
            add("is_sum" if count.noun == "P" or count.form == "n" else "is_sum_bare")
        if value < 10:
            add("below_10")
        elif value < 20:
            add("below_20")
        elif value >= 100_000:
            add("huge")
        where = count.sentence.order / max(1, sentences - 1)
        add(
            "at_"
            + (
                "0"
                if where < 0.15
                else "1"
                if where < 0.35
                else "2"
                if where < 0.55
                else "3"
                if where < 0.8
                else "4"
            )
        )
        if count.sentence.kind:
            add("in_" + count.sentence.kind)
        letters = count.sentence.letters
        for letter in "RFDX":
            if letter in letters:
                add("s_" + letter)


_SCREENED = frozenset({"whole_X", "screened", "of_then_randomised", "cited"})
_SCREENING = frozenset(
    {"screened", "approached", "invited", "contacted", "eligibility", "referred"}
)


def _screening(count: Count) -> None:
    """Mark those who were only asked or looked at: "of 512 screened, 240 were randomised"."""
    tokens, at = count.sentence.tokens, count.at
    near = tokens[at + 1 : at + 8]
    stop = next((step for step, token in enumerate(near) if token in _CLAUSE_ENDS), 8)
    if not _SCREENING.isdisjoint(near[:stop]) or (at and tokens[at - 1] in _SCREENING):
        count.features.append("screened")
    opening = not {"first_of", "out_of"}.isdisjoint(count.features) or (
        at and tokens[at - 1] == "among"
    )
    if opening and {"r1_E", "r1_R"}.isdisjoint(count.features):
        _of_then_randomised(count)
    if "Q" in count.sentence.letters and _is_cited(tokens, at):
        count.features.append("cited")
    if "annually" in near or ("per" in near and "year" in near):
        count.features.append("per_year")
    if "been" in tokens[at + 1 : at + 12] and not _REPORTED.isdisjoint(tokens[at + 1 : at + 12]):
        count.features.append("been_reported")
    if not _STUDIES.isdisjoint(tokens[max(0, at - 8) : at]):
        count.features.append("after_studies")


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
    {"n_small", "n_capital", "n_of_group", "paren", "bare_paren", "in_paren", "r1_G", "r1_T", "right_to",
     "right_in", "l1_G", "r2_G"}
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
