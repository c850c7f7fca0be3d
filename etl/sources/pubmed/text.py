"""Plain text out of elements, and identifiers in one spelling."""

import re
from collections.abc import Sequence
from typing import cast

import pyarrow as pa
import pyarrow.compute as pc
from lxml import etree

# Every character that str.split() takes for white space, where it is not one single blank
# between two others; also the empty text. RE2 tells it six times faster than splitting.
_UNFOLDED = (
    r"^$|^ | $|  |[\t\n\v\f\r\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}"
    r"\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]"
)
_ORCID = re.compile(r"(?<!\d)(\d{4})[\s\-–]?(\d{4})[\s\-–]?(\d{4})[\s\-–]?(\d{3}[\dXx])(?!\d)")
_DOI = re.compile(r"(?:https?://)?(?:(?:dx|www)\.)?(?:doi\.org/|doi:\s*)?(10\.\S.*)", re.I | re.S)
_PMC = re.compile(r"(?:PMC)?(\d+)", re.I)

_string_value = etree.XPath("string()", smart_strings=False)


def text_of(element: etree._Element) -> str | None:
    """All text nodes of an element in reading order (markup and MathML included), not folded."""
    if len(element):
        return cast(str, _string_value(element))
    return element.text


def fold(text: str | None) -> str | None:
    """White space folded to single blanks; None when nothing is left."""
    return (" ".join(text.split()) or None) if text else None


def folded(values: Sequence[str | None]) -> pa.Array:
    """A string array of ``values`` with white space folded; empty texts are null."""
    array = pa.array(values, pa.string())
    places = pc.indices_nonzero(pc.match_substring_regex(array, _UNFOLDED)).to_pylist()
    if not places:
        return array
    mended = list(values)
    for place in places:
        mended[place] = fold(mended[place])
    return pa.array(mended, pa.string())


def doi(text: str | None) -> str | None:
    """A DOI in lower case without resolver prefix; None when it does not begin with ``10.``."""
    match = _DOI.fullmatch(text.strip()) if text else None
    return "".join(match[1].split()).lower() if match else None


def orcid(text: str | None) -> str | None:
    """``0000-0000-0000-000X`` from any of the spellings in PubMed; None when it is none."""
    match = _ORCID.search(text) if text else None
    return "-".join(match.groups()).upper() if match else None


def pmcid(text: str | None) -> str | None:
    """``PMC`` and digits; None when the text does not begin so."""
    match = _PMC.match(text.strip()) if text else None
    return f"PMC{match[1]}" if match else None
