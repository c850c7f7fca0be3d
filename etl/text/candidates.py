"""Numbers that may be a sample size, each with what stands around it.

A candidate is a whole number in a sentence that speaks of people (``numbered``). What cannot be
a count of people (doses, ages, years, ranges, percentages, p values) is left out here; the rest
is described by named features and weighed in ``ranking``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from etl.text import beside
from etl.text.beside import dated, in_span_of_years, noun_right_after
from etl.text.count_words import CLASS, words
from etl.text.numbers import pointed_value
from etl.text.sentences import Span

_NOUNS = ("P", "M", "O", "H", "D")
_BREAKS = frozenset(",;:()[].")
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
    said: str = ""  # as printed
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
        if value < 2 or (token[0] == "0") or not beside.may_count(sentence, at):
            continue
        if at and tokens[at - 1] == "/":
            yield Count(value, sentence, at, "F", 0)
            continue
        if at and tokens[at - 1][0].isdigit() and token in _SCALE_WORDS:
            continue
        things = tokens[at + 1 : at + 3] == ["data", "points"] or _part_of_things(sentence, at)
        noun, distance = ("O", 1) if things else _noun(sentence, at)
        if (noun == "" and _names_a_thing(sentence, at)) or _staff_at_work(sentence, at, distance):
            continue
        if value <= 5 and tokens[at - 1] in ("to", "with") and "matched" in tokens[:at]:
            continue  # controls of each case
        if noun == "P":
            value *= _people_each(sentence, at, distance)
        if 1900 <= value <= 2035 and "," not in token and dated(tokens, at, noun, distance):
            continue
        if 1700 <= value <= 2035 and "," not in token and in_span_of_years(sentence, at):
            continue
        if 1700 <= value < 1900 and noun == "" and tokens[at - 1] == ",":
            continue  # "Paykull, 1805"
        yield Count(value, sentence, at, noun, distance)


def _people_each(sentence: Sentence, at: int, distance: int) -> int:
    """How many people one of those counted stands for: two of a pair, a case and its controls."""
    found = 1
    word = at + distance
    if "W" in "".join(sentence.classes[word : word + 2]):
        alone = sentence.tokens[word] == "couples" and not _TREATED_AS_ONE.isdisjoint(
            sentence.tokens
        )
        found = 1 if alone else 2
    if _and_as_many_controls(sentence, at):
        found *= 2
    return found * (1 + _controls_each(sentence, at))


# Couples in reproductive medicine are one patient each.
_TREATED_AS_ONE = words(
    """
    ivf icsi iui insemination embryo embryos oocyte oocytes infertile subfertile infertility
    fertilization fertilisation conception
    """
)
_FEW = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5} | {str(n): n for n in range(1, 6)}


def _controls_each(sentence: Sentence, at: int) -> int:
    """Controls of each case: "80 cases were each matched to 2 controls"; 0 when not said."""
    tokens = sentence.tokens
    if "each" not in tokens or "matched" not in tokens or "controls" not in tokens:
        return 0
    place = tokens.index("matched")
    controls = tokens.index("controls")
    if not at < place < controls or "each" not in tokens[max(at, place - 4) : place]:
        return 0
    if any(at < step < place and not 1900 <= n <= 2035 for step, n in sentence.values.items()):
        return 0
    return next((_FEW[token] for token in tokens[controls - 3 : controls] if token in _FEW), 0)


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


def _names_a_thing(sentence: Sentence, at: int) -> bool:
    """Whether a number without a noun is a limit or a name: "up to 40", "XR 700", "EGA 761".

    After a word such as "devices" it is a model too.
    """
    tokens = sentence.tokens
    if tokens[max(0, at - 2) : at] == ["up", "to"] or tokens[at - 1 : at] in _SERIES:
        return True
    if not _DEVICES.isdisjoint(tokens[max(0, at - 4) : at]) and tokens[at - 1 : at] != ["="]:
        return True
    word = tokens[at - 1] if at else ""
    if not 2 <= len(word) <= 6 or not word.isalpha() or word in CLASS:
        return False
    if word not in _NO_MODELS and len(word) < 5 and _VOWELS.isdisjoint(word):
        return True
    return word not in _SMALL_WORDS and f"{word.upper()} {tokens[at]}" in sentence.said


_SERIES = (["trials"], ["studies"], ["protocols"])  # "trials 9906 and 0233"
_VOWELS = frozenset("aeiouy")
_NO_MODELS = words("vs mr dr st")
_SMALL_WORDS = words("in of and or the all for was were had with to by at on from a an")
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
        if "." in token and len(token) > 4 and noun_right_after(sentence, at):
            value = pointed_value(token)
            if value is not None:
                sentence.values[at] = value
    return sorted(sentence.values)


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


_HYPHENS = (["-"], ["‐"], ["‑"], ["–"])
# Second halves of words whose first half is a person: "four case-control studies".
_MADE_WITH = words(
    """
    control crossover cohort series derived reported centered centred specific related controlled
    oriented based rated completed administered
    """
)
_OTHER_CASES = words("court legal experimental test use simulated extreme special")
_PLURALS = words("vertebrae teeth feet")
_DESCRIBING = words("donor recipient")  # one specimen of a patient stands for the patient
_ONE_PERSON = words("person patient subject woman child participant")


def _only_describes(sentence: Sentence, step: int) -> bool:
    """Whether a word for a person goes before what is counted: "44 professional societies"."""
    word, after = sentence.tokens[step], sentence.tokens[step + 1 : step + 2]
    if word not in _ADJECTIVES or not after or not after[0].isalpha() or len(after[0]) < 5:
        return False
    return after[0].endswith("s") and not sentence.classes[step + 1]


_ADJECTIVES = words("professional patient resident member user client student donor recipient")


def _of_a_species(sentence: Sentence, at: int) -> bool:
    """Whether what follows "individuals of" is no part of the people: "of crab plovers"."""
    near = sentence.tokens[at : at + 5]
    return _PEOPLE_OF.isdisjoint(near) and "P" not in "".join(sentence.classes[at : at + 5])


_PEOPLE_OF = words(
    """
    the any all both either this these our european asian african descent ancestry origin age
    ethnicity white black chinese japanese same different average normal unknown sex
    """
)


def _no_people(sentence: Sentence, at: int, step: int) -> bool:
    """Whether a word for people only describes: "case control", "300 IR also ... patient care"."""
    word, after = sentence.tokens[step], sentence.tokens[step + 1 : step + 3]
    if word == "individuals" and after[:1] == ["of"] and _of_a_species(sentence, step + 2):
        return True
    if word == "family" or (word == "case" and after[:1] == ["control"]):
        return True
    if after[:1] in _HYPHENS and not _MADE_WITH.isdisjoint(after):
        return True
    if _only_describes(sentence, step):
        return True
    if word == "control" and sentence.tokens[step - 1] in ("-", "‐", "‑", "–", "case"):
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


def _no_patient(sentence: Sentence, step: int) -> bool:
    """Whether it is time or a case of another kind: "40 patient - years", "88 court cases"."""
    word = sentence.tokens[step]
    if word in ("case", "cases"):
        return sentence.tokens[step - 1] in _OTHER_CASES
    return word in _ONE_PERSON and _person_time(sentence, step)


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
            if _no_patient(sentence, step):
                return "O", step - at
            return ("M" if "M" in letters or _animals_follow(sentence, step) else "P"), step - at
        if "V" in letters and step == at + 1:
            return "V", 1
        for letter in "MHOD":
            if (
                letter in letters
                and (word.endswith("s") or letter == "M" or word in _PLURALS)
                and word != "sites"
            ):
                return letter, step - at
        if word in _NOUN_ENDS and tokens[step - 1] not in _HYPHEN_MARKS:
            break  # "age- and sex-matched controls" goes on
    return "", 0


_NOUN_ENDS = words("were was had are have who with in for and to")
_HYPHEN_MARKS = words("- ‐ ‑")
