"""Words and phrases: folding, truncation, proximity."""

from math import comb, factorial

from etl.store.index_text import words as fold_words
from warehouse.query.context import Context
from warehouse.query.plan import WILD, Near, Plan, Words
from warehouse.query.tags import Field, Tag
from warehouse.query.tree import Term

_PLACEMENTS = 600  # searches that one proximity term of three words or more may become
_BEFORE_STAR = 4  # PubMed: at least four characters before the first *


def wild_words(text: str, at: int, context: Context) -> list[str]:
    """The index terms of ``text``, ``*`` inside a word as ``WILD``; empty when it has no word.

    Raises ``QueryError`` for a ``*`` at the beginning of a word or after too few characters.
    """
    found = fold_words(text.replace(WILD, " ").replace("*", WILD))
    for word in found:
        if word.startswith(WILD):
            raise context.fault(at, f'"{text}": * cannot stand at the beginning of a word')
    before = "".join(found).partition(WILD)
    if before[1] and len(before[0]) < _BEFORE_STAR:
        raise context.fault(at, f'"{text}": at least four characters must stand before *')
    return [_one_star(word) for word in found]


def _one_star(word: str) -> str:
    while WILD * 2 in word:
        word = word.replace(WILD * 2, WILD)
    return word


def words(term: Term, field: Field, context: Context) -> Plan | None:
    """The words of ``term`` one after the other in ``field``; None (and a notice) without words."""
    found = wild_words(term.text, term.at, context)
    if not found:
        return no_words(term, context)
    return phrase(found, field)


def phrase(found: list[str], field: Field) -> Words:
    """``found`` one after the other in ``field``."""
    said = " ".join(found).replace(WILD, "*")
    return Words(field.where, tuple(found), f'"{said}"[{field.name}]')


def no_words(term: Term, context: Context) -> Plan | None:
    """None: ``term`` holds neither letter nor digit, and the user is told."""
    context.ignored.append(term.text)
    context.note(f'"{term.text}" was left out: it holds neither letter nor digit')
    return None


def near(term: Term, tag: Tag, distance: int, context: Context) -> Plan | None:
    """The words of ``term`` in any order with at most ``distance`` words between them."""
    found = wild_words(term.text, term.at, context)
    if len(found) < 2 or not term.quoted:
        raise context.fault(
            term.at,
            "proximity needs two or more words in quotation marks: "
            f'"w1 w2"[{tag.field.tag}:~{distance}]',
        )
    if any(WILD in word for word in found):
        raise context.fault(term.at, "* does not work together with proximity (~)")
    most = _most_between(len(found))
    if len(found) > 2 and distance > most:
        allowed = f"at most ~{most}" if most >= 0 else "no distance: use fewer words"
        raise context.fault(term.at, f"proximity of {len(found)} words works here with {allowed}")
    fields = tuple(name for name in tag.field.where if name in ("title", "abstract"))
    said = " ".join(found)
    return Near(fields, tuple(found), distance, f'"{said}"[{tag.field.name}:~{distance}]')


def _most_between(words: int) -> int:
    """The largest distance whose placements are few enough to search; -1 when none is."""
    distance = -1
    while factorial(words) * comb(words + distance, words - 1) <= _PLACEMENTS:
        distance += 1
    return distance
