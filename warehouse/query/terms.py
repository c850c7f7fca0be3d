"""Words and phrases: folding, truncation, proximity."""

from etl.store.index_text import words as fold_words
from warehouse.query.context import Context
from warehouse.query.plan import WILD, Near, Plan, Words
from warehouse.query.tags import Field, Tag
from warehouse.query.tree import Term

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
    if len(found) > _NEAR_WORDS:
        raise context.fault(term.at, f"proximity works with up to {_NEAR_WORDS} words here")
    fields = tuple(name for name in tag.field.where if name in ("title", "abstract"))
    said = " ".join(found)
    return Near(fields, tuple(found), distance, f'"{said}"[{tag.field.name}:~{distance}]')


_NEAR_WORDS = 5  # every order is a search of its own: 120 for five words
