"""A sparse linear model over cues and words, scored by dictionary look-ups.

The model file holds one line a feature: its name and one weight a column, tab-separated, gzip.
Kinds of feature, by prefix: ``c:`` a design cue, ``s:`` a signal, ``l:`` length and form,
``t:`` a word of the title, ``w:`` a word anywhere, ``z:`` a word of the closing sentence, which
weighs for ``rct_any`` alone. Columns are the classes, then ``rct_any`` (a randomised trial, whatever else).
``preference`` is added to the scores before a class is chosen: it favours rare ones over "none". The file is made by benchmarks/train_design.py.
"""

import gzip
import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from operator import add

from etl.text.cues import Words

Weights = tuple[float, ...]
CUE_VALUE = 2.0  # a cue counts as much as two words; the model was trained so
# Weight of the odds of the class beside rct_any; of 0, 0.15, 0.25 and 0.5 the best out of fold.
RCT_CLASS = 0.25

# The weights of a feature for all columns lie in one integer, _BITS a column, in thousandths:
# one addition a feature instead of one a column, five times as fast as tuples.
_BITS = 32
_HALF, _MASK = 1 << (_BITS - 1), (1 << _BITS) - 1


def pack(weights: Iterable[float]) -> int:
    """One integer that holds ``weights``; packed integers add up column by column."""
    return sum(round(w * 1000) << (_BITS * place) for place, w in enumerate(weights))


@cache
def _lift(columns: int) -> int:
    """What makes every column of a packed integer positive."""
    return sum(_HALF << (_BITS * place) for place in range(columns))


def unpack(total: int, columns: int) -> list[float]:
    """The sums of each column."""
    lifted = (total + _lift(columns)).to_bytes(_BITS // 8 * columns, "little")
    return [(one - _HALF) / 1000 for one in struct.unpack(f"<{columns}I", lifted)]


@dataclass(frozen=True, slots=True)
class Model:
    """Packed weights by kind of feature; ``columns`` name their places."""

    columns: tuple[str, ...]
    bias: int
    preference: Weights
    temperature: float
    rct_slope: float
    rct_offset: float
    marks: Mapping[str, int]
    title: Mapping[str, int]
    anywhere: Mapping[str, int]
    closing: Mapping[str, int]  # thousandths: their sum is the same in any order

    def score(self, words: Words, marks: Iterable[str]) -> list[float]:
        """One sum of weights a column."""
        known = self.marks
        total = self.bias + sum([known[mark] for mark in marks if mark in known])
        total += sum(filter(None, map(self.title.get, words.title_vocabulary)))
        total += sum(filter(None, map(self.anywhere.get, words.vocabulary)))
        scores = unpack(total, len(self.columns))
        scores[-1] += sum(filter(None, map(self.closing.get, {*words.closing_words()}))) / 1000
        return scores

    def loudest(self, marks: Iterable[str], column: str) -> str | None:
        """The cue, signal or form that weighs most for a column; None when none is positive."""
        shift, lift = _BITS * self.columns.index(column), _lift(len(self.columns))
        best, name = _HALF, None
        for mark in marks:
            weight = ((self.marks.get(mark, 0) + lift) >> shift) & _MASK
            if weight > best:
                best, name = weight, mark
        return name

    def probabilities(self, scores: Sequence[float]) -> dict[str, float]:
        """Calibrated probability of each class; the last column of ``scores`` is not one."""
        preferred = list(map(add, scores[:-1], self.preference))
        top, heat = max(preferred), self.temperature
        raw = [math.exp((s - top) / heat) for s in preferred]
        total = sum(raw)
        return {name: r / total for name, r in zip(self.columns, raw, strict=False)}

    def rct_probability(self, scores: Sequence[float]) -> float:
        """Calibrated probability that the record reports a randomised trial with people.

        Two views add up: ``rct_any``, and the odds of the class against all other classes. What
        is left for an animal study is taken off.
        """
        top = max(scores[:-1])
        raw = [math.exp(s - top) for s in scores[:-1]]
        total, rct = sum(raw), raw[self.columns.index("rct")]
        odds = scores[self.columns.index("rct")] - top - math.log(max(total - rct, 1e-12))
        score = scores[-1] + RCT_CLASS * odds
        people = 1 - raw[self.columns.index("animal")] / total
        return people / (1.0 + math.exp(-(self.rct_slope * score + self.rct_offset)))


def form_of(words: Words) -> list[str]:
    """Features of length and form of title and abstract."""
    title, length = words.title, len(words.abstract)
    found = [f"l:title{min(5, title.count(' ') // 4)}"]
    found.append(f"l:abstract{min(8, 1 + length // 300) if length else 0}")
    found += [name for mark, name in (("?", "l:question"), (":", "l:colon")) if mark in title]
    if title.startswith("["):
        found.append("l:translated")
    return found


def read(data: bytes) -> Model:
    """A model from the bytes of its file."""
    head, *lines = gzip.decompress(data).decode("utf-8").splitlines()
    _, *columns = head.split("\t")
    rows: dict[str, Weights] = {}
    for line in lines:
        name, *numbers = line.split("\t")
        rows[name] = tuple(map(float, numbers))
    special = rows.pop("calibration")
    bias, preference = pack(rows.pop("bias")), rows.pop("preference")[:-1]
    kinds: dict[str, dict[str, int]] = {"m": {}, "t": {}, "w": {}}
    closing: dict[str, int] = {}
    for name, weights in rows.items():
        if name[0] in "tw":
            kinds[name[0]][name[2:]] = pack(weights)
        elif name[0] == "z":
            closing[name[2:]] = round(weights[-1] * 1000)
        else:
            scale = CUE_VALUE if name[0] in "cs" else 1.0
            kinds["m"][name] = pack(scale * w for w in weights)
    heat, slope, offset = special[:3]
    by_kind = (kinds["m"], kinds["t"], kinds["w"], closing)
    return Model(tuple(columns), bias, preference, heat, slope, offset, *by_kind)


@cache
def load() -> Model:
    """The model that ships with the package."""
    return read(files("etl.text").joinpath("design_model.tsv.gz").read_bytes())
