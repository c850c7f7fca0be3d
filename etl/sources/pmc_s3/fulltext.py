"""Full texts from PMC's public bucket: the newest version of an article as JATS.

Since 2026 the articles lie under ``PMC123.1/``, one prefix a version
(https://pmc.ncbi.nlm.nih.gov/tools/pmcaws/); an unknown article has no prefix. Author manuscripts
and others outside of the open access subset lie there too: each version's ``.json`` tells
(``is_pmc_openaccess``), and is read before the text.
"""

import json
import re

from etl.sources.europepmc.fulltext import paragraphs
from etl.sources.fulltext_reply import Count, NotOpenError, Text, asked_pmcid, reply
from etl.sources.http import Response, Transport
from etl.sources.http_errors import Passing
from etl.sources.http_limits import Deadline
from etl.sources.outcome import Reply

SOURCE = "pmc-s3"


def full_text(http: Transport, pmcid: str, within: Deadline | None = None) -> Reply[Text]:
    """The paragraphs of the newest version of ``pmcid`` (``PMC123``); only of open access.

    Raises ``UsageError`` when ``pmcid`` is no PMCID.
    """
    pmcid = asked_pmcid(pmcid)

    def ask(count: Count) -> Text:
        count.requests += 1
        where = {"list-type": "2", "prefix": f"{pmcid}.", "delimiter": "/"}
        base = http.base("pmc-s3")
        listed = http.get(base, params=where, expect="xml", check=_check, within=within)
        version = _newest(listed.body, pmcid)
        if version is None:
            raise NotOpenError("not among PMC's open articles", listed.status)
        stem = f"{base}{pmcid}.{version}/{pmcid}.{version}"
        count.requests += 1
        http.get(f"{stem}.json", expect="json", check=_open, within=within)
        count.requests += 1
        return paragraphs(http, f"{stem}.xml", within)

    return reply(SOURCE, pmcid, ask)


def _check(response: Response) -> None:
    if b"<ListBucketResult" not in response.body[:1000]:
        raise Passing("answered with XML that is no listing", response.status)


def _open(response: Response) -> None:
    try:
        said = json.loads(response.body)
    except (ValueError, RecursionError):
        raise Passing("answered with broken JSON", response.status) from None
    if not isinstance(said, dict) or "is_pmc_openaccess" not in said:
        raise Passing("answered with JSON that does not say whether it is open", response.status)
    if said["is_pmc_openaccess"] is not True:
        raise NotOpenError("outside of PMC's open access subset", response.status)


def _newest(listing: bytes, pmcid: str) -> int | None:
    pattern = rf"<Prefix>{re.escape(pmcid)}\.(\d{{1,4}})/</Prefix>".encode()
    return max((int(number) for number in re.findall(pattern, listing)), default=None)
