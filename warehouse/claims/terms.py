"""The words of a claim that a search can use, Chinese ones in English where they are known."""

from etl.store.index_text import words as fold_words
from warehouse.query.chinese import in_english
from warehouse.query.mapping import STOP_WORDS

_LITTLE = frozenset(
    [
        "patients",
        "patient",
        "risk",
        "rate",
        "people",
        "group",
        "treatment",
        "with",
        "alone",
        "adults",
    ]
)


def content_words(text: str) -> list[str]:
    """Folded words of ``text`` without stop words and words that every paper holds."""
    english, _ = in_english(text)
    found = [word for word in fold_words(english) if word not in STOP_WORDS]
    return [word for word in found if word not in _LITTLE] or found
