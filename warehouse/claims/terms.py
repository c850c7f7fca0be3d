"""The words of a claim that a search can use, Chinese ones in English where they are known."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from etl.store.index_text import words as fold_words
from warehouse.query.mapping import STOP_WORDS

_HAN = re.compile(r"[\u3400-\u9fff]+")
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


def in_english(text: str) -> tuple[str, list[str]]:
    """``text`` with known Chinese words in English, and the Chinese words that are not known.

    The longest known word at each place is taken.
    """
    unknown: list[str] = []

    def translated(found: re.Match[str]) -> str:
        return f" {_translated(found[0], unknown)} "

    return " ".join(_HAN.sub(translated, text).split()), unknown


def _translated(run: str, unknown: list[str]) -> str:
    known = _known()
    said: list[str] = []
    rest = ""
    place = 0
    while place < len(run):
        word = next((w for n in range(8, 0, -1) if (w := run[place : place + n]) in known), None)
        if word is None:
            rest += run[place]
            place += 1
            continue
        _leave(rest, unknown)
        rest = ""
        said.append(known[word])
        place += len(word)
    _leave(rest, unknown)
    return " ".join(said)


# Words of grammar, and of comparison that the rules of pico.py have read already.
_GRAMMAR = re.compile(
    r"显著|明显|患者|人群|病人|更有效|有效|相比|比较|优于|不劣于|非劣于|劣于|不如|降低|减少|减轻|改善|提高|延长"
    r"|增加|防止|能够|可以|方面|更|比|较|在|中|对|与|和|的|了|可|能|时|用于|更好|更安全|好|不|于"
)


def _leave(rest: str, unknown: list[str]) -> None:
    unknown += [word for word in _GRAMMAR.split(rest) if word and word not in unknown]


@cache
def _known() -> dict[str, str]:
    text = files("warehouse.claims").joinpath("chinese.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(text)["words"])
