"""Invented answers of Europe PMC, BioC and PMC's bucket in their real shapes."""

import json
from typing import Any

SEARCH = "/europepmc/search"
JATS = b"""<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS//EN" "JATS.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>
<abstract><p>We studied drops in children.</p></abstract></article-meta></front>
<body>
<sec sec-type="intro"><title>Introduction</title><p>Earlier, 900 patients were randomised
<xref ref-type="bibr" rid="r1">1</xref>.</p></sec>
<sec sec-type="methods"><title>Methods</title><sec><title>Participants</title>
<p>Between May and June, 310 children were screened<xref ref-type="bibr" rid="r2">12</xref> and
<italic>248</italic> children were randomised to drops or placebo.</p></sec></sec>
<sec><title>Results</title><p>Of the 248 randomised children, 240 were analysed.</p>
<table-wrap><table><tr><td>5000 patients were randomised</td></tr></table></table-wrap></sec>
</body><back><ref-list><ref><mixed-citation>777 patients were randomised</mixed-citation>
</ref></ref-list></back></article>
"""
FRONT_ONLY = b"<article><front><article-meta/></front></article>"
LISTING = b"""<?xml version="1.0"?><ListBucketResult><Name>pmc-oa-opendata</Name>
<CommonPrefixes><Prefix>PMC77.1/</Prefix></CommonPrefixes>
<CommonPrefixes><Prefix>PMC77.10/</Prefix></CommonPrefixes>
<CommonPrefixes><Prefix>PMC77.2/</Prefix></CommonPrefixes></ListBucketResult>"""
OPEN = b'{"pmcid": "PMC77", "version": 10, "is_pmc_openaccess": true, "license_code": "CC BY"}'
MANUSCRIPT = b'{"pmcid": "PMC77", "version": 10, "is_pmc_openaccess": false, "is_manuscript": true}'
NO_LISTING = b'<?xml version="1.0"?><ListBucketResult><KeyCount>0</KeyCount></ListBucketResult>'
NOT_OPEN = b"[Error] : No result can be found. <BR><HR> - PMID/PMCID : PMC1 <BR>"


def record(number: int, **more: Any) -> dict[str, Any]:
    """A result of resultType=core."""
    return {
        "id": str(number),
        "source": "MED",
        "pmid": str(number),
        "doi": f"10.1/{number}",
        "title": f"Drops <i>in</i> children {number}.",
        "authorList": {
            "author": [
                {"fullName": "Lee A", "firstName": "Ann", "lastName": "Lee", "initials": "A",
                 "authorId": {"type": "ORCID", "value": "0000-0001"}},
                {"collectiveName": "The Drops Group"},
            ]
        },
        "journalInfo": {
            "volume": "3", "issue": "2",
            "journal": {"title": "Journal of Drops", "medlineAbbreviation": "J Drops",
                        "issn": "1111-1111", "essn": "2222-2222", "nlmid": "9999"},
        },
        "pubYear": "2026",
        "abstractText": "<h4>Aim</h4>To see whether n &lt; 5.<h4>Results</h4>It was.",
        "language": "eng",
        "pubTypeList": {"pubType": ["Randomized Controlled Trial", "research-article"]},
        "meshHeadingList": {
            "meshHeading": [
                {"majorTopic_YN": "Y", "descriptorName": "Asthma",
                 "meshQualifierList": {"meshQualifier": [
                     {"qualifierName": "drug therapy", "majorTopic_YN": "N"}]}}
            ]
        },
        "firstPublicationDate": "2026-05-03",
        **more,
    }  # fmt: skip


def preprint(number: int, **more: Any) -> dict[str, Any]:
    """A preprint: no PMID, no journal, its server under bookOrReportDetails."""
    return {
        "id": f"PPR{number}", "source": "PPR", "doi": f"10.64898/{number}",
        "title": "A preprint on drops", "authorString": "Brown A, Green B.", "pubYear": "2026",
        "bookOrReportDetails": {"publisher": "medRxiv", "yearOfPublication": 2026}, **more,
    }  # fmt: skip


def answer(records: list[Any], cursor: str | None = None, hits: int | None = None) -> bytes:
    """One page."""
    body: dict[str, Any] = {
        "version": "6.9",
        "hitCount": len(records) if hits is None else hits,
        "resultList": {"result": records},
    }
    if cursor:
        body["nextCursorMark"] = cursor
    return json.dumps(body).encode()


def bioc(*passages: tuple[str, str]) -> bytes:
    """A collection with one document; each passage is a section type and its text."""
    made = [
        {"infons": {"section_type": part, "type": "paragraph"}, "text": text}
        for part, text in passages
    ]
    document = {"id": "77", "infons": {"license": "CC BY"}, "passages": made}
    return json.dumps([{"source": "PMC", "documents": [document]}]).encode()


BIOC = bioc(
    ("INTRO", "Earlier, 900 patients were randomised."),
    ("METHODS", "We randomised 248 children to drops or placebo."),
    ("REF", "777 patients were randomised."),
)
