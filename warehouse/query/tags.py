# ruff: noqa: E501 - tables, one row a line
"""PubMed's field tags and their synonyms, and what each searches here.

Source of the synonyms: PubMed User Guide, "Search field tags", and published strategies;
tags are case-blind. Fields that the warehouse does not hold are known by name, so that they
can be answered with a reason instead of an unknown-tag error.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from etl.store.index_fields import WHOLE_FIELDS


class Kind(StrEnum):
    """How the text before a tag is looked up."""

    WORDS = "words"
    HEADING = "heading"
    QUALIFIER = "qualifier"
    TYPE = "type"
    AUTHOR = "author"
    CODE = "code"
    DATE = "date"
    PMID = "pmid"
    FILTER = "filter"
    ABSENT = "absent"


@dataclass(frozen=True)
class Field:
    """One searchable field: its short tag, PubMed's full name and where the index keeps it.

    ``where``: text fields of the index (WORDS), the kind of code (CODE, AUTHOR, HEADING) or the
    date field; for ABSENT why it cannot be searched here.
    """

    tag: str
    name: str
    kind: Kind
    where: tuple[str, ...]


_TIAB = ("title", "abstract", "more")
_TW = (*_TIAB, "terms")
_ALL = WHOLE_FIELDS

_ROWS: tuple[tuple[str, str, Kind, tuple[str, ...], str], ...] = (
    ("all", "All Fields", Kind.WORDS, _ALL, "all fields"),
    ("tiab", "Title/Abstract", Kind.WORDS, _TIAB, "title/abstract"),
    ("ti", "Title", Kind.WORDS, ("title",), "title"),
    ("ab", "Abstract", Kind.WORDS, ("abstract",), "abstract"),
    ("tw", "Text Word", Kind.WORDS, _TW, "text word|text words|word"),
    ("ot", "Other Term", Kind.WORDS, ("keywords",), "other term|keyword|keywords"),
    ("tt", "Transliterated Title", Kind.WORDS, ("vernacular",), "transliterated title"),
    ("cn", "Corporate Author", Kind.WORDS, ("collective",), "corporate author"),
    ("mh", "MeSH Terms", Kind.HEADING, ("m",), "mesh|mesh terms|mesh term|mesh heading"),
    ("majr", "MeSH Major Topic", Kind.HEADING, ("M",), "mj|mesh major topic|mesh major topics"),
    ("sh", "MeSH Subheading", Kind.QUALIFIER, ("sh",), "subheading|mesh subheading|qualifier"),
    ("pt", "Publication Type", Kind.TYPE, ("pt",), "publication type|ptyp|publication types"),
    ("nm", "Supplementary Concept", Kind.CODE, ("nm",), "supplementary concept|substance name|substance"),
    ("rn", "EC/RN Number", Kind.CODE, ("rn",), "ec/rn number|registry number"),
    ("gs", "Gene Symbol", Kind.CODE, ("gs",), "gene symbol"),
    ("au", "Author", Kind.AUTHOR, ("au", "fau"), "author|author name|authors"),
    ("1au", "First Author", Kind.AUTHOR, ("1au",), "first author|first author name|fauth"),
    ("lastau", "Last Author", Kind.AUTHOR, ("lastau",), "last author|last author name"),
    ("fau", "Full Author Name", Kind.AUTHOR, ("fau",), "full author name|full author"),
    ("ir", "Investigator", Kind.AUTHOR, ("ir",), "investigator|fir|full investigator name"),
    ("auid", "Author Identifier", Kind.CODE, ("auid",), "author identifier|author - identifier"),
    ("ta", "Journal", Kind.CODE, ("ta", "is"), "journal|jour|so|journal title"),
    ("jid", "NLM Unique ID", Kind.CODE, ("jid",), "nlm unique id"),
    ("is", "ISSN", Kind.CODE, ("is",), "issn"),
    ("vi", "Volume", Kind.CODE, ("vi",), "volume"),
    ("ip", "Issue", Kind.CODE, ("ip",), "issue"),
    ("pg", "Pagination", Kind.CODE, ("pg",), "pagination|page"),
    ("pl", "Place of Publication", Kind.CODE, ("pl",), "place of publication|country"),
    ("la", "Language", Kind.CODE, ("la",), "language|lang|languages"),
    ("si", "Secondary Source ID", Kind.CODE, ("si",), "secondary source id"),
    ("aid", "Article Identifier", Kind.CODE, ("aid",), "article identifier|doi|pmcid|pmc|lid|location id|pii"),
    ("gr", "Grants and Funding", Kind.CODE, ("gr",), "grants and funding|grant number|grant"),
    ("st", "Status", Kind.CODE, ("st",), "status"),
    ("dp", "Date - Publication", Kind.DATE, ("dp",), "pdat|publication date|date - publication|date of publication|epdat|ppdat|year"),
    ("edat", "Date - Entry", Kind.DATE, ("edat",), "entry date|entrez date|date - entrez|date - entry|edate"),
    ("crdt", "Date - Create", Kind.DATE, ("edat",), "create date|date - create"),
    ("mhda", "Date - MeSH", Kind.DATE, ("mhda",), "mesh date|date - mesh"),
    ("dcom", "Date - Completion", Kind.DATE, ("dcom",), "completion date|date - completion"),
    ("lr", "Date - Modification", Kind.DATE, ("lr",), "mdat|modification date|date - modification|date - last revision"),
    ("pmid", "PMID", Kind.PMID, ("pmid",), "uid"),
    ("sb", "Filter", Kind.FILTER, (), "subset|filter|filt|text"),
    ("ad", "Affiliation", Kind.ABSENT, ("affiliations are not in the search index (evidence sql reads citations.affiliations)",), "affiliation"),
    ("pa", "Pharmacological Action", Kind.ABSENT, ("pharmacological actions are not loaded",), "pharmacological action|mesh pharmacological action"),
    ("ps", "Personal Name as Subject", Kind.ABSENT, ("personal names as subject are not stored",), "personal name as subject"),
    ("cois", "Conflict of Interest Statements", Kind.ABSENT, ("statements are not in the search index (evidence sql reads citations.coi_statement)",), "conflict of interest statements|conflict of interest statement"),
    ("ed", "Editor", Kind.ABSENT, ("editors are not stored",), "editor"),
    ("isbn", "ISBN", Kind.ABSENT, ("ISBNs are not stored",), "international standard book number"),
    ("pubn", "Publisher", Kind.ABSENT, ("publishers are not stored",), "publisher"),
    ("bk", "Book", Kind.ABSENT, ("book names are not a field here",), "book"),
)  # fmt: skip

FIELDS: dict[str, Field] = {
    tag: Field(tag, name, kind, where) for tag, name, kind, where, _ in _ROWS
}
_SYNONYMS: dict[str, str] = {
    synonym: tag for tag, _, _, _, others in _ROWS for synonym in (tag, *others.split("|"))
}
ALL = FIELDS["all"]


@dataclass(frozen=True)
class Tag:
    """A tag as typed: which field, whether narrower terms are left out, words allowed between."""

    field: Field
    explode: bool = True
    distance: int | None = None


class UnknownTag(ValueError):
    """The text in brackets names no field of PubMed; ``args[0]`` says why or suggests one."""


def read(text: str) -> Tag:
    """The tag written as ``text`` (without brackets). Raises ``UnknownTag``."""
    plain = re.sub(r"\s*([:/])\s*", r"\1", " ".join(text.lower().split()))
    name, _, option = plain.partition(":")
    field = FIELDS.get(_SYNONYMS.get(name, ""))
    if field is None:
        raise UnknownTag(_nearest(name))
    if not option or option == "exp":
        return Tag(field)
    if option == "noexp":
        return Tag(field, explode=False)
    if option.startswith("~"):
        return Tag(field, distance=_distance(field, option[1:]))
    raise UnknownTag(f"[{text}]: after ':' stands {option!r}, not noexp, exp or ~N")


def _distance(field: Field, text: str) -> int:
    if field.tag not in ("ti", "tiab", "ab"):
        raise UnknownTag(f"proximity (~) works in [ti], [ab] and [tiab], not in [{field.tag}]")
    if not text.isascii() or not text.isdigit() or len(text) > 4:
        raise UnknownTag(f"~{text} is not a number of words")
    return int(text)


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, _SYNONYMS, 1, 0.7)
    hint = f"; did you mean [{near[0]}]?" if near else ""
    return f"unknown field tag [{name}]{hint}"
