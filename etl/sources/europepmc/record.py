"""One record of Europe PMC's search (resultType=core) as a row of ``citations``.

Facts: flags are Y/N, absent fields are absent, ``pubYear`` is text, abstracts and titles hold
HTML; a preprint (source PPR) has no journalInfo, its server is under bookOrReportDetails.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from etl.sources.live_rows import PREPRINT, plain, types

Json = Mapping[str, Any]

# JATS article types, which stand among the publication types, as MeSH names them; the others are
# either spelt as in MeSH or say nothing of the design (research-article).
TYPES = {
    "review-article": "Review",
    "systematic-review": "Systematic Review",
    "case-report": "Case Reports",
    "correction": "Published Erratum",
    "retraction": "Retraction of Publication",
}
_HEADED = re.compile(r"<h4\b[^<>]*>(.*?)</h4\s*>", re.I | re.S)

# What Europe PMC's commentCorrectionList says, in the words of PubMed's CommentsCorrections.
RELATIONS = {
    "preprint of": "UpdateIn",
    "preprint in": "UpdateOf",
    "retraction in": "RetractionIn",
    "retraction of": "RetractionOf",
    "erratum in": "ErratumIn",
    "erratum for": "ErratumFor",
    "expression of concern in": "ExpressionOfConcernIn",
    "expression of concern for": "ExpressionOfConcernFor",
    "comment in": "CommentIn",
    "comment on": "CommentOn",
}


def row(record: Json) -> dict[str, Any] | None:
    """The row of one result; None when it has no id, so that nothing could name it."""
    source, name = _text(record, "source"), _text(record, "id")
    if not source or not name:
        return None
    pmid = _number(record.get("pmid")) or (_number(name) if source == "MED" else None)
    return {
        "pmid": pmid,
        "evidence_id": f"PMID:{pmid}" if pmid else f"{source}:{name}",
        "status": None,
        "title": plain(record.get("title")),
        **_abstract(record.get("abstractText")),
        "doi": _doi(record),
        "pmcid": _text(record, "pmcid"),
        "languages": [code for code in [_text(record, "language")] if code],
        "keywords": [k for k in map(plain, _list(record, "keywordList", "keyword")) if k],
        **types(_types(record, source)),
        **_journal(record),
        **_dates(record),
        **_people(record),
        **_headings(record),
        "comments_corrections": list(_corrections(record)),
    }


def _types(record: Json, source: str) -> list[object]:
    given = _list(record, "pubTypeList", "pubType")
    named = [TYPES.get(name.lower(), name) if isinstance(name, str) else name for name in given]
    return [*named, *([PREPRINT] if source == "PPR" else [])]


def _doi(record: Json) -> str | None:
    doi = (_text(record, "doi") or "").lower()
    return doi.removeprefix("https://doi.org/").removeprefix("doi:").strip() or None


def _abstract(html: object) -> dict[str, Any]:
    """The abstract by its headings (``h4``), and in one piece with them as in PubMed's rows."""
    parts = _HEADED.split(html) if isinstance(html, str) else []
    if len(parts) < 3:  # no heading: the text alone
        return {"abstract": plain(html)}
    pairs = [(None, parts[0]), *zip(parts[1::2], parts[2::2], strict=True)]
    sections = [
        {"label": (plain(label) or "").rstrip(":") or None, "category": None, "text": text}
        for label, piece in pairs
        if (text := plain(piece))
    ]
    joined = " ".join(": ".join(filter(None, (s["label"], s["text"]))) for s in sections)
    return {"abstract": joined or None, "abstract_sections": sections}


def _journal(record: Json) -> dict[str, Any]:
    info = _dict(record, "journalInfo")
    journal = _dict(info, "journal")
    report = _dict(record, "bookOrReportDetails")
    title = _text(journal, "title") or _text(record, "journalTitle")
    return {
        "journal": title or _text(report, "publisher"),
        "journal_abbreviation": _text(journal, "medlineAbbreviation")
        or _text(journal, "isoabbreviation"),
        "journal_nlm_id": _text(journal, "nlmid"),
        "issn_print": _text(journal, "issn"),
        "issn_electronic": _text(journal, "essn"),
        "volume": _text(info, "volume") or _text(record, "journalVolume"),
        "issue": _text(info, "issue") or _text(record, "issue"),
        "pages": _text(record, "pageInfo"),
    }


