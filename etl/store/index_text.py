"""How words become index terms: the tokenizer, and the same folding for what users type.

Words are runs of letters and digits, lower case, accents folded; hyphens, apostrophes and all
other punctuation part them ("alzheimer's" is alzheimer s), as PubMed does. No stemming: what
matches is what is written. Greek letters are written out, each Han sign is a word. Only the field
that plain questions are ranked by keeps English stems of these words ("inhibitors": inhibitor).
``sql/index/macros.sql`` folds stored rows in the same way; a test holds the two together.
"""

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

WORDS = "words"  # names under which every index registers the tokenizers
STEMS = "stems"

_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
    "sigma sigma tau upsilon phi chi psi omega"
)
_SMALL = "αβγδεζηθικλμνξοπρςστυφχψω"
_GREEK = dict(zip(map(ord, _SMALL), _NAMES.split(), strict=True))
_GREEK |= {ord(chr(letter).upper()): name for letter, name in _GREEK.items()}
_GREEK[ord("µ")] = "mu"
_HAN = re.compile(
    r"([\u2e80-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])"
)
_NOT_WORD = re.compile(r"[\W_]+")


@cache
def analyzer(name: str = WORDS) -> "TextAnalyzer":
    """The tokenizer ``WORDS`` or ``STEMS``."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    simple = TextAnalyzerBuilder(Tokenizer.simple())
    folded = simple.filter(Filter.lowercase()).filter(Filter.ascii_fold())
    return (folded if name == WORDS else folded.filter(Filter.stemmer("english"))).build()


def spell(text: str) -> str:
    """``text`` as the tokenizer gets it: composed letters, Greek written out, Han signs apart."""
    if text.isascii():
        return text
    return _HAN.sub(r" \1 ", unicodedata.normalize("NFC", text).translate(_GREEK))


def words(text: str) -> list[str]:
    """The index terms of ``text`` in order; empty when it holds no letter or digit."""
    return list(analyzer().analyze(spell(text)))


def stems(found: list[str]) -> list[str]:
    """The English stems of the words ``found``, one each."""
    return [analyzer(STEMS).analyze(word)[0] for word in found]


def fold(name: str) -> str:
    """A whole name (heading, author, journal) as one index term; "&" is read as "and"."""
    apart = unicodedata.normalize("NFD", name.replace("&", " and "))
    bare = "".join(sign for sign in apart if unicodedata.category(sign) != "Mn")
    return _NOT_WORD.sub(" ", bare.lower()).strip()
