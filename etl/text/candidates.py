"""Numbers that may be a sample size, each with what stands around it.

A candidate is a whole number in a sentence that speaks of people (``numbered``). What cannot be
a count of people (doses, ages, years, ranges, percentages, p values) is left out here; the rest
is described by named features and weighed in ``ranking``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from etl.text.count_words import CLASS, words
from etl.text.numbers import pointed_value
from etl.text.sentences import Span

_NOUNS = ("P", "M", "O", "H", "D")
_BREAKS = frozenset(",;:()[].")
_NEVER_NEXT = words(
    """
    % / ° × – — + ± ‰ · th st nd rd - ‐ ‑ percent * ^ =
    """
)
_NEVER_BEFORE = words(
    """
    / ± < > ≤ ≥ - – — ‐ ‑ # * × $ € £ ^ + @ . · ~ ≈
    """
)
_LABELLED = words(
    """
    age aged ages p day days week weeks month months year years grade grades stage stages
    type types phase phases version level levels dose doses table fig figure icd chapter vol
    volume no group groups cohort arm study trial step protocol score scores visit session
    sessions cycle cycles chromosome exon codon class category quartile tertile item items
    page pp hr rr or r f t z q ci sd vitamin interleukin ref zone region line lines factor
    least grading her model part tier cluster section article act code codes mutation
    mutations variant variants position residue accession icd polymorphism per than mean
    median range hour hours
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
_SCALE_WORDS = frozenset({"hundred", "thousand", "million"})


@dataclass(slots=True)
class Sentence:
    """One sentence that may hold a count: tokens, classes and values by token index."""

    span: Span
    order: int
    kind: str
    tokens: list[str]
    classes: list[str]
    values: dict[int, int]
    capital_n: bool
    letters: str = ""
    counts: list["Count"] = field(default_factory=list)


@dataclass(slots=True)
class Count:
    """One number that may count people: where it stands and what it counts."""

    value: int
    sentence: Sentence
    at: int
    noun: str
    distance: int
    features: list[str] = field(default_factory=list)
    score: float = 0.0
    arm: float = 0.0
    form: str = "other"


def counts(sentence: Sentence) -> list[Count]:
    """Numbers of the sentence that may count people, in order; kept in ``sentence.counts``."""
    sentence.counts = list(_counts(sentence))
    return sentence.counts


def _counts(sentence: Sentence) -> Iterator[Count]:
    values = sentence.values
    tokens = sentence.tokens
    for at in _places(sentence):
        value, token = values[at], tokens[at]
        if value < 2 or (token[0] == "0") or not _may_count(sentence, at):
            continue
        if at and tokens[at - 1] == "/":
            yield Count(value, sentence, at, "F", 0)
            continue
        if at and tokens[at - 1][0].isdigit() and token in _SCALE_WORDS:
            continue
        things = tokens[at + 1 : at + 3] == ["data", "points"] or _part_of_things(sentence, at)
        noun, distance = ("O", 1) if things else _noun(sentence, at)
        if (noun == "" and _names_a_thing(tokens, at)) or _staff_at_work(sentence, at, distance):
            continue
        if noun == "P" and "W" in "".join(sentence.classes[at + distance : at + distance + 2]):
            value *= 2  # people, not pairs
        if noun == "P" and _and_as_many_controls(sentence, at):
            value *= 2
        if 1900 <= value <= 2035 and "," not in token and _dated(tokens, at, noun, distance):
            continue
        if 1700 <= value <= 2035 and "," not in token and _in_span_of_years(sentence, at):
            continue
        yield Count(value, sentence, at, noun, distance)


def _and_as_many_controls(sentence: Sentence, at: int) -> bool:
    """Whether controls in the same number are added: "90 cases and an equal number of controls"."""
    tokens = sentence.tokens
    if "equal" not in tokens:
        return False
    place = tokens.index("equal")
    if tokens[place - 2 : place + 3] != ["and", "an", "equal", "number", "of"] or place < at:
        return False
    if any(at < step < place and "P" in sentence.classes[step + 1] for step in sentence.values):
        return False  # another count of people stands nearer
    return "controls" in tokens[place : place + 20]


def _names_a_thing(tokens: list[str], at: int) -> bool:
    """Whether a number without a noun is a limit or a model: "up to 40", "the XR 700".

    After a word such as "devices" it is a model too.
    """
    if tokens[max(0, at - 2) : at] == ["up", "to"]:
        return True
    if not _DEVICES.isdisjoint(tokens[max(0, at - 4) : at]) and tokens[at - 1 : at] != ["="]:
        return True
    word = tokens[at - 1] if at else ""
    if not 2 <= len(word) <= 4 or not word.isalpha() or word in CLASS:
        return False
    return word not in _NO_MODELS and _VOWELS.isdisjoint(word)


