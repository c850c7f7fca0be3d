"""From text to tokens: words, quoted phrases, tags, operators, brackets, line references."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from warehouse.query.place import fault

LIMIT = 200_000  # characters; the longest published strategy at hand has 15,000

_QUOTES = '"“”„‟«»″＂'
_SIGNS = str.maketrans(
    dict.fromkeys(_QUOTES, '"') | {"‘": "'", "’": "'", "\u00a0": " ", "\u200b": " ", "\ufeff": " "}
)
_BREAKS = '()[]"|'
_SWALLOWED = re.compile(r"\[[^\]\n]{1,30}\]|\b(?:AND|OR|NOT)\b")


class Sort(StrEnum):
    """What a token is."""

    WORD = "word"
    PHRASE = "phrase"
    TAG = "tag"
    OPERATOR = "operator"
    OPEN = "("
    CLOSE = ")"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class Token:
    """``text`` without quotes, brackets or '#'; ``at`` and ``end`` are offsets in the query."""

    sort: Sort
    text: str
    at: int
    end: int


def tokens(query: str, start: int = 0, stop: int | None = None) -> list[Token]:
    """The tokens of ``query[start:stop]``, their offsets in the whole of ``query``.

    Raises ``QueryError`` marking the place of what cannot be read.
    """
    return list(_scan(query, query[:stop].translate(_SIGNS), start))


def check(query: str) -> None:
    """Refuse what no strategy holds: control characters, and more than ``LIMIT`` characters."""
    if len(query) > LIMIT:
        raise fault(
            query[:LIMIT], LIMIT, f"the query has {len(query):,} characters, more than {LIMIT:,}"
        )
    for at, sign in enumerate(query):
        if (
            (sign < " " and sign not in "\t\n\r\f\v")
            or sign == "\x7f"
            or "\ud800" <= sign <= "\udfff"
        ):
            raise fault(query, at, f"control character U+{ord(sign):04X} in the query: remove it")


def _scan(query: str, plain: str, at: int) -> Iterator[Token]:
    begin = at
    while at < len(plain):
        sign = plain[at]
        if sign.isspace():
            at += 1
            continue
        token = _token(query, plain, at, begin)
        yield token
        at = token.end


def _token(query: str, plain: str, at: int, begin: int) -> Token:
    sign = plain[at]
    if sign == "(":
        return Token(Sort.OPEN, sign, at, at + 1)
    if sign == ")":
        return Token(Sort.CLOSE, sign, at, at + 1)
    if sign == "|":
        end = at + 2 if plain[at : at + 2] == "||" else at + 1
        return Token(Sort.OPERATOR, "OR", at, end)
    if sign == '"':
        return _phrase(query, plain, at, begin)
    if sign == "[":
        return _tag(query, plain, at)
    if sign == "]":
        raise fault(query, at, "']' without '[' before it")
    return _word(plain, at)


def _phrase(query: str, plain: str, at: int, begin: int) -> Token:
    end = plain.find('"', at + 1)
    if end < 0:
        raise fault(
            query, _odd_quote(plain, begin), "a quotation mark is missing: this one has no partner"
        )
    text = query[at + 1 : end]
    if not text.strip():
        raise fault(query, at, "nothing stands between these quotation marks")
    return Token(Sort.PHRASE, text, at, end + 1)


def _odd_quote(plain: str, begin: int) -> int:
    """Where the pairing of quotation marks went wrong: the first pair that holds a tag or an
    operator between its marks, else the last mark."""
    marks = [m.start() for m in re.finditer('"', plain) if m.start() >= begin]
    for first, second in zip(marks[::2], marks[1::2], strict=False):
        if _SWALLOWED.search(plain, first + 1, second):
            return first
    return marks[-1]


def _tag(query: str, plain: str, at: int) -> Token:
    end = plain.find("]", at)
    if end < 0 or "[" in plain[at + 1 : end]:
        raise fault(query, at, "'[' without ']' after it")
    text = query[at + 1 : end]
    if not text.strip():
        raise fault(query, at, "no field tag stands between these brackets")
    return Token(Sort.TAG, text, at, end + 1)


def _word(plain: str, at: int) -> Token:
    end = at
    while end < len(plain) and not plain[end].isspace() and plain[end] not in _BREAKS:
        end += 1
    text = plain[at:end]
    if text in ("AND", "OR", "NOT", "&&"):
        return Token(Sort.OPERATOR, text.replace("&&", "AND"), at, end)
    if re.fullmatch(r"#\d{1,4}", text):
        return Token(Sort.LINE, text[1:], at, end)
    return Token(Sort.WORD, text, at, end)
