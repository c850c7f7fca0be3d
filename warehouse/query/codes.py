"""People, journals, languages, identifiers: fields whose value is one whole term."""

import re

from etl.store.index_text import fold
from warehouse.query import languages
from warehouse.query.context import Context
from warehouse.query.plan import Codes, Pattern, Plan, either
from warehouse.query.tags import FIELDS, Tag
from warehouse.query.terms import no_words
from warehouse.query.tree import Term

_FOLDED = frozenset({"nm", "ta", "gs", "pl", "gr", "ir"})  # kinds that the index keeps folded
_ISSN = re.compile(r"\d{4}-?\d{3}[\dxX]")
_DOI_PREFIX = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_JOURNALS = {  # abbreviations that everyone says and no record carries
    "nejm": "n engl j med", "pnas": "proc natl acad sci u s a", "jco": "j clin oncol",
}  # fmt: skip


def language(name: str) -> Codes | None:
    """Citations in the language ``name``; None when there is no such language."""
    code = languages.code(name)
    return Codes((f"la:{code}",), f'"{fold(name)}"[Language]') if code else None


def author(term: Term, tag: Tag, context: Context) -> Plan | None:
    """[au] and its kin: last name and initials, open on the right unless quoted."""
    name = fold(term.text)
    if not name:
        return no_words(term, context)
    said = f'"{name}"[{tag.field.name}]'
    kind = tag.field.where[0]
    if term.text.strip().endswith("*"):
        return Pattern(f"{kind}:{name}", "anything", said)
    parts = name.split()
    if kind == "fau":
        return _full_name(parts, said)
    if term.quoted:
        return Codes((f"{kind}:{name}",), said)
    initials = len(parts) > 1 and len(parts[-1]) <= 2
    found = Pattern(f"{kind}:{name}", "letters" if initials else "words", said)
    full = len(parts) > 1 and not initials and "fau" in tag.field.where
    return either([found, _full_name(parts, said)]) if full else found


def _full_name(parts: list[str], said: str) -> Plan:
    """A full name, the last name first or last."""
    orders = {" ".join(parts), " ".join([parts[-1], *parts[:-1]])}
    return either([Pattern(f"fau:{order}", "words", said) for order in sorted(orders)])


def code(term: Term, tag: Tag, context: Context) -> Plan | None:
    """Any other field of whole terms."""
    text = term.text.strip()
    if not fold(text):
        return no_words(term, context)
    said = f'"{" ".join(text.lower().split())}"[{tag.field.name}]'
    kind = tag.field.where[0]
    if kind == "la":
        return language(text) or _unknown_language(term, context)
    if text.endswith("*"):
        return _open(text, kind, said, term, context)
    return Codes(_spellings(text, kind), said)


def _unknown_language(term: Term, context: Context) -> Plan:
    raise context.fault(term.at, f'"{term.text}" is no language name or code')


def _open(text: str, kind: str, said: str, term: Term, context: Context) -> Pattern:
    plain = fold(text) if kind in _FOLDED else text.lower().rstrip("*").strip()
    if len(plain) < 4:
        raise context.fault(term.at, f'"{text}": at least four characters must stand before *')
    return Pattern(f"{kind}:{plain}", "anything", said)


def _spellings(text: str, kind: str) -> tuple[str, ...]:
    plain = " ".join(text.lower().split())
    if kind == "ta":
        return journal_codes(plain)
    if kind == "si":
        return tuple({f"si:{plain}": 0, f"si:{fold(text)}": 0})
    if kind == "nm":
        return (f"nm:{fold(text)}", f"nu:{plain.upper()}")
    if kind == "aid":
        return (f"aid:{_DOI_PREFIX.sub('', plain)}",)
    if kind == "is" and _ISSN.fullmatch(plain):
        return (f"is:{plain.replace('-', '')[:4]}-{plain.replace('-', '')[4:]}",)
    return (f"{kind}:{fold(text)}",) if kind in _FOLDED else (f"{kind}:{plain}",)


def journal_codes(plain: str) -> tuple[str, ...]:
    """The codes of the journal written as ``plain``: title, abbreviation or ISSN."""
    if _ISSN.fullmatch(plain):
        return _spellings(plain, "is")
    name = fold(plain)
    return tuple({f"ta:{name}": 0, f"ta:{_JOURNALS.get(name, name)}": 0})


def identifier(text: str) -> Codes | None:
    """An untagged DOI, trial number or PMC number as the code that it is; None for other words."""
    plain = text.strip().lower()
    if re.fullmatch(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/\S+", plain):
        return Codes(_spellings(plain, "aid"), f'"{plain}"[{FIELDS["aid"].name}]')
    if re.fullmatch(r"pmc\d{3,9}", plain):
        return Codes((f"aid:{plain}",), f'"{plain}"[{FIELDS["aid"].name}]')
    if re.fullmatch(r"nct\d{8}", plain):
        return Codes((f"si:{plain}",), f'"{plain}"[{FIELDS["si"].name}]')
    return None
