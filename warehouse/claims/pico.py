"""PICO of a claim by rules, for English and mixed Chinese-English sentences.

The rules read comparisons and effects as people write them in one sentence. A part that no rule
finds is None: it is not guessed.
"""

import re
import unicodedata
from dataclasses import dataclass, replace

BETTER, WORSE, SAME = "better", "worse", "same"


@dataclass(frozen=True, slots=True)
class Pico:
    """Population, intervention, comparator, outcome as the claim words them.

    ``relation`` is what the claim says of I beside C: better, worse, same, or None when it says
    nothing that the rules know. ``effect`` is the claimed change of O (down, up) or None.
    """

    population: str | None = None
    intervention: str | None = None
    comparator: str | None = None
    outcome: str | None = None
    relation: str | None = None
    effect: str | None = None

    def letters(self) -> dict[str, str | None]:
        """The keys P, I, C, O of the answer."""
        return {
            "P": self.population,
            "I": self.intervention,
            "C": self.comparator,
            "O": self.outcome,
        }


_DOWN = (
    r"reduc(?:es?|ed|ing)|lower(?:s|ed|ing)?|decreas(?:es?|ed|ing)|prevent(?:s|ed|ing)?"
    r"|cut(?:s|ting)?"
)
_UP = r"improv(?:es?|ed|ing)|increas(?:es?|ed|ing)|prolong(?:s|ed|ing)?|rais(?:es?|ed|ing)|extend(?:s|ed|ing)?"
_END = (
    r"(?=\s+(?:in|for|among|at|during|when|by|after|with respect to|regarding"
    r"|compared|versus|vs\.?|than|as)\b|\s*[,;]|\s*$)"
)
_SAME_EN = r"non-?inferior to|not inferior to|as effective as|equivalent to|similar to|no better than|not superior to|not (?:more effective|better) than"
_WORSE_EN = r"inferior to|less effective(?: \w+ing [^,]+?)? than|worse than"
_BETTER_EN = (
    r"superior to|(?:more effective|more efficacious|better|safer)(?:\s+[^,]{0,80}?)?\s+than"
)
_RELATIONS_EN = (
    (re.compile(rf"\b(?:{_SAME_EN})\s+", re.I), SAME),
    (re.compile(rf"\b(?:{_WORSE_EN})\s+", re.I), WORSE),
    (re.compile(rf"\b(?:{_BETTER_EN})\s+", re.I), BETTER),
    (re.compile(r"\b(?:outperforms?|outperformed)\s+", re.I), BETTER),
)
_COMPARED_EN = re.compile(
    rf"\b(?:(?:as )?compared (?:with|to)|versus|vs\.?|over|instead of|rather than|than)\s+(?P<c>.+?){_END}",
    re.I,
)
_AFTER_EN = re.compile(rf"(?P<c>.+?){_END}", re.I)
_EFFECT_EN = re.compile(rf"\b(?:(?P<down>{_DOWN})|(?P<up>{_UP}))\s+(?P<o>.+?){_END}", re.I)
_NOUN_EN = re.compile(
    rf"\b(?:prevention|prophylaxis|reduction) (?:of|against|in)\s+(?P<o>.+?){_END}"
    r"|\bfor (?P<o2>[^,;]+?) (?:prevention|prophylaxis)\b",
    re.I,
)
_PEOPLE_EN = re.compile(
    r"\b(?:in|among|for)\s+(?P<p>(?:[\w-]+\s+){0,4}?(?:patients|adults|children|infants|women|men"
    r"|people|adolescents|participants|individuals|smokers)\b[^,;]*?)"
    r"(?=\s+(?:compared|versus|vs|than)\b|\s*[,;]|\s*$)",
    re.I,
)
_TREATED_EN = re.compile(
    r"\b(?:(?:in|for) (?:the )?treatment of|treat(?:s|ing)?|management of)\s+(?P<p>.+?)" + _END,
    re.I,
)
_IN_EN = re.compile(
    r"\b(?:in|for|among)\s+(?P<p>[^,;]+?)(?=\s+(?:compared|versus|vs|than)\b|\s*[,;]|\s*$)", re.I
)
# "in preventing", "for stroke prevention" say what for, not in whom
_PURPOSE_EN = re.compile(
    r"^(?:the )?(?:prevent|reduc|prophyla|lower|treat|improv)|(?:prevention|prophylaxis)$", re.I
)
_SUBJECT_EN = re.compile(
    rf"^(?P<i>.+?)\s+(?:(?:does|do|did|can|could|may|might|will|would|has|have|significantly|not|also)\s+)*"
    rf"(?:is|are|was|were|{_DOWN}|{_UP}|treats?|outperform(?:s|ed)?|versus|vs\.?|compared|for|in)\b",
    re.I,
)  # fmt: skip
_NOT_EN = re.compile(
    r"\b(?:does|do|did|is|are|was|were|has|have|can|will) not\b|\bno (?:effect|difference|benefit)\b",
    re.I,
)

