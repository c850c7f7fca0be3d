"""One study, one row: the same record from several sources, and a preprint with its article."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

Row = dict[str, Any]

_WORD = re.compile(r"[a-z0-9]+")
_LEAST_WORDS = 5  # short titles ("Reply") match by chance


def united(rows: Iterable[Row]) -> list[Row]:
    """``rows`` without repetitions: PMID before PMCID before DOI; the first of equals leads.

    What the leading row lacks is taken from the others, whose sources join its chain. A preprint
    of an article that is there too says so in ``superseded_by`` and follows it.
    """
    found: list[Row] = []
    by_key: dict[str, Row] = {}
    for row in rows:
        names = keys(row)
        leading = next((by_key[name] for name in names if name in by_key), row)
        if leading is row:
            found.append(row)
        else:
            _join(leading, row)
        by_key |= dict.fromkeys([*keys(leading), *names], leading)
    return _with_articles(found)


def keys(row: Mapping[str, Any]) -> list[str]:
    """Names under which a record may come again, the surest first."""
    doi = str(row.get("doi") or "").lower().removeprefix("https://doi.org/")
    named = (
        f"PMID:{row['pmid']}" if row.get("pmid") else "",
        f"PMCID:{str(row['pmcid']).upper()}" if row.get("pmcid") else "",
        f"DOI:{doi}" if doi else "",
        str(row["evidence_id"]),
    )
    return list(dict.fromkeys(name for name in named if name))


def _join(leading: Row, other: Mapping[str, Any]) -> None:
    for key, value in other.items():
        if leading.get(key) in (None, [], "") and key not in ("score", "superseded_by"):
            leading[key] = value
    chain = leading.get("source_chain") or []
    new = [name for name in other.get("source_chain") or [] if name not in chain]
    leading["source_chain"] = [*chain, *new]


def _with_articles(rows: list[Row]) -> list[Row]:
    articles = {title_key(row): row for row in rows if not row.get("is_preprint")}
    articles.pop(None, None)
    for row in rows:
        article = articles.get(title_key(row)) if row.get("is_preprint") else None
        if article is not None and not row.get("superseded_by"):
            row["superseded_by"] = article.get("pmid") or article["evidence_id"]
            article["preprints"] = [*article.get("preprints", []), row["evidence_id"]]
    return rows


def title_key(row: Mapping[str, Any]) -> tuple[str, str] | None:
    """Words of the title and first author's name; None when they tell too little."""
    words = _WORD.findall(_plain(str(row.get("title") or "")))
    authors = row.get("authors") or [""]
    author = _plain(str(authors[0])).rpartition(" ")[0] or _plain(str(authors[0]))
    return (" ".join(words), author) if len(words) >= _LEAST_WORDS and author else None


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text.lower())
    return "".join(c for c in folded if not unicodedata.combining(c)).strip()
