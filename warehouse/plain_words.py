"""A PubMed query as words that other services understand: no tags, no dates, no line numbers."""

import re

_TAG = re.compile(r"\[[^\]]*\]")
# operands that mean nothing elsewhere: dates, languages, types, subsets, filters
_ONLY_HERE = re.compile(
    r"(?:\"[^\"]*\"\s*:?\s*)*(?:(?<![a-z0-9])(?!(?:AND|OR|NOT)\b)[^()\"\[\]\s]+\s*)*"
    r"\[(?:dp|pdat|edat|crdt|mhda|lr|dcom|date[^\]]*|la|lang[^\]]*|sb|subset|filter|pt|ptyp"
    r"|publication type|year|grade|is|ta|journal|pmid|uid)(?::[^\]]*)?\]",
    re.IGNORECASE,
)
_SPAN = re.compile(r"\[[^\]]*\]\s*:\s*")
_DANGLING = re.compile(r"\(\s*\)|^\s*(?:AND|OR)\b|\b(?:AND|OR|NOT)\s*$|\(\s*(?:AND|OR)\b")
_DOUBLE = re.compile(r"\b(AND|OR|NOT)\s+(?:AND|OR)\b|\b(?:AND|OR|NOT)\s*(?=\))")


def plain_words(query: str) -> str:
    """``query`` with words, phrases, brackets and operators only.

    >>> plain_words('asthma[mh] AND (budesonide[tiab] OR "inhaled steroids") AND 2020:2025[dp]')
    'asthma AND (budesonide OR "inhaled steroids")'
    """
    text = _TAG.sub(" ", _ONLY_HERE.sub(" ", _SPAN.sub(" : ", query)))
    before = None
    while text != before:
        before = text
        text = _DANGLING.sub(
            lambda m: "(" if m[0].startswith("(") and ")" not in m[0] else " ", text
        )
        text = _DOUBLE.sub(lambda m: f"{m[1]} " if m[1] else " ", text)
        text = " ".join(text.split())
    return re.sub(r"\s+\)", ")", re.sub(r"\(\s+", "(", text))