_HAN = re.compile(r"[\u3400-\u9fff]")
_STOP_ZH = r"(?=\s*(?:更|要|能|可|显著|明显|具有|有|的|为|,|。|;|;|,|$|预防|治疗|降低|减少|改善|提高|延长|增加|相比|在))"
_RELATIONS_ZH = (
    (re.compile(rf"(?:不劣于|非劣于|不优于|不比|相当于|等效于)\s*(?P<c>.+?){_STOP_ZH}"), SAME),
    (re.compile(rf"(?:不如|劣于|差于)\s*(?P<c>.+?){_STOP_ZH}"), WORSE),
    (re.compile(rf"(?:优于|好于|胜过|强于)\s*(?P<c>.+?){_STOP_ZH}"), BETTER),
    (re.compile(r"(?:比|较)\s*(?P<c>.+?)\s*(?:更|要)?(?:有效|好|安全|优|佳)"), BETTER),
)
_COMPARED_ZH = re.compile(
    r"(?:与|和|跟|同|相比于|相较于|较之|比|较)\s*(?P<c>[^,,。]+?)\s*(?:相比|比较|,|,|能|可|更|显著|明显|降低|减少|改善|提高|延长|增加)"
)
_EFFECT_ZH = re.compile(
    r"(?:(?P<down>预防|防止|降低|减少|减轻)|(?P<up>改善|提高|延长|增加))\s*(?:了)?\s*"
    r"(?P<o>.+?)(?=\s*(?:比|较|优于|不劣于|非劣于|劣于|不如|方面|上|的?(?:疗效|效果)|,|。|,|;|$))"
)
_TREATED_ZH = re.compile(
    r"治疗\s*(?P<p>.+?)(?=\s*(?:比|较|优于|不劣于|非劣于|劣于|不如|方面|时|的?(?:疗效|效果)|,|。|,|;|可|能|显著|$))"
)
_PEOPLE_ZH = re.compile(r"(?:在|对于|对|针对)\s*(?P<p>[^,,。]+?)\s*(?:中|里|,|,|时)")
_GROUP_ZH = re.compile(r"(?P<p>[^,,。的在对与比]*?(?:患者|人群|病人))")
_OWNED_ZH = re.compile(r"(?P<p>.+?(?:患者|人群|病人))(?:中)?的?(?P<o>.+)")
_SUBJECT_ZH = re.compile(
    r"^(?P<i>.+?)\s*(?:用于|可以|可|能够|能|在|对|预防|防止|治疗|降低|减少|减轻|改善|提高|延长|增加|比|较|优于|不劣于|非劣于|劣于|不如|与|和|显著|明显|不)"
)


def pico(claim: str) -> Pico:
    """The PICO of ``claim``."""
    plain = unicodedata.normalize("NFKC", claim)  # full-width commas and letters as ASCII
    text = " ".join(plain.split()).strip(" .。?!")
    return _chinese(text) if _HAN.search(text) else _english(text)