_VOWELS = frozenset("aeiouy")
_NO_MODELS = words("vs mr dr st")
_DEVICES = words("device devices scanner scanners analyzer analyser analyzers software keratometer")


def _staff_at_work(sentence: Sentence, at: int, distance: int) -> bool:
    """Whether those who treat or judge are counted: "by 1 of 5 surgeons"."""
    tokens = sentence.tokens
    if distance == 0 or distance > 4 or tokens[at + distance] not in _STAFF:
        return False
    before = tokens[max(0, at - 3) : at]
    if before[-2:] in (["1", "of"], ["one", "of"]):
        before = tokens[max(0, at - 3) : at - 2]
    return before[-1:] == ["by"]


_STAFF = words(
    """
    surgeons physicians doctors nurses radiologists dentists clinicians therapists oncologists
    psychologists pharmacists midwives practitioners professionals
    """
)


def _places(sentence: Sentence) -> list[int]:
    """Token indexes of whole numbers, those grouped by points as in German among them."""
    for at, token in enumerate(sentence.tokens):
        if "." in token and len(token) > 4 and _noun_right_after(sentence, at):
            value = pointed_value(token)
            if value is not None:
                sentence.values[at] = value
    return sorted(sentence.values)


def _noun_right_after(sentence: Sentence, at: int) -> bool:
    return any("P" in letters for letters in sentence.classes[at + 1 : at + 3])


def _may_count(sentence: Sentence, at: int) -> bool:
    """Whether what stands on both sides allows a count of people."""
    tokens = sentence.tokens
    after = tokens[at + 1] if at + 1 < len(tokens) else "."
    before = tokens[at - 1] if at else ""
    if after in _NEVER_NEXT:
        return after in "-‐‑" and at + 2 < len(tokens) and tokens[at + 2] in _JOINED_PEOPLE
    if not _may_stand_before(sentence, at, before) or _measured(tokens, at, before, after):
        return False
    letters = sentence.classes[at + 1] if at + 1 < len(tokens) else ""
    if ("U" in letters and "P" not in letters) or after == "per":
        return False
    if not _DOSES.isdisjoint(tokens[at + 2 : at + 3]):  # "the 300 IR dose"
        return False
    if after in (":", ";") and at + 2 in sentence.values:
        return False
    return not (after in ("to", "and", "or", ",") and _range_of_units(sentence, at))


def _measured(tokens: list[str], at: int, before: str, after: str) -> bool:
    """Whether an interval of decimals follows: "158 [153.8 to 159.3]" is a score."""
    if after not in "([" or before == "=" or at + 3 >= len(tokens):
        return False
    return _DECIMAL.fullmatch(tokens[at + 2]) is not None and tokens[at + 3] != "%"


_DOSES = frozenset({"dose", "doses"})
_DECIMAL = re.compile(r"\d+\.\d+")
_JOINED_PEOPLE = words("patient subject participant case person women patients")
_EQUALS = words("n ntotal total size patients participants")


def _may_stand_before(sentence: Sentence, at: int, before: str) -> bool:
    """Whether the token before a number allows a count: "/" in "3/45", "=" in "n = 20"."""
    if before == "/":
        return at > 1 and 0 <= sentence.values.get(at - 2, 1 << 60) < sentence.values[at]
    if before == "=":
        return at > 1 and sentence.tokens[at - 2] in _EQUALS
    if before in (":", ";") and at - 2 in sentence.values:  # "1:1", "t(9;14)"
        return False
    if before in _OWN_STUDY and not _DEMONSTRATIVE.isdisjoint(sentence.tokens[max(0, at - 6) : at]):
        return _noun_right_after(sentence, at)  # "in this equivalence trial 1,264 adults"
    return before not in _NEVER_BEFORE and before not in _LABELLED


_OWN_STUDY = words("trial study cohort")
_DEMONSTRATIVE = words("this our the present")


def _range_of_units(sentence: Sentence, at: int) -> bool:
    """Whether "18 to 65 years" or "3, 6 and 12 months" begins at ``at``."""
    tokens, values = sentence.tokens, sentence.values
    step = at + 1
    size = len(tokens)
    while step < size and (tokens[step] in ("to", "and", "or", ",") or step in values):
        step += 1
    if step >= size or step - 1 not in values:
        return False
    if tokens[step] in ("-", "%", "/"):
        return True
    return "U" in sentence.classes[step] and "P" not in sentence.classes[step]


