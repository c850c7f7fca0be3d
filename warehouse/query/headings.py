"""MeSH headings, heading/qualifier pairs, qualifiers and publication types."""

import re
from collections.abc import Iterable
from dataclasses import replace

from etl.store.index_text import fold
from warehouse.query import qualifiers
from warehouse.query.context import Context
from warehouse.query.plan import Codes, Pattern, Plan
from warehouse.query.tags import Tag
from warehouse.query.terms import no_words
from warehouse.query.tree import Term
from warehouse.query.vocabulary import Heading

_UI = re.compile(r"D\d{6,9}", re.IGNORECASE)
_TYPE_CLASS = "2"  # DescriptorClass of publication types


def heading(term: Term, tag: Tag, context: Context) -> Plan | None:
    """[mh] and [majr]: a heading or heading/qualifier, with everything narrower unless :noexp."""
    if not fold(term.text):
        return no_words(term, context)
    kind = tag.field.where[0]
    if term.text.startswith("*"):  # MEDLINE's mark of a major topic, pasted into strategies
        context.note(f'the * before "{term.text[1:]}" was ignored; for a major topic write [majr]')
        term = replace(term, text=term.text.lstrip("* "))
    if "*" in term.text:
        return _truncated(term, f"{kind}n:", tag, context)
    name, pairs = _split(term, tag, context)
    codes, own = _codes(name, pairs, tag, context)
    qualifier_name = f"/{pairs[0]}" if pairs else ""
    return Codes(tuple(codes), _says(own + qualifier_name, tag))


def _says(text: str, tag: Tag) -> str:
    option = "" if tag.explode else ":noexp"
    return f'"{" ".join(text.lower().split())}"[{tag.field.name}{option}]'


def _truncated(term: Term, start: str, tag: Tag, context: Context) -> Pattern:
    text = term.text.strip()
    if text.index("*") != len(text) - 1:
        raise context.fault(term.at, f'"{text}": in a heading * works only at its end')
    if len(fold(text)) < 4:
        raise context.fault(term.at, f'"{text}": at least four characters must stand before *')
    return Pattern(start + fold(text), "anything", _says(text, tag))


def _split(term: Term, tag: Tag, context: Context) -> tuple[str, tuple[str, ...]]:
    """Heading and the folded qualifiers after the last slash; a name with a slash stays whole."""
    left, slash, right = term.text.rpartition("/")
    if not slash or context.vocabulary.find(term.text) is not None:
        return term.text, ()
    code = qualifiers.code(right)
    if code is None:
        raise context.fault(term.at, f'"{right.strip()}" is no MeSH qualifier (subheading)')
    if not fold(left):
        raise context.fault(term.at, f'no heading stands before "/{right.strip()}"')
    return left, qualifiers.names(code, tag.explode)


def _codes(name: str, pairs: tuple[str, ...], tag: Tag, context: Context) -> tuple[list[str], str]:
    """The codes of heading ``name`` (with any of ``pairs``) by UI, else by name; its own name."""
    kind, explode, vocabulary = tag.field.where[0], tag.explode, context.vocabulary
    letter = vocabulary.category(name)
    if letter:
        return _paired(kind, vocabulary.in_category(letter), [], pairs), name
    if _UI.fullmatch(name.strip()):
        found = Heading(name.strip().upper(), name, True, "")
    else:
        known = vocabulary.find(name)
        if known is None:
            _note_missing(name, context)
            return _paired(kind + "n", [fold(name)], [], pairs), name
        found = known
    _note_mapped(name, found, context)
    uis = vocabulary.narrower(found.ui) if explode else [found.ui]
    return _paired(kind, uis, vocabulary.names(uis), pairs), found.name


def _paired(
    kind: str, uis: Iterable[str], names: Iterable[str], pairs: tuple[str, ...]
) -> list[str]:
    alone = [*(f"{kind}:{ui}" for ui in uis), *(f"{kind}?:{name}" for name in names)]
    return [f"{code}/{pair}" for code in alone for pair in pairs] if pairs else alone


def _note_missing(name: str, context: Context) -> None:
    if not context.vocabulary.loaded:
        context.note(
            "MeSH is not loaded: headings match by name alone, narrower ones are not included; "
            "load it with evidence refresh --mesh"
        )
    else:
        context.note(f'"{name}" is no heading of the MeSH loaded here: it matches by name alone')


def _note_mapped(name: str, found: Heading, context: Context) -> None:
    if not found.preferred:
        context.mapped.append((name, found.name))


def explode(found: Heading, context: Context) -> Codes:
    """Heading ``found`` and everything narrower, as an untagged word is mapped."""
    uis = context.vocabulary.narrower(found.ui)
    codes = _paired("m", uis, context.vocabulary.names(uis), ())
    return Codes(tuple(codes), f'"{found.name.lower()}"[MeSH Terms]')


def qualifier(term: Term, tag: Tag, context: Context) -> Plan | None:
    """[sh]: a qualifier on any heading, with its family unless :noexp."""
    code = qualifiers.code(term.text)
    if code is None:
        raise context.fault(term.at, f'"{term.text}" is no MeSH qualifier (subheading)')
    names = qualifiers.names(code, tag.explode)
    said = _says(names[0], tag)
    return Codes(tuple(f"sh:{name}" for name in names), said)


def publication_type(term: Term, tag: Tag, context: Context) -> Plan | None:
    """[pt]: a publication type, with narrower ones along the tree unless :noexp."""
    if not fold(term.text):
        return no_words(term, context)
    if "*" in term.text:
        return _truncated(term, "ptn:", tag, context)
    found = context.vocabulary.find(term.text, _TYPE_CLASS)
    if found is None:
        if not context.vocabulary.loaded:
            context.note("MeSH is not loaded: narrower publication types are not included")
        return Codes((f"ptn:{fold(term.text)}",), _says(term.text, tag))
    _note_mapped(term.text, found, context)
    return Codes(tuple(type_codes(found, tag.explode, context)), _says(term.text, tag))


def type_codes(found: Heading, explode: bool, context: Context) -> list[str]:
    """The codes of publication type ``found``, narrower ones included when exploded."""
    uis = context.vocabulary.narrower(found.ui) if explode else [found.ui]
    names = context.vocabulary.names(uis)
    return [*(f"pt:{ui}" for ui in uis), *(f"pt?:{name}" for name in names)]
