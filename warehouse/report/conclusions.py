"""The sentence in which an abstract says its conclusion, word for word."""

import re
from collections.abc import Mapping
from typing import Any

LONGEST = 400  # characters of a quoted sentence; a longer one is cut at a word and marked
_LABEL = re.compile(
    r"(?:^|(?<=[.?!]\s)|(?<=\n))(?:AUTHORS?[’']?S? )?"
    r"(?:CONCLUSIONS?|INTERPRETATION|Conclusions?|Interpretation)"
    r"(?:[ /&][A-Za-z ]{0,40})?:\s+"
)
_NEXT_LABEL = re.compile(r"(?<=[.?!])\s+[A-Z][A-Z /&()-]{3,60}:\s")
_SAYS = re.compile(
    r"\b(?:in conclusion|in summary|we conclude|we concluded|it is concluded|to conclude"
    r"|these (?:data|findings|results) (?:show|suggest|indicate|support|demonstrate))\b",
    re.IGNORECASE,
)
# a full stop ends a sentence when a capital, digit or bracket follows and no abbreviation is before
_END = re.compile(r"(?<!\bvs)(?<!\bet al)(?<!\be\.g)(?<!\bi\.e)(?<!\bNo)[.?!]\s+(?=[A-Z(\d“\"])")


def conclusion(record: Mapping[str, Any]) -> str | None:
    """First sentence of the conclusion section, else the last sentence that says it concludes.

    None when the abstract has neither: then nothing is quoted.
    """
    found = conclusion_sentences(record)
    return _cut(found[0]) if found else None


def conclusion_sentences(record: Mapping[str, Any]) -> list[str]:
    """All sentences of the conclusion section, else the one that says it concludes; else none."""
    for section in record.get("abstract_sections") or []:
        label = f"{section.get('category') or ''} {section.get('label') or ''}".lower()
        if ("conclusion" in label or "interpretation" in label) and section.get("text"):
            return sentences(" ".join(str(section["text"]).split()))
    text = " ".join(str(record.get("abstract") or "").split())
    found = _LABEL.search(text)
    if found:
        rest = _NEXT_LABEL.split(text[found.end() :])[0]
        return sentences(rest) if rest else []
    return [sentence for sentence in sentences(text) if _SAYS.search(sentence)][-1:]


def sentences(text: str) -> list[str]:
    """``text`` by sentence; one item when it has no end."""
    parts: list[str] = []
    start = 0
    for end in _END.finditer(text):
        parts.append(text[start : end.start() + 1].strip())
        start = end.end()
    return [part for part in [*parts, text[start:].strip()] if part] or [text]


def _cut(sentence: str) -> str | None:
    text = " ".join(sentence.split())
    if len(text) <= LONGEST:
        return text or None
    return text[:LONGEST].rsplit(" ", 1)[0] + " […]"