def _dates(record: Json) -> dict[str, Any]:
    day = _text(record, "firstPublicationDate")
    known = day if day and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", day) else None
    year = _number(record.get("pubYear")) or (int(known[:4]) if known else None)
    year = year if year and 1000 <= year <= 9999 else None
    return {
        "year": year,
        "publication_date": known or (str(year) if year else None),
        "publication_date_precision": "day" if known else "year" if year else "unknown",
    }


def _people(record: Json) -> dict[str, Any]:
    people = [a for a in _list(record, "authorList", "author") if isinstance(a, Mapping)]
    names = [n for n in (_name(a) for a in people) if n]
    if not names and (line := _text(record, "authorString")):
        names = [n.strip() for n in line.rstrip(".").split(",") if n.strip()]
    places = [
        plain(place.get("affiliation"))
        for author in people
        for place in _list(author, "authorAffiliationDetailsList", "authorAffiliation")
        if isinstance(place, Mapping)
    ]
    return {
        "authors": names,
        "author_details": [_details(a) for a in people if _name(a)],
        "affiliations": list(dict.fromkeys(p for p in places if p)),
    }


def _name(author: Json) -> str | None:
    return _text(author, "fullName") or _text(author, "collectiveName")


def _details(author: Json) -> dict[str, Any]:
    identity = _dict(author, "authorId")
    return {
        "last_name": _text(author, "lastName"),
        "fore_name": _text(author, "firstName"),
        "initials": _text(author, "initials"),
        "suffix": None,
        "collective_name": _text(author, "collectiveName"),
        "orcid": _text(identity, "value") if _text(identity, "type") == "ORCID" else None,
        "valid": None,
        "equal_contribution": None,
        "affiliations": [],
    }


def _headings(record: Json) -> dict[str, Any]:
    found = [h for h in _list(record, "meshHeadingList", "meshHeading") if isinstance(h, Mapping)]
    terms = [
        {
            "ui": None,
            "name": name,
            "major": heading.get("majorTopic_YN") == "Y",
            "qualifiers": [
                {
                    "ui": None,
                    "name": _text(q, "qualifierName"),
                    "major": q.get("majorTopic_YN") == "Y",
                }
                for q in _list(heading, "meshQualifierList", "meshQualifier")
                if isinstance(q, Mapping)
            ],
        }
        for heading in found
        if (name := _text(heading, "descriptorName"))
    ]
    # the UIs are not in the answer: the rows are graded by the names of their types
    return {"mesh_terms": terms, "mesh_headings": [term["name"] for term in terms]}


def _corrections(record: Json) -> Iterator[dict[str, Any]]:
    for item in _list(record, "commentCorrectionList", "commentCorrection"):
        if not isinstance(item, Mapping):
            continue
        kind = RELATIONS.get((_text(item, "type") or "").lower())
        if kind:
            number = _number(item.get("id")) if item.get("source") == "MED" else None
            yield {
                "ref_type": kind,
                "pmid": number,
                "source": _text(item, "reference"),
                "note": _text(item, "note"),
            }


def _dict(of: Json, name: str) -> Json:
    inner = of.get(name)
    return inner if isinstance(inner, Mapping) else {}


def _list(of: Json, outer: str, inner: str) -> list[Any]:
    found = _dict(of, outer).get(inner)
    return found if isinstance(found, list) else []


def _text(of: Json, name: str) -> str | None:
    value = of.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return (value.strip() or None) if isinstance(value, str) else None


def _number(value: object) -> int | None:
    text = str(value).strip() if isinstance(value, str | int) else ""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) and int(text) else None
