"""One work of OpenAlex as a row of ``citations``.

Facts: identifiers are addresses (``ids.pmid`` too); the abstract is an inverted index, null for
several publishers, and its positions may have gaps; ``is_retracted`` is often wrong and is not
taken over.
"""

import re
from collections.abc import Mapping
from typing import Any

from etl.sources.live_rows import plain, types

# OpenAlex's types whose names PubMed has too; an article says nothing about its design.
TYPES = {
    "preprint": "Preprint",
    "review": "Review",
    "letter": "Letter",
    "editorial": "Editorial",
    "erratum": "Published Erratum",
}
MOST_WORDS = 5_000  # of an abstract; positions beyond are not believed

_PMID = re.compile(r"(?:https?://pubmed\.ncbi\.nlm\.nih\.gov/)?(\d{1,9})/?")
_PMCID = re.compile(r"(?:.*/)?(?:PMC)?(\d{1,10})/?")
_WORK = re.compile(r"(?:https://openalex\.org/)?(W\d+)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def row(work: Mapping[str, Any]) -> dict[str, Any] | None:
    """The row of a work; None without an id."""
    ids = _dict(work.get("ids"))
    name = _WORK.fullmatch(_text(work.get("id")) or "")
    if name is None:
        return None
    found = _PMID.fullmatch(_text(ids.get("pmid")) or "")
    pmid = int(found[1]) if found and int(found[1]) else None
    place = _dict(_dict(work.get("primary_location")).get("source"))
    biblio = _dict(work.get("biblio"))
    kind = TYPES.get(str(work.get("type")))
    pages = [p for p in (_text(biblio.get("first_page")), _text(biblio.get("last_page"))) if p]
    return {
        "pmid": pmid,
        "evidence_id": f"PMID:{pmid}" if pmid else f"OPENALEX:{name[1]}",
        "title": plain(work.get("title") or work.get("display_name")),
        "abstract": abstract(work.get("abstract_inverted_index")),
        "doi": _doi(work.get("doi")),
        "pmcid": _pmcid(ids.get("pmcid")),
        "journal": _text(place.get("display_name")),
        "issn_linking": _text(place.get("issn_l")),
        "volume": _text(biblio.get("volume")),
        "issue": _text(biblio.get("issue")),
        "pages": "-".join(dict.fromkeys(pages)) or None,
        "authors": _authors(work),
        **types([kind] if kind else []),
        **_dates(work),
    }


def abstract(index: object) -> str | None:
    """The text of an inverted index: each word at its positions, gaps closed; None without one."""
    if not isinstance(index, Mapping):
        return None
    words: dict[int, str] = {}
    for word, positions in index.items():
        for place in positions if isinstance(positions, list) else []:
            if isinstance(place, int) and 0 <= place < MOST_WORDS:
                words[place] = str(word)
    return plain(" ".join(words[place] for place in sorted(words)))


def _authors(work: Mapping[str, Any]) -> list[str]:
    found = work.get("authorships")
    people = [_dict(_dict(a).get("author")) for a in found] if isinstance(found, list) else []
    return [name for p in people if (name := _text(p.get("display_name")))]


def _dates(work: Mapping[str, Any]) -> dict[str, Any]:
    said = _text(work.get("publication_date")) or ""
    day = said if _DAY.fullmatch(said) else None
    year = work.get("publication_year")
    known = year if isinstance(year, int) and 1000 <= year <= 9999 else None
    return {
        "year": known or (int(day[:4]) if day else None),
        "publication_date": day or (str(known) if known else None),
        "publication_date_precision": "day" if day else "year" if known else "unknown",
    }


def _doi(value: object) -> str | None:
    text = _text(value)
    return re.sub(r"^https?://(?:dx\.)?doi\.org/", "", text).lower() if text else None


def _pmcid(value: object) -> str | None:
    found = _PMCID.fullmatch(_text(value) or "")
    return f"PMC{found[1]}" if found else None


def _dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    return (value.strip() or None) if isinstance(value, str) else None
