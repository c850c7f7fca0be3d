"""What BioMCP's answers say: PMIDs, NCT numbers, and which of its services failed.

Facts (0.9.3 and 0.7.3): the answer is JSON as text; article searches say ``complete`` and
``_meta.source_status``; trial searches say neither, so no trials may be an outage; the older line
answers with a bare list or with text.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_PMID = re.compile(r"(?im)\bpm(?:id|ids)?\W{1,4}(\d{1,9})\b|pubmed\.ncbi\.nlm\.nih\.gov/(\d{1,9})")
_NCT = re.compile(r"\bNCT\d{8}\b")


@dataclass(frozen=True)
class Finds:
    """PMIDs and NCT numbers in the order found; ``failed`` names services without an answer."""

    pmids: tuple[int, ...] = ()
    nct_ids: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """One call's answer. ``certain`` says whether an empty one means that there is none."""

    pmids: tuple[int, ...] = ()
    nct_ids: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    certain: bool = False


def articles(text: str) -> Part:
    """An article search of either line."""
    body = _json(text)
    if isinstance(body, Mapping) and "results" in body:
        failed = tuple(_failed(body))
        complete = body.get("complete") is True and not failed
        return Part(tuple(_pmids(body["results"])), (), failed, complete)
    if body is not None:
        return Part(tuple(_pmids(body)))
    return Part(tuple(_unique(int(a or b) for a, b in _PMID.findall(text))))


def trials(text: str) -> Part:
    """A trial search of either line; never certain when empty."""
    found = tuple(dict.fromkeys(_NCT.findall(text)))
    return Part((), found, () if found else ("clinicaltrials",))


def _failed(body: Mapping[str, Any]) -> Iterator[str]:
    meta = body.get("_meta")
    states = meta.get("source_status") if isinstance(meta, Mapping) else None
    named = False
    for one in states if isinstance(states, list) else []:
        if not isinstance(one, Mapping) or one.get("enabled") is False:
            continue
        if one.get("status") != "ok":
            named = True
            yield str(one.get("source") or "unnamed")
    if body.get("complete") is False and not named:
        yield "pubmed"  # it does not say which: the one that matters most is asked again


def _pmids(results: Any) -> Iterator[int]:
    rows = results if isinstance(results, list) else [results]
    numbers = (_number(row.get("pmid")) for row in rows if isinstance(row, Mapping))
    return _unique(number for number in numbers if number)


def _unique(numbers: Iterator[int]) -> Iterator[int]:
    return iter(dict.fromkeys(n for n in numbers if n))


def _number(value: object) -> int | None:
    text = str(value) if isinstance(value, str | int) else ""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
