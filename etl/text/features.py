"""What stands around a number, as named features; one list a candidate."""

from collections.abc import Sequence

from etl.text.candidates import Count, Sentence
from etl.text.count_words import CLASS, words

_STOPS = frozenset(";.")


_TOTALS = words("total sample sum population cohort series size trial study group")
_DETERMINERS = words("the these those our")


def describe(count: Count) -> None:
    """Fill ``count.features`` and ``count.form`` with what its own sentence says."""
    add = count.features.append
    sentence, at = count.sentence, count.at
    tokens = sentence.tokens
    add("noun_" + (count.noun or "none"))
    if count.noun == "P":
        add("near_noun" if count.distance <= 2 else "far_noun")
        if "K" in sentence.classes[at + count.distance]:
            add("noun_cases" if tokens[at + count.distance].startswith("case") else "noun_K")
    before = tokens[at - 1] if at else "^"
    _form(count, before, tokens[at - 2] if at > 1 else "^")
    _after(count, tokens[at + 1] if at + 1 < len(tokens) else ".")
    if before == "of" and at > 1:
        _whole(count)
    elif before == "the" and tokens[max(0, at - 2) : at - 1] == ["of"]:
        _share_of(count)
    if not count.noun and count.form == "other" and _unknown_plural(tokens, at):
        add("unknown_plural")
    _right_side(count)
    _left_side(count)


def _form(count: Count, before: str, two: str) -> None:
    """How the number is written, by the two tokens before it."""
    sentence = count.sentence
    if before == "=" or (two == "n" and before in (":", ",", "was", "of")):
        count.form = "n"
        count.features.append("n_capital" if sentence.capital_n else "n_small")
        _before_n(count)
    elif count.noun == "F":
        count.form = "whole"
    elif before == "(" or _inside_parens(sentence.tokens, count.at):
        count.form = "paren"
        bare = sentence.tokens[count.at + 1 : count.at + 2] == [")"]
        count.features.append("in_paren" if before != "(" else "bare_paren" if bare else "paren")
    else:
        _introduced(count, before, two)


def _introduced(count: Count, before: str, two: str) -> None:
    """Words that lead to a number in running text: "a total of", "the", a beginning."""
    add = count.features.append
    if before == "of":
        if two in _TOTALS:
            add("total_of")
        elif two == "out":
            add("out_of")
        else:
            add("first_of" if two in ("^", ":") or count.at == 1 else "of")
        if two == "number":
            add("number_of")
    elif before == "^":
        add("first")
    elif before in _DETERMINERS:
        add("det_the")
    elif before == "all":
        add("det_all")


def _after(count: Count, after: str) -> None:
    """What follows a number: a part of something, a percentage, "to"."""
    tokens, at = count.sentence.tokens, count.at
    if after == "(" and "%" in tokens[at + 2 : at + 6]:
        if "of" in tokens[at + 2 : at + 8]:
            count.features.append("part_of")
        if "%" in tokens[at + 2 : at + 5]:
            count.features.append("percent_after")
    elif after == "of":
        count.features.append("part_of")
    elif after == "to":
        count.features.append("right_to")
    if "part_of" in count.features and _part_taken(count):
        count.features.append("part_taken")


def _unknown_plural(tokens: Sequence[str], at: int) -> bool:
    """Whether what is counted is a plural that stands in none of the lists: "20 sentences"."""
    for token in tokens[at + 1 : at + 3]:
        if token == "professional":
            continue
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
        if _taken(sentence, at):
            count.features.append("whole_taken")
        count.features.append("whole_X" if "X" in near else "whole_R" if "R" in near else "whole")


def _share_of(count: Count) -> None:
    """Mark the whole that a part came from: "460 women (40% of the 1146 randomised patients)"."""
    tokens, at = count.sentence.tokens, count.at
    if "%" in tokens[max(0, at - 4) : at] and "(" in tokens[max(0, at - 6) : at - 2]:
        count.features.append("share_of")


def _part_taken(count: Count) -> bool:
    sentence = count.sentence
    whole = next((step for step in sorted(sentence.values) if step > count.at + 1
                  and sentence.tokens[step - 1] == "of"), None)  # fmt: skip
    return whole is not None and whole - count.at < 9 and _taken(sentence, whole)


def _taken(sentence: Sentence, at: int) -> bool:
    """Whether a part of the whole came in: "68 (62%) of 109 patients were recruited"."""
    tokens, classes = sentence.tokens, sentence.classes
    for step in range(at + 1, min(at + 9, len(tokens) - 1)):
        if tokens[step] in _BREAK or step in sentence.values or tokens[step] in ("who", "that"):
            return False
        if tokens[step] == "were":
            return not {"R", "E"}.isdisjoint(classes[step + 1])
    return False


_BREAK = frozenset(",;.:()[]")


def _before_n(count: Count) -> None:
    """The noun before ``(n = 20)``, within a few words."""
    tokens, classes = count.sentence.tokens, count.sentence.classes
    if _animals_were(count.sentence, count.at):
        count.features += ["n_of_animals", "noun_M"]
        return
    for step in range(count.at - 3, max(-1, count.at - 12), -1):
        if step in count.sentence.values:
            break
        if "M" in classes[step]:
            count.features.append("n_of_animals")
            return
        if step == count.at - 4 and "O" in classes[step] and tokens[step][-1] in "si":
            count.features.append("n_of_things")
            return
        if "G" in classes[step]:
            count.features.append("n_of_group")
            return
        if "P" in classes[step]:
            count.features.append("n_of_people")
            return


def _animals_were(sentence: Sentence, at: int) -> bool:
    """Whether animals are what the sentence is about: "pigs were assigned to (1) tea (n = 3)"."""
    tokens = sentence.tokens
    if "were" not in tokens[1:at] or "M" not in sentence.letters:
        return False
    verb = tokens.index("were", 1)
    return "M" in sentence.classes[verb - 1] and "P" not in "".join(sentence.classes[verb:at])


def _inside_parens(tokens: Sequence[str], at: int) -> bool:
    for step in range(at - 1, max(-1, at - 10), -1):
        if tokens[step] == ")":
            return False
        if tokens[step] == "(":
            return True
    return False


def _right_side(count: Count) -> None:
    """Verbs and cue words after the number, up to the next number."""
    add = count.features.append
    sentence, at = count.sentence, count.at
    tokens, classes, values = sentence.tokens, sentence.classes, sentence.values
    seen = ""
    for step in range(at + 1, min(at + 15, len(tokens))):
        if tokens[step] in _STOPS:
            break
        if step in values and step > at + 1:
            if not seen:
                add("r_number")
            break
        for letter in classes[step]:
            if letter in "REAXCVGTFQ" and letter not in seen:
                seen += letter
                add(("r1_" if step - at <= 4 else "r2_") + letter)
    for word in tokens[at + 1 : at + 3]:
        if word in _RIGHT:
            add("right_" + word)


def _left_side(count: Count) -> None:
    """Verbs and cue words before the number, back to the number before."""
    add = count.features.append
    sentence, at = count.sentence, count.at
    tokens, classes, values = sentence.tokens, sentence.classes, sentence.values
    seen = ""
    for step in range(at - 1, max(-1, at - 9), -1):
        if tokens[step] in _STOPS or step in values:
            break
        for letter in classes[step]:
            if letter in "REAXCVGTFQS" and letter not in seen:
                seen += letter
                add(("l1_" if at - step <= 3 else "l2_") + letter)
    for word in tokens[max(0, at - 2) : at]:
        if word in _LEFT:
            add("left_" + word)


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
