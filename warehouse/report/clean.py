"""Text of records made safe for a page: no control signs, no markup, links only where known."""

import html
import re
import unicodedata
from typing import Any

_PMID = re.compile(r"\d{1,9}")
_NCT = re.compile(r"NCT\d{8}")
_PMCID = re.compile(r"PMC\d{1,12}")
# Characters that Markdown or the HTML inside it would act upon.
_MARK = re.compile(r"([\\`*_\[\]<|~]|&(?=#?\w+;))")
_LINE_START = re.compile(r"^([-+=>#]|\d+(?=[.)]))")


def line(value: object) -> str:
    """``value`` as one line without control and direction signs; empty for None.

    Direction overrides could show a text in another order than it is stored.
    """
    if value is None:
        return ""
    text = "".join(_kept(sign) for sign in str(value))
    return " ".join(text.split())


def _kept(sign: str) -> str:
    if sign in "\t\n\r\u2028\u2029":
        return " "
    # Cc control, Cf format (direction overrides), Cs lone surrogates, which UTF-8 cannot write
    return "" if unicodedata.category(sign) in ("Cc", "Cf", "Cs") else sign


def markdown(value: object) -> str:
    """One line of ``value`` that Markdown shows as it is."""
    text = _MARK.sub(r"\\\1", line(value))
    return _LINE_START.sub(_marked, text)


def _marked(found: re.Match[str]) -> str:
    """A sign that would start a list or heading, with its backslash where Markdown wants it."""
    said = found[1]
    return f"{said}\\" if said.isdigit() else f"\\{said}"


def markup(value: object) -> str:
    """One line of ``value`` for HTML text and quoted attributes."""
    return html.escape(line(value), quote=True)


def pubmed_url(pmid: object) -> str | None:
    """The page of a PMID; None for anything else."""
    text = str(pmid or "")
    return f"https://pubmed.ncbi.nlm.nih.gov/{text}/" if _PMID.fullmatch(text) else None


def registry_url(nct_id: object) -> str | None:
    """The page of a registered trial; None for anything else."""
    text = str(nct_id or "")
    return f"https://clinicaltrials.gov/study/{text}" if _NCT.fullmatch(text) else None


def links(row: Any) -> list[tuple[str, str]]:
    """Name and address of each page about ``row``: PubMed, PMC, registry."""
    found: list[tuple[str, str]] = []
    pmid = pubmed_url(row.get("pmid"))
    if pmid:
        found.append((f"PMID {row['pmid']}", pmid))
    pmcid = str(row.get("pmcid") or "")
    if _PMCID.fullmatch(pmcid):
        found.append((pmcid, f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"))
    for nct_id in dict.fromkeys([row.get("nct_id"), *(row.get("nct_ids") or [])]):
        registry = registry_url(nct_id)
        if registry:
            found.append((str(nct_id), registry))
    return found
