"""Which numbers cannot count people, by what stands beside them: doses, ages, years, scores."""

import re
from typing import TYPE_CHECKING

from etl.text.count_words import CLASS, words

if TYPE_CHECKING:
    from etl.text.candidates import Sentence

_NEVER_NEXT = words(
    """
    syndrome % / ° × – — + ± ‰ · th st nd rd - ‐ ‑ percent * ^ =
    """
)
_NEVER_BEFORE = words(
    """
    x / ± < > ≤ ≥ - – — ‐ ‑ # * × $ € £ ^ + @ . · ~ ≈
    """
)
_LABELLED = words(
    """
    age aged ages p day days week weeks month months year years grade grades stage stages
    type types phase phases version level levels dose doses table fig figure icd chapter vol
    volume no group groups cohort arm study trial step protocol score scores visit session
    sessions cycle cycles chromosome exon exons codon codons positions class category quartile tertile item items
    page pp hr rr or r f t z q ci sd vitamin interleukin ref zone region line lines factor
    least grading her model part tier cluster section article act code codes mutation
    mutations variant variants position residue accession icd polymorphism per than mean
    median range hour hours antigen antibody serotype strain
    """
)
_MONTHS = words(
    """
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    """
)
_DATED = _MONTHS | words(
    """
    in since from to between and until through during of early late mid by till (
    """
)


def noun_right_after(sentence: "Sentence", at: int) -> bool:
    """Whether a word for people is one of the next two."""
    return any("P" in letters for letters in sentence.classes[at + 1 : at + 3])


def may_count(sentence: "Sentence", at: int) -> bool:
    """Whether what stands on both sides allows a count of people."""
    tokens = sentence.tokens
    after = tokens[at + 1] if at + 1 < len(tokens) else "."
    before = tokens[at - 1] if at else ""
    if before == "(" and after == ")" and tokens[max(0, at - 2)] == "10":  # "10(12)/L"
        return False
    if after in _NEVER_NEXT:
        return after in "-‐‑" and _joined_people(sentence, at)
    if not _may_stand_before(sentence, at, before) or _measured(tokens, at, before, after):
        return False
    letters = sentence.classes[at + 1] if at + 1 < len(tokens) else ""
    if ("U" in letters and "P" not in letters) or after == "per":
        return False
    if not _DOSES.isdisjoint(tokens[at + 2 : at + 3]):  # "the 300 IR dose"
        return False
    if before == "=":  # "(n = 177, 61 % men)", "(n = 156; 145 women)"
        return True
    if after in (":", ";") and at + 2 in sentence.values:
        return False
    return not (after in ("to", "and", "or", ",") and _range_of_units(sentence, at))


def _joined_people(sentence: "Sentence", at: int) -> bool:
    """Whether people are joined to a number, and no age: "a 40-patient trial"."""
    after = sentence.tokens[at + 2 : at + 4]
    return after[:1] != [] and after[0] in _JOINED_PEOPLE and after[1:] not in _HYPHENS


_HYPHENS = (["-"], ["‐"], ["‑"])


def _measured(tokens: list[str], at: int, before: str, after: str) -> bool:
    """Whether an interval of decimals follows: "158 [153.8 to 159.3]" is a score."""
    if after not in "([" or before == "=" or at + 3 >= len(tokens):
        return False
    return _DECIMAL.fullmatch(tokens[at + 2]) is not None and tokens[at + 3] != "%"


_DOSES = frozenset({"dose", "doses"})
_DECIMAL = re.compile(r"\d+\.\d+")
_JOINED_PEOPLE = words("patient subject participant case person women patients")
_EQUALS = words("n ntotal total size patients participants")