def _english(text: str) -> Pico:
    found = Pico()
    lead = re.match(r"(?:in|among|for)\s+(?P<p>[^,]+),\s*(?P<rest>.+)", text, re.I)
    if lead:
        found, text = replace(found, population=lead["p"]), lead["rest"]
    comparator, relation = _comparison_en(text)
    effect = _EFFECT_EN.search(text) or None
    noun = _NOUN_EN.search(text)
    outcome = effect["o"] if effect else (noun["o"] or noun["o2"]) if noun else None
    change = None if not effect else "down" if effect["down"] else "up"
    if relation is None and effect and not _NOT_EN.search(text):
        relation = _of_effect(change)
    elif relation is None and _NOT_EN.search(text):
        relation = SAME
    subject = _SUBJECT_EN.match(text)
    return replace(
        found,
        population=found.population or _population_en(text),
        intervention=_clean(subject["i"]) if subject else None,
        comparator=_clean(comparator),
        outcome=_clean(outcome),
        relation=relation,
        effect=change,
    )


def _of_effect(change: str | None) -> str | None:
    """An effect without a stated comparison is a claim that I is better, as far as it goes."""
    return BETTER if change else None


def _comparison_en(text: str) -> tuple[str | None, str | None]:
    for pattern, relation in _RELATIONS_EN:
        found = pattern.search(text)
        if found:
            after = _AFTER_EN.match(text[found.end() :])
            return (after["c"] if after else None), relation
    compared = _COMPARED_EN.search(text)
    return (compared["c"] if compared else None), None


def _population_en(text: str) -> str | None:
    starts = [word.start() for word in re.finditer(r"\b\w", text)]
    for pattern in (_PEOPLE_EN, _TREATED_EN, _IN_EN):
        for start in starts:  # each word: "in preventing IFI in neutropenia" holds two of them
            found = pattern.match(text, start)
            if found and not _PURPOSE_EN.search(found["p"]):
                return _clean(found["p"])
    return None


def _chinese(text: str) -> Pico:
    comparator, relation = _comparison_zh(text)
    effect = _EFFECT_ZH.search(text)
    change = None if not effect else "down" if effect["down"] else "up"
    outcome = effect["o"] if effect else None
    owned = _OWNED_ZH.match(outcome or "")
    people = owned or _PEOPLE_ZH.search(text) or _TREATED_ZH.search(text) or _GROUP_ZH.search(text)
    subject = _SUBJECT_ZH.match(_without_lead_zh(text))
    if relation is None and effect and not re.search(r"不(?:能|会|可)|未|没有", text):
        relation = _of_effect(change)
    return Pico(
        population=_clean(people["p"]) if people else None,
        intervention=_clean(subject["i"]) if subject else None,
        comparator=_clean(comparator),
        outcome=_clean(owned["o"] if owned else outcome),
        relation=relation,
        effect=change,
    )


def _without_lead_zh(text: str) -> str:
    """``text`` without the population or the comparison that it may begin with."""
    lead = re.match(
        r"(?:在|对于|对|针对|与|和|相比于|较之)[^,,]*(?:中|里|相比|时)?\s*[,,]\s*", text
    )
    if lead:
        return text[lead.end() :]
    lead = re.match(r"(?:在|对于|对|针对)[^,,]*?(?:患者|人群|病人)\s*(?:中|里)?\s*", text)
    return text[lead.end() :] if lead else text


def _comparison_zh(text: str) -> tuple[str | None, str | None]:
    for pattern, relation in _RELATIONS_ZH:
        found = pattern.search(text)
        if found:
            return found["c"], relation
    compared = _COMPARED_ZH.search(text)
    return (compared["c"] if compared else None), None


_EDGES = " ,;:。的"


def _clean(part: str | None) -> str | None:
    if part is None:
        return None
    text = re.sub(r"^(?:the|a|an|that)\s+", "", part.strip(_EDGES), flags=re.I)
    return text or None
