"""Whole numbers in medical prose: digits, grouped digits and number words, as tokens.

A sentence becomes a list of lower-case tokens. A number that may be a count becomes ONE
token whose value stands beside it, however it was written: ``1,234``, ``13 388``, ``1234``,
``one hundred and twenty-four``. Decimals, versions and the like keep their text and get no value.
"""

import re

# A word may hold digits (il-6 is two words and a sign, p53 one word); numbers keep their marks.
_TOKEN = re.compile(r"[^\W\d_]\w*(?:'[a-z]+)?|\d+(?:[.,·]\d+)*[^\W\d_]*|[^\w\s]")
# The same for ASCII in lower case, where it is half as fast again.
_ASCII_TOKEN = re.compile(r"[a-z]\w*(?:'[a-z]+)?|\d+(?:[.,]\d+)*[a-z]*|[^\w\s\x1c-\x1f]", re.ASCII)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+\Z")
_POINTED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+\Z")

_ONES = {
    word: value
    for value, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
         "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
         "eighteen", "nineteen"),
        start=1,
    )
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
WORDS = frozenset(_ONES) | frozenset(_TENS) | frozenset(_SCALES)

# Substrings of every number word from ten up, for a quick look before anything dear.
WORD_MARKS = (
    "nty", "rty", "fty", "xty", "ghty", "nety", "undred", "teen", "welve", "leven", " ten ",
    "housand",
)  # fmt: skip


def words_value(words: list[str]) -> int | None:
    """Value of a run of number words, ``and`` and hyphens left out; None when it is no number.

    "two thousand three" is 2003; "twenty thirty" is None.
    """
    total = 0
    group = 0
    last = 1 << 40  # the smallest scale used so far in this group of three
    for word in words:
        if word in _SCALES:
            scale = _SCALES[word]
            if scale == 100:
                group = (group or 1) * 100
                last = 100
            else:
                total += (group or 1) * scale
                group, last = 0, 1 << 40
            continue
        value = _ONES.get(word) or _TENS[word]
        if last <= 10 or (last < 100 and value >= 10):
            return None
        group += value
        last = 10 if value < 20 else 20
    return total + group


def _digits_value(token: str) -> int | None:
    if token.isdigit():
        return int(token) if len(token) < 9 else None
    if _GROUPED.match(token):
        return int(token.replace(",", ""))
    return None


def pointed_value(token: str) -> int | None:
    """Value of digits grouped by points as in German (``1.234``), else None."""
    return int(token.replace(".", "")) if _POINTED.match(token) else None


def _merge_words(tokens: list[str], at: int) -> tuple[int | None, int]:
    """Value of the number words from ``at`` on and the index after them."""
    words = [tokens[at]]
    end = at + 1
    size = len(tokens)
    while end < size:
        word = tokens[end]
        if word in WORDS:
            words.append(word)
            end += 1
        elif word in ("-", "and", "‐", "‑") and end + 1 < size and tokens[end + 1] in WORDS:
            if word == "and" and words[-1] not in _SCALES:
                break
            end += 1
        else:
            break
    return words_value(words), end


def _merge_spaced(tokens: list[str], at: int) -> tuple[int | None, int]:
    """Digits grouped by blanks (``13 388``) from ``at`` on: value and the index after them."""
    text = tokens[at]
    end = at + 1
    while end < len(tokens) and len(tokens[end]) == 3 and tokens[end].isdigit():
        text += tokens[end]
        end += 1
    return (_digits_value(text), end) if end > at + 1 else (_digits_value(tokens[at]), at + 1)


def tokenize(sentence: str) -> tuple[list[str], dict[int, int]]:
    """Lower-case tokens of a sentence and the value of those that are whole numbers.

    ``sentence`` must be lower case already. The mapping goes from token index to value, in
    order; digits grouped by points have the value None left out: see ``pointed_value``.
    """
    plain = sentence.isascii()
    raw = (_ASCII_TOKEN if plain else _TOKEN).findall(sentence)
    numeric = [at for at, token in enumerate(raw) if "0" <= token < ":"]
    apart = plain and not _neighbours(numeric)  # no need to look for blanks inside numbers
    if WORDS.isdisjoint(raw) and (apart or _SPACED.search(sentence) is None):
        values = {}
        for at in numeric:
            value = _digits_value(raw[at])
            if value is not None:
                values[at] = value
        return raw, values
    return _merged(raw)


def _neighbours(places: list[int]) -> bool:
    """Whether two places follow each other."""
    last = -2
    for at in places:
        if at == last + 1:
            return True
        last = at
    return False


# Digits that a blank may join to the digits before it: "13 388".
_SPACED = re.compile(r"\d\s\d\d\d(?!\d)")


def _merged(raw: list[str]) -> tuple[list[str], dict[int, int]]:
    """The same where several tokens make one number."""
    tokens: list[str] = []
    values: dict[int, int] = {}
    at = 0
    size = len(raw)
    while at < size:
        token = raw[at]
        value = None
        after = at + 1
        if "0" <= token[0] <= "9":
            if after < size and len(raw[after]) == 3 and len(token) < 4 and token[0] != "0":
                value, after = _merge_spaced(raw, at)
            else:
                value = _digits_value(token)
        elif token in WORDS:
            value, after = _merge_words(raw, at)
        if value is not None:
            values[len(tokens)] = value
        tokens.append(token)
        at = after
    return tokens, values
