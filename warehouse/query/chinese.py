"""Chinese words in a query or claim: in English where the vocabulary knows them, said where not.

The vocabulary is ``chinese.toml``: a Chinese word and its English ones, ``|`` between those that
say the same. The longest known word at each place is taken.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from warehouse.query.context import Context

_HAN = re.compile(r"(?:[0-9](?=型))?[\u3400-\u9fff]+")
_LONGEST = 10
# Words of grammar, and of comparison: nothing that a record could be found by.
_GRAMMAR = re.compile(
    r"显著|明显|患者|人群|病人|更有效|有效|相比|比较|优于|不劣于|非劣于|劣于|不如|降低|减少|减轻|改善|提高|延长"
    r"|增加|防止|能够|可以|是否|能否|什么|哪些|如何|影响|作用|方面|更好|更安全"
    r"|更|比|较|在|中|对|与|和|或|的|了|可|能|时|用于|好|不|于|吗|呢|及|会|有"
)


@dataclass(frozen=True)
class Piece:
    """A stretch of text: ``english`` holds what a known Chinese word means, ``unknown`` says that
    it is a Chinese word that nobody here knows; a stretch without Chinese has neither."""

    text: str
    english: tuple[str, ...] = ()
    unknown: bool = False


def is_chinese(text: str) -> bool:
    """Whether there is a Chinese sign in ``text``."""
    return not text.isascii() and _HAN.search(text) is not None


def pieces(text: str) -> list[Piece]:
    """``text`` in order, words of Chinese grammar left out."""
    found: list[Piece] = []
    place = 0
    for run in _HAN.finditer(text):
        found += _plain(text[place : run.start()])
        found += _words(run[0])
        place = run.end()
    return found + _plain(text[place:])


def in_english(text: str) -> tuple[str, list[str]]:
    """``text`` with known Chinese words in English, and the Chinese words that are not known."""
    found = pieces(text)
    said = [" ".join(one.english) or ("" if one.unknown else one.text) for one in found]
    unknown = [one.text for one in found if one.unknown]
    return " ".join(" ".join(said).split()), list(dict.fromkeys(unknown))


def tell(found: list[Piece], context: Context) -> None:
    """Tell the user what ``found`` was read as, and what is not known."""
    for one in found:
        if one.english:
            context.mapped.append((one.text, " | ".join(one.english)))
            context.note(f'{one.text} was read as "{" | ".join(one.english)}"')
    unknown = dict.fromkeys(one.text for one in found if one.unknown)
    if unknown:
        context.note(
            f"Chinese words that are not known here are searched as written: {', '.join(unknown)}"
        )


def _plain(text: str) -> list[Piece]:
    return [Piece(text)] if text.strip() else []


def _words(run: str) -> list[Piece]:
    known = _known()
    found: list[Piece] = []
    rest = ""
    place = 0
    while place < len(run):
        lengths = range(min(_LONGEST, len(run) - place), 0, -1)
        word = next((w for n in lengths if (w := run[place : place + n]) in known), None)
        if word is None:
            rest += run[place]
            place += 1
            continue
        found += [*_rest(rest), Piece(word, known[word])]
        rest = ""
        place += len(word)
    return found + _rest(rest)


def _rest(text: str) -> list[Piece]:
    return [Piece(word, unknown=True) for word in _GRAMMAR.split(text) if word]


@cache
def _known() -> dict[str, tuple[str, ...]]:
    text = files("warehouse.query").joinpath("chinese.toml").read_text(encoding="utf-8")
    listed = tomllib.loads(text)["words"]
    return {word: tuple(one.strip() for one in said.split("|")) for word, said in listed.items()}