def _may_stand_before(sentence: "Sentence", at: int, before: str) -> bool:
    """Whether the token before a number allows a count: "/" in "3/45", "=" in "n = 20"."""
    if before == "/":
        return at > 1 and 0 <= sentence.values.get(at - 2, 1 << 60) < sentence.values[at]
    if before == "=":
        return at > 1 and sentence.tokens[at - 2] in _EQUALS
    if before == "of" and at > 1 and sentence.tokens[at - 2] in _MEASURES:  # "a score of 11"
        return "P" in "".join(sentence.classes[at + 1 : at + 5])
    if before in (":", ";") and at - 2 in sentence.values:  # "1:1", "t(9;14)"
        return False
    if before in _OWN_STUDY and not _DEMONSTRATIVE.isdisjoint(sentence.tokens[max(0, at - 6) : at]):
        return noun_right_after(sentence, at)  # "in this equivalence trial 1,264 adults"
    if before in _NEVER_BEFORE or before in _LABELLED:
        return False
    if before == "to" and 0 < sentence.values.get(at - 2, 0) < sentence.values[at]:
        return False  # "groups of 6 to 10 people"
    return before not in _LIST_JOINTS or not _in_labelled_list(sentence, at)


_LIST_JOINTS = words(", and or")


def _in_labelled_list(sentence: "Sentence", at: int) -> bool:
    """Whether a list of labels ends at ``at``: "at codons 51, 59, and 108"."""
    tokens, values = sentence.tokens, sentence.values
    if noun_right_after(sentence, at):
        return False
    step = at - 1
    while step > 0 and (tokens[step] in _LIST_JOINTS or step in values):
        step -= 1
    return step < at - 2 and step + 1 in values and tokens[step] in _LISTED


_LISTED = words(
    """
    codons exons positions residues types grades stages chromosomes tables figures items classes
    regions categories levels
    """
)


_MEASURES = words(
    """
    score scores age ages dose doses mean median level levels duration period threshold cutoff
    volume length weight temperature bmi index interval
    """
)
_OWN_STUDY = words("trial study cohort")
_DEMONSTRATIVE = words("this our the present a")


def _range_of_units(sentence: "Sentence", at: int) -> bool:
    """Whether "18 to 65 years" or "3, 6 and 12 months" begins at ``at``."""
    tokens, values = sentence.tokens, sentence.values
    step = at + 1
    size = len(tokens)
    while step < size and (tokens[step] in ("to", "and", "or", ",") or step in values):
        step += 1
    if step >= size or step - 1 not in values:
        return False
    if tokens[step] in ("-", "%", "/", "per"):
        return True
    return "U" in sentence.classes[step] and "P" not in sentence.classes[step]


def dated(tokens: list[str], at: int, noun: str, distance: int) -> bool:
    """Whether a number between 1900 and 2035 is a year."""
    before = tokens[at - 1] if at else ""
    if before in _MONTHS:
        return True
    if noun == "P" and distance <= 2 and before not in ("in", "since", "until"):
        return before == "and" and at > 2 and tokens[at - 3] in ("between", "from")
    if before == "=":
        return False
    if noun == "P" and "E" in CLASS.get(before, "") + CLASS.get(
        tokens[at - 2] if at > 1 else "", ""
    ):
        return before in _DATED
    return before in _DATED or noun != "P" or distance > 3


def in_span_of_years(sentence: "Sentence", at: int) -> bool:
    """Whether "from 1950 to 1989" begins or ends at ``at``, or "since 1830,"."""
    tokens, values = sentence.tokens, sentence.values
    before = tokens[at - 1] if at else ""
    after = tokens[at + 1] if at + 1 < len(tokens) else "."
    if before == "to" and 1900 <= values.get(at - 2, 0) < values[at]:
        return True
    if before == "since":
        return after == ","
    if before in _SPAN_STARTS:
        return after in _SPAN_JOINTS and 1700 <= values.get(at + 2, 0) <= 2035
    if before in _SPAN_JOINTS and at > 2 and tokens[at - 3] in _SPAN_STARTS:
        return 1700 <= values.get(at - 2, 0) < values[at]
    return False


_SPAN_STARTS = words("from between during since")
_SPAN_JOINTS = words("to and until through till")
