"""Wordings of a novelty scan: the core of a question with words for the new, and for reviews."""

import re
from dataclasses import dataclass

from warehouse.plain_words import plain_words

NEW_WORDS = ("new", "novel", "emerging", "first-in-human", "breakthrough")
REVIEW_WORDS = ("review", "meta-analysis", "guideline", "consensus")

# Words of a question that name nothing.
_IDLE = frozenset(
    [
        "a",
        "about",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "best",
        "by",
        "can",
        "compared",
        "current",
        "do",
        "does",
        "effect",
        "effective",
        "effects",
        "efficacy",
        "for",
        "from",
        "how",
        "in",
        "into",
        "is",
        "it",
        "its",
        "latest",
        "new",
        "newest",
        "novel",
        "of",
        "on",
        "or",
        "over",
        "recent",
        "role",
        "than",
        "that",
        "the",
        "their",
        "there",
        "these",
        "this",
        "to",
        "treatment",
        "use",
        "used",
        "using",
        "versus",
        "vs",
        "was",
        "were",
        "what",
        "when",
        "which",
        "who",
        "why",
        "will",
        "with",
    ]
)
_OPERATOR = re.compile(r"\b(?:AND|OR|NOT)\b|[()\"*?,.;:!]")
_KEPT = 3  # words of a re-worded question: the longest are the most specific


@dataclass(frozen=True)
class Wording:
    """One way to ask: as PubMed reads it, and as plain words."""

    name: str
    pubmed: str
    words: str


def core_words(query: str) -> str:
    """What ``query`` is about: its operands as they stand, a question without its idle words.

    >>> core_words("What is the efficacy of venetoclax in acute myeloid leukemia?")
    'venetoclax acute myeloid leukemia'
    """
    text = plain_words(query)
    if _OPERATOR.search(text.rstrip("?.! ")):
        return text.strip("?!. ")
    found = [word for word in text.strip("?!. ").split() if word.lower() not in _IDLE]
    return " ".join(found) or text.strip("?!. ")


def fewer_words(core: str) -> str:
    """``core`` re-worded: its longest words alone, without operators, in their order.

    >>> fewer_words("(venetoclax OR ABT-199) AND relapsed refractory leukemia")
    'venetoclax relapsed refractory'
    """
    words = list(dict.fromkeys(_OPERATOR.sub(" ", core).split()))
    longest = sorted(words, key=len, reverse=True)[:_KEPT]
    return " ".join(word for word in words if word in longest)


def wordings(core: str) -> tuple[Wording, Wording]:
    """The two groups of a scan for ``core``."""
    plain = " ".join(_OPERATOR.sub(" ", core).split())
    return (
        Wording("new", f"({core}) AND ({' OR '.join(NEW_WORDS)})", f"{plain} novel"),
        Wording("reviews", f"({core}) AND ({' OR '.join(REVIEW_WORDS)})", f"{plain} review"),
    )
