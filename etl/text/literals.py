r"""The words without which a regular expression cannot match: a cheap look before a dear search.

``\bcase[- ]control\b|\bsirna\b`` matches only where "case-control", "case control" or "sirna"
stands. Looking for such words is many times as fast as the search.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from itertools import product
from typing import Any, NamedTuple

# One of the words of a clause must stand in the text.
Clause = tuple[str, ...]


class Needs(NamedTuple):
    """A text must hold one of ``words``, or words of every clause of one of ``phrases``."""

    words: Clause
    phrases: tuple[tuple[Clause, ...], ...]


# Bounds on what is worth looking for: more words than these cost as much as the search.
_MOST_CLAUSES = 3
_MOST_WORDS = 24
_MOST_SPELLINGS = 2
_SHORTEST = 3

# What the parser takes out of the alternatives that begin with it.
_BEFORE_BARS = ("AT", "ASSERT", "ASSERT_NOT", "LITERAL")

# What a Python raises whose parser of patterns has moved or tells other things.
_UNREADABLE = (ImportError, AttributeError, TypeError, ValueError, IndexError)


@cache
def needs(pattern: str) -> Needs | None:
    """What each alternative of a case-sensitive pattern needs; None where one needs no word.

    None also where this Python does not tell how it reads a pattern: its parser has no public
    name (``re._parser`` since 3.11). Every pattern is then searched, with the same matches.
    """
    try:
        items = list(import_module("re._parser").parse(pattern))
        found = {_clauses(one) for one in _alternatives(items)}
    except _UNREADABLE:
        return None
    if not all(found):
        return None
    words = _least([word for clauses in found if len(clauses) == 1 for word in clauses[0]])
    phrases = [clauses for clauses in found if len(clauses) > 1 and not _implied(clauses, words)]
    return Needs(words, tuple(sorted(phrases)))


def _implied(clauses: Sequence[Clause], words: Clause) -> bool:
    """Whether whatever holds the words of a phrase holds one of ``words`` anyway."""
    return any(all(any(w in one for w in words) for one in clause) for clause in clauses)


def may_match(need: Needs, text: str) -> bool:
    """Whether ``text`` holds the words of one alternative; if not, the pattern cannot match."""
    for word in need.words:
        if word in text:
            return True
    for clauses in need.phrases:
        for clause in clauses:
            for word in clause:
                if word in text:
                    break
            else:
                break
        else:
            return True
    return False


def _alternatives(items: Sequence[Any]) -> list[Sequence[Any]]:
    """The sequences of which one must match: what stands between bars, not in a longer phrase."""
    for at, (kind, value) in enumerate(items):
        if str(kind) == "BRANCH" and _words_of(kind, value) is None:
            parts = [[*items[:at], *branch, *items[at + 1 :]] for branch in value[1]]
            return [one for part in parts for one in _alternatives(part)]
        if str(kind) not in _BEFORE_BARS:
            break
    return [items]


def _clauses(items: Iterable[Any]) -> tuple[Clause, ...]:
    """The clauses of a sequence that rule out most."""
    found: list[Clause] = []
    run: list[str] = [""]
    for kind, value in items:
        words = _words_of(kind, value)
        most = _MOST_WORDS if str(kind) == "BRANCH" else _MOST_SPELLINGS
        if words is not None and (len(words) == 1 or len(run) * len(words) <= most):
            run = [one + other for one in run for other in words]
            continue
        found.append(_least(run))
        run = words or [""]
        found += _inside(str(kind), value) if words is None else ()
    kept = {clause for clause in (*found, _least(run)) if len(min(clause, key=len)) >= _SHORTEST}
    return tuple(sorted(kept, key=_worth)[:_MOST_CLAUSES])


def _worth(clause: Clause) -> tuple[float, Clause]:
    """Few long words first."""
    return len(clause) / len(min(clause, key=len)), clause


def _least(words: Sequence[str]) -> Clause:
    """``words`` without those that hold another."""
    return tuple(sorted({w for w in words if not any(o != w and o in w for o in words)}))


def _inside(kind: str, value: Any) -> tuple[Clause, ...]:
    """The clauses of a group that must match at least once."""
    if kind == "SUBPATTERN":
        return _clauses(value[-1])
    if kind in ("MAX_REPEAT", "MIN_REPEAT") and value[0] > 0:
        return _clauses(value[2])
    if kind == "BRANCH":
        every = [_clauses(branch) for branch in value[1]]
        return (_least([word for one in every for word in one[0]]),) if all(every) else ()
    return ()


def _words_of(kind: Any, value: Any) -> list[str] | None:
    """All that an item can match, where that is a short list of words; else None."""
    name = str(kind)
    if name == "LITERAL":
        return [chr(value)]
    if name in ("AT", "ASSERT", "ASSERT_NOT"):
        return [""]
    if name == "IN":
        plain = all(str(one) == "LITERAL" for one, _ in value)
        return [chr(code) for _, code in value] if plain and len(value) <= 4 else None
    if name == "SUBPATTERN":
        return _words_in(value[-1])
    if name in ("MAX_REPEAT", "MIN_REPEAT") and value[:2] == (0, 1):
        words = _words_in(value[2])
        return None if words is None else ["", *words]
    if name == "BRANCH":
        every = [_words_in(branch) for branch in value[1]]
        words = [word for one in every if one is not None for word in one]
        return words if None not in every and len(words) <= _MOST_WORDS else None
    return None


def _words_in(items: Iterable[Any]) -> list[str] | None:
    """All that a sequence can match; None where that is no short list."""
    parts = []
    size = 1
    for kind, value in items:
        words = _words_of(kind, value)
        if words is None or (size := size * len(words)) > _MOST_WORDS:
            return None
        parts.append(words)
    return ["".join(part) for part in product(*parts)]
