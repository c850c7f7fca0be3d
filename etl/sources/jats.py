"""The paragraphs of a full text in JATS (Europe PMC's fullTextXML, PMC's data sets).

Tables, figures, formulas, footnotes and reference lists are left out, and so are the marks of
citations and notes, whose numbers would be read as part of the text. Entities are not expanded.
"""

from collections.abc import Iterator

from lxml import etree

from etl.sources.live_rows import Section, kind

_LEFT_OUT = frozenset(
    {
        "table-wrap", "table", "fig", "fig-group", "disp-formula", "inline-formula", "ref-list",
        "fn-group", "fn", "supplementary-material", "ack", "glossary", "app-group", "media",
    }
)  # fmt: skip
_APART = frozenset(
    {"p", "title", "list", "list-item", "def-list", "def-item", "break", "disp-quote"}
)
# Marks of notes, whose numbers would be read as part of the number before them.
_MARKS = frozenset({"bibr", "fn", "table-fn", "aff", "corresp"})
# 10<sup>6</sup> is not 106
_RAISED = {"sup": "^", "sub": "_"}
_SPACE = str.maketrans("\n\t\r\u00a0", "    ")


class NoBodyError(ValueError):
    """The file holds the front matter only: the article is not open."""


def sections(xml: bytes) -> tuple[Section, ...]:
    """Abstract and body, a paragraph each, in the order of the text.

    Raises ``NoBodyError`` without a body, ``ValueError`` when this is no JATS article.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(xml, parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"not well-formed XML ({error})") from None
    article = root if root.tag == "article" else next(root.iter("article"), None)
    if article is None:
        raise ValueError(f"its root is {str(root.tag)[:40]}, not a JATS article")
    body = article.find("body")
    if body is None:
        raise NoBodyError("front matter only")
    abstract = article.find("front/article-meta/abstract")
    found = [] if abstract is None else list(_paragraphs(abstract, "", "abstract"))
    found += _paragraphs(body, "", "other")
    if not any(section.kind != "abstract" for section in found):
        raise NoBodyError("a body without text")
    return tuple(found)


def _paragraphs(parent: etree._Element, heading: str, inherited: str) -> Iterator[Section]:
    for child in parent:
        if child.tag == "sec":
            title = _text(child.find("title"))
            own = kind(child.get("sec-type"), title) if inherited == "other" else inherited
            yield from _paragraphs(child, title or heading, own)
        elif child.tag == "p":
            if text := _text(child):
                yield Section(heading, inherited, text)
        elif child.tag not in _LEFT_OUT and child.tag != "title" and isinstance(child.tag, str):
            yield from _paragraphs(child, heading, inherited)


def _text(element: etree._Element | None) -> str:
    if element is None:
        return ""
    pieces: list[str] = []
    _collect(element, pieces)
    return " ".join("".join(pieces).translate(_SPACE).split())


def _collect(element: etree._Element, pieces: list[str]) -> None:
    pieces.append(element.text or "")
    for child in element:
        mark = child.tag == "xref" and child.get("ref-type") in _MARKS
        apart = " " if child.tag in _APART else ""
        if isinstance(child.tag, str) and child.tag not in _LEFT_OUT and not mark:
            pieces.append(apart or _raised(child, pieces))
            _collect(child, pieces)
            pieces.append(apart)
        pieces.append(child.tail or "")


def _raised(child: etree._Element, pieces: list[str]) -> str:
    """What stands between a number and the raised or lowered digits that follow it."""
    before = next((piece[-1] for piece in reversed(pieces) if piece), "")
    inside = "".join(map(str, child.itertext())).lstrip()[:1]
    return _RAISED.get(str(child.tag), "") if before.isdigit() and inside.isdigit() else ""
