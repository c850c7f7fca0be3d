"""Full texts as BioC JSON.

Contract: https://www.ncbi.nlm.nih.gov/research/bionlp/APIs/BioC-PMC/. An article that is unknown
or not open is told by a line of text under status 200. The requests count for all of NCBI.
"""

import json
import re
from typing import Any

from etl.errors import SourceError
from etl.sources.fulltext_reply import Count, NotOpenError, Text, asked_name, reply
from etl.sources.http import Response, Transport
from etl.sources.http_errors import Passing
from etl.sources.http_limits import Deadline
from etl.sources.live_rows import Section, encodable
from etl.sources.outcome import Reply

SOURCE = "bioc-fulltext"

KINDS = {
    "TITLE": "title",
    "ABSTRACT": "abstract",
    "INTRO": "introduction",
    "METHODS": "methods",
    "RESULTS": "results",
    "DISCUSS": "discussion",
    "CONCL": "conclusions",
    "CASE": "results",
}
_LEFT_OUT = frozenset(
    {"REF", "FIG", "TABLE", "SUPPL", "TITLE", "ABBR", "COMP_INT", "ACK_FUND", "AUTH_CONT"}
)
_NONE = b"No result can be found"


def full_text(http: Transport, name: str, within: Deadline | None = None) -> Reply[Text]:
    """The paragraphs of ``name``, a PMID or a PMCID with its prefix.

    Raises ``UsageError`` when ``name`` is neither.
    """
    name = asked_name(name)

    def ask(count: Count) -> Text:
        count.requests += 1
        url = f"{http.base('bioc')}BioC_json/{name}/unicode"
        response = http.get(url, check=_check, within=within)
        _same(_documents(response), name)
        return _sections(response)

    return reply(SOURCE, name, ask)


def _check(response: Response) -> None:
    if _NONE in response.body[:500]:
        raise NotOpenError("unknown to BioC or not open", response.status)
    _documents(response)


def _documents(response: Response) -> list[Any]:
    try:
        body = json.loads(response.body, strict=False)
    except (ValueError, RecursionError):
        raise Passing("answered with something that is not BioC JSON", response.status) from None
    collections = body if isinstance(body, list) else [body]
    found = [
        document
        for collection in collections
        if isinstance(collection, dict) and isinstance(collection.get("documents"), list)
        for document in collection["documents"]
        if isinstance(document, dict)
    ]
    if not found:
        raise Passing("answered with JSON without documents", response.status)
    return found


def _same(documents: list[Any], name: str) -> None:
    """The article of ``name`` and no other.

    A document's id is the PMCID, bare digits until 2024 and with its prefix since 2025. The PMID
    is in the first passage, where it is at all.
    """
    known = {re.sub(r"(?i)^pmc", "", str(document.get("id", ""))) for document in documents}
    said = {str(p) for document in documents if (p := _pmid(document))}
    ids = known if name.startswith("PMC") else said
    if ids - {""} and name.removeprefix("PMC") not in ids:
        raise SourceError(f"BioC answered for {', '.join(sorted(ids))[:80]} when asked for {name}")


def _pmid(document: dict[str, Any]) -> object:
    passages = document.get("passages")
    first = passages[0] if isinstance(passages, list) and passages else None
    infons = first.get("infons") if isinstance(first, dict) else None
    return infons.get("article-id_pmid") if isinstance(infons, dict) else None


def _sections(response: Response) -> Text:
    found: list[Section] = []
    heading = ""
    for passage in _passages(response):
        infons = passage.get("infons") if isinstance(passage, dict) else None
        text = passage.get("text") if isinstance(passage, dict) else None
        if not isinstance(infons, dict) or not isinstance(text, str) or not text.strip():
            continue
        part = str(infons.get("section_type") or infons.get("type") or "").upper()
        if "title" in str(infons.get("type", "")).lower():
            heading = text.strip()
        elif part not in _LEFT_OUT:
            found.append(_section(heading, part, text))
    if not any(section.kind not in {"abstract", "other"} for section in found):
        raise NotOpenError("front matter only", response.status)
    return tuple(found)


def _passages(response: Response) -> list[Any]:
    lists = [document.get("passages") for document in _documents(response)]
    return [passage for found in lists if isinstance(found, list) for passage in found]


def _section(heading: str, part: str, text: str) -> Section:
    words = encodable(" ".join(text.split()))
    return Section(encodable(heading), KINDS.get(part, "other"), words)
