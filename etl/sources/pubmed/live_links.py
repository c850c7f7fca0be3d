"""PMIDs that PubMed ties to others (elink): similar articles, those that cite, those cited.

Facts: NBK25499. One ``id=`` for each PMID gives one answer for each; joined by commas they give the
union. A record without links has a LinkSet without LinkSetDb, which is an answer.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from lxml import etree

from etl.errors import SourceError
from etl.sources.http_errors import Passing
from etl.sources.http_reading import Reading
from etl.sources.outcome import Outcome, Reply, failed
from etl.sources.pubmed.eutils import REST_FAILED, SOURCE, check_xml, fields

if TYPE_CHECKING:
    from etl.sources.http import Response, Transport
    from etl.sources.http_limits import Deadline

AT_ONCE = 100

_SAFE = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)


@dataclass
class _Found:
    """Links by PMID so far, and what failed."""

    asked: tuple[int, ...]
    links: dict[int, list[int]] = field(default_factory=dict)
    error: SourceError | None = None
    requests: int = 0
    status: int | None = None


def links(
    http: "Transport",
    pmids: Sequence[int],
    *,
    linkname: str = "pubmed_pubmed_citedin",
    within: "Deadline | None" = None,
) -> Reply[dict[int, list[int]]]:
    """For each of ``pmids`` the PMIDs that PubMed ties to it by ``linkname``; [] where none.

    ``pubmed_pubmed`` (similar articles), ``pubmed_pubmed_citedin``, ``pubmed_pubmed_refs``. A
    PMID that the answer does not mention is in ``missing``.
    """
    found = _Found(tuple(dict.fromkeys(pmids)))
    started = time.monotonic()
    for start in range(0, len(found.asked), AT_ONCE):
        if found.error is not None and not found.error.retryable:
            break
        _ask(http, found, found.asked[start : start + AT_ONCE], linkname, within)
    return _reply(found, time.monotonic() - started)


def _ask(
    http: "Transport",
    found: _Found,
    batch: Sequence[int],
    linkname: str,
    within: "Deadline | None",
) -> None:
    said = {
        "dbfrom": "pubmed", "db": "pubmed", "cmd": "neighbor", "linkname": linkname,
        "retmode": "xml",
    }  # fmt: skip
    url = f"{http.base('eutils')}elink.fcgi?{urlencode([('id', str(pmid)) for pmid in batch])}"
    found.requests += 1
    reading = Reading(_root)
    try:
        answer = http.get(
            url, params=fields(http, said), expect="xml", check=reading, within=within
        )
    except SourceError as error:
        found.error = error
        return
    found.status = answer.status
    found.links |= _read(reading.value, linkname)


_check_root = check_xml(b"eLinkResult")


def _root(response: "Response") -> etree._Element:
    _check_root(response)
    try:
        return etree.fromstring(response.body, _SAFE)
    except etree.XMLSyntaxError as error:
        raise Passing(f"answered with damaged XML ({error})") from None


def _read(root: etree._Element, linkname: str) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for linkset in root.iter("LinkSet"):
        for asked in linkset.findall("IdList/Id"):
            found[int(asked.text or 0)] = [
                int(link.text or 0)
                for group in linkset.findall("LinkSetDb")
                if group.findtext("LinkName") == linkname
                for link in group.findall("Link/Id")
            ]
    return found


def _reply(found: _Found, seconds: float) -> Reply[dict[int, list[int]]]:
    missing = tuple(str(p) for p in found.asked if p not in found.links)
    if found.error is not None and not found.links:
        return failed(
            SOURCE, found.error, asked=len(found.asked), missing=missing,
            requests=found.requests, seconds=seconds,
        )  # fmt: skip
    some = any(found.links.values())
    none = Outcome.NONE if found.links or not found.asked else Outcome.UNKNOWN
    return Reply(
        source=SOURCE,
        outcome=Outcome.FOUND if some else none,
        value=found.links if some else None,
        detail=f"{REST_FAILED}{found.error}" if found.error else "",
        status=found.status,
        asked=len(found.asked),
        missing=missing,
        requests=found.requests,
        seconds=seconds,
    )