def _dated(tokens: list[str], at: int, noun: str, distance: int) -> bool:
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


def _in_span_of_years(sentence: Sentence, at: int) -> bool:
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


def _animals_follow(sentence: Sentence, at: int) -> bool:
    """Whether the noun at ``at`` only describes animals: "male Wistar rats"."""
    for step in range(at + 1, min(at + 5, len(sentence.tokens))):
        letters = sentence.classes[step]
        if "M" in letters:
            return True
        if sentence.tokens[step] in _BREAKS or sentence.tokens[step] in _LINKS or "V" in letters:
            return False
    return False


_LINKS = frozenset({"with", "of", "in", "who", "were", "was", "from", "and", "to", "for", "had"})


_DESCRIBING = words("donor recipient")  # one specimen of a patient stands for the patient
_ONE_PERSON = words("person patient subject woman child participant")


def _no_people(sentence: Sentence, at: int, step: int) -> bool:
    """Whether a word for people only describes: "case control", "300 IR also ... patient care"."""
    word = sentence.tokens[step]
    if word == "family" or (word == "case" and sentence.tokens[step + 1 : step + 2] == ["control"]):
        return True
    if word in _DESCRIBING and "O" in "".join(sentence.classes[step + 1 : step + 2]):
        return sentence.tokens[step + 1].endswith("s")  # "90 donor cycles"
    return word in _ONE_PERSON and step - at > 3 and not _person_time(sentence, step)


def _person_time(sentence: Sentence, step: int) -> bool:
    """Whether person-years and the like are counted, not persons."""
    after = sentence.tokens[step + 1 : step + 3]
    if after[:1] == ["-"]:
        return after[1:] != [] and "U" in sentence.classes[step + 2]
    return after[:1] != [] and "U" in sentence.classes[step + 1]


def _taken_in(sentence: Sentence, at: int, step: int) -> bool:
    """Whether the words beside a count speak of randomising or enrolling."""
    near = sentence.classes[max(0, at - 3) : at] + sentence.classes[step + 1 : step + 4]
    return not {"R", "E"}.isdisjoint("".join(near))


_PEOPLES = words(
    """
    americans africans europeans asians hispanics latinos latinas blacks whites caucasians indians
    mexicans canadians australians germans italians swedes danes finns norwegians dutchmen spaniards
    koreans greeks turks poles russians brazilians nigerians ghanaians kenyans ugandans ethiopians
    israelis iranians egyptians pakistanis greenlanders icelanders maoris aborigines
    """
)


def _part_of_things(sentence: Sentence, at: int) -> bool:
    """Whether a part of things, not people, is counted: "48 (58.7%) of the total visits"."""
    tokens = sentence.tokens
    if tokens[at + 1 : at + 2] != ["("] or "%" not in tokens[at + 2 : at + 5]:
        return False
    end = next((step for step in range(at + 3, min(at + 6, len(tokens))) if tokens[step] == ")"), 0)
    if not end or tokens[end + 1 : end + 2] != ["of"]:
        return False
    for step in range(end + 2, min(end + 6, len(tokens))):
        if "P" in sentence.classes[step] or step in sentence.values:
            return False
        if "O" in sentence.classes[step] and tokens[step].endswith("s"):
            return True
    return False


def _noun(sentence: Sentence, at: int) -> tuple[str, int]:
    """Class letter of what the number counts (P, M, O, H, D or '') and its distance in tokens."""
    tokens, classes = sentence.tokens, sentence.classes
    commas = 0
    for step in range(at + 1, min(at + 10, len(tokens))):
        word = tokens[step]
        if word in _BREAKS:
            if word != "," or commas or step == at + 1:
                break
            commas += 1
            continue
        if step in sentence.values and step > at + 1:
            break
        letters = classes[step]
        if word in _PEOPLES and step - at <= 4 and _taken_in(sentence, at, step):
            return "P", step - at
        if "P" in letters and not _no_people(sentence, at, step):
            if word in _ONE_PERSON and _person_time(sentence, step):
                return "O", step - at
            return ("M" if "M" in letters or _animals_follow(sentence, step) else "P"), step - at
        if "V" in letters and step == at + 1:
            return "V", 1
        for letter in "MHOD":
            if letter in letters and (word.endswith("s") or letter == "M") and word != "sites":
                return letter, step - at
        if word in ("were", "was", "had", "are", "have", "who", "with", "in", "for", "and", "to"):
            break
    return "", 0
