"""Authors and investigators."""

from collections.abc import Iterable

from lxml import etree

from etl.sources.pubmed.columns import SLOT, Columns
from etl.sources.pubmed.text import fold, orcid, text_of

_AUTHORS_COMPLETE = SLOT["authors_complete"]
_NAMES = frozenset({"LastName", "ForeName", "Initials"})
_NAMES_AND_PLACES = _NAMES | {"AffiliationInfo", "Affiliation"}
_PERSON = frozenset(
    {"LastName", "ForeName", "Initials", "Suffix", "CollectiveName", "Identifier",
     "AffiliationInfo", "Affiliation", "FirstName", "MiddleName"}
)  # fmt: skip


def author_list(element: etree._Element, columns: Columns) -> None:
    """AuthorList of an article."""
    columns.row[_AUTHORS_COMPLETE] = element.get("CompleteYN") != "N"
    authors(element, columns)


def authors(people: Iterable[etree._Element], columns: Columns) -> None:
    """Author elements, in order, into the author columns."""
    for person in people:
        if person.tag == "Author":
            _author(person, columns)
        else:
            columns.unknown[f"AuthorList/{person.tag}"] += 1


def _author(person: etree._Element, columns: Columns) -> None:
    parts = {child.tag: child.text for child in person}
    last, initials = parts.get("LastName"), parts.get("Initials")
    fore = parts.get("ForeName") or parts.get("FirstName")
    collective = identifier = None
    if not _NAMES.issuperset(parts):
        for place in person.iter("Affiliation"):
            _affiliation(place, columns)
        if not _NAMES_AND_PLACES.issuperset(parts):
            collective, identifier = _rest(person, parts, columns)
    valid = person.get("ValidYN") != "N"
    columns.author_details.items.append(
        (last, fore, initials, parts.get("Suffix"), collective, identifier,
         valid, person.get("EqualContrib") == "Y")
    )  # fmt: skip
    inner = columns.author_affiliations
    inner.ends.append(len(inner.items))
    name = collective or _name(last, initials, fore)
    if valid and name:
        columns.authors.items.append(name)


def _name(last: str | None, initials: str | None, fore: str | None) -> str | None:
    """``Last Initials``; the fore name stands in where there are no initials."""
    given = initials or fore
    return f"{last} {given}" if last and given else last or given


def _rest(
    person: etree._Element, parts: dict[str, str | None], columns: Columns
) -> tuple[str | None, str | None]:
    """The collective name and the ORCID; a suffix with markup is mended in ``parts``."""
    collective = identifier = None
    for child in person:
        tag = child.tag
        if tag == "CollectiveName":
            collective = fold(text_of(child))
        elif tag == "Identifier":
            if child.get("Source", "").upper() == "ORCID":
                identifier = orcid(child.text) or identifier
        elif tag == "Suffix":
            parts["Suffix"] = text_of(child)
        elif tag not in _PERSON:
            columns.unknown[f"{person.tag}/{tag}"] += 1
    return collective, identifier


def _affiliation(place: etree._Element, columns: Columns) -> None:
    text = fold(text_of(place))
    if text:
        columns.author_affiliations.items.append(text)
        columns.add_affiliation(text)


def first_affiliation(element: etree._Element, columns: Columns) -> None:
    """Article/Affiliation of records before 2014: the first author's, given for the article."""
    text = fold(text_of(element))
    if text:
        columns.add_affiliation(text)


def investigators(element: etree._Element, columns: Columns) -> None:
    """InvestigatorList: names only."""
    for person in element:
        parts = {child.tag: child.text for child in person}
        fore = parts.get("ForeName") or parts.get("FirstName")
        name = fold(_name(parts.get("LastName"), parts.get("Initials"), fore))
        if name and person.get("ValidYN") != "N":
            columns.investigators.items.append(name)
