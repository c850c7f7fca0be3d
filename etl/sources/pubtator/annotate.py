"""Annotations of titles and abstracts by PubTator3, in batches.

Contract: https://www.ncbi.nlm.nih.gov/research/pubtator3/api (at most three requests a second, in
the budget of all of NCBI). Answers come in any order; unknown PMIDs of a batch are silently
absent, a batch of unknown ones is a 400.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from etl.errors import SourceError
from etl.sources.http import Response, Transport
from etl.sources.http_errors import Passing, StatusError
from etl.sources.http_limits import Deadline
from etl.sources.http_reading import Reading, json_of
from etl.sources.outcome import Outcome, Reply, failed

SOURCE = "pubtator"
BATCH = 100
ANNOTATIONS = pa.schema(
    [
        pa.field("pmid", pa.int64(), nullable=False),
        pa.field("type", pa.string(), nullable=False),  # Disease, Chemical, Gene, Species, ...
        pa.field("identifier", pa.string()),  # MESH:D008545, NCBI gene id; null when none
        pa.field("name", pa.string(), nullable=False),
        pa.field("mentions", pa.int32(), nullable=False),
    ]
)
TAGS = {"Disease": "diseases", "Chemical": "drugs", "Gene": "genes"}


def annotate(
    http: Transport, pmids: Sequence[int], within: Deadline | None = None
) -> Reply[pa.Table]:
    """The entities of ``pmids`` (schema ``ANNOTATIONS``), most mentioned first.

    PMIDs that did not come are ``missing``; UNKNOWN when the service knows none of them. A known
    PMID may have no entities: it is then not missing and has no row.
    """
    started, requests = time.monotonic(), 0
    wanted = list(dict.fromkeys(pmids))
    rows: list[dict[str, Any]] = []
    known: set[int] = set()
    failure: Reply[pa.Table] | None = None
    for low in range(0, len(wanted), BATCH):
        requests += 1
        try:
            for pmid, found in _ask(http, wanted[low : low + BATCH], within):
                known.add(pmid)
                rows += found
        except SourceError as error:
            failure = failed(SOURCE, error)
    outcome = Outcome.FOUND if known else failure.outcome if failure else Outcome.UNKNOWN
    return Reply(
        SOURCE,
        outcome if wanted else Outcome.NONE,
        pa.Table.from_pylist(rows, ANNOTATIONS) if known else None,
        detail=failure.detail if failure else "",
        status=failure.status if failure else 200 if requests else None,
        asked=len(wanted),
        missing=tuple(str(p) for p in wanted if p not in known),
        requests=requests,
        seconds=time.monotonic() - started,
    )


def tags(annotations: pa.Table) -> dict[int, dict[str, list[str]]]:
    """``diseases``, ``drugs`` and ``genes`` of each PMID, most mentioned first."""
    found: dict[int, dict[str, list[str]]] = {}
    for row in annotations.to_pylist():
        lists = found.setdefault(row["pmid"], {name: [] for name in TAGS.values()})
        if row["type"] in TAGS:
            lists[TAGS[row["type"]]].append(row["name"])
    return found


Found = Iterator[tuple[int, list[dict[str, Any]]]]


def _ask(http: Transport, pmids: Sequence[int], within: Deadline | None) -> Found:
    reading = Reading(_documents)
    try:
        http.get(
            f"{http.base('pubtator')}publications/export/biocjson",
            params={"pmids": ",".join(map(str, pmids))},
            expect="json",
            check=reading,
            within=within,
        )
    except StatusError as error:
        if error.status == 400 and b"Could not retrieve" in error.body:
            return
        raise
    asked = set(pmids)
    for document in reading.value:
        pmid = _number(document.get("id")) or _number(str(document.get("_id")).partition("|")[0])
        if pmid in asked:
            assert pmid is not None  # noqa: S101 - None is never asked for
            yield pmid, list(_rows(pmid, document))


def _documents(response: Response) -> list[Mapping[str, Any]]:
    body = json_of(response)
    # the wrapper came in 2024; before, the documents stood alone
    found = body.get("PubTator3") if isinstance(body, dict) else body
    found = body.get("documents") if found is None and isinstance(body, dict) else found
    if not isinstance(found, list):
        raise Passing("answered without documents", response.status)
    documents = [document for document in found if isinstance(document, Mapping)]
    if not documents:
        raise Passing("answered with no document at all", response.status)
    return documents


def _rows(pmid: int, document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    counts = Counter(key for passage in _list(document, "passages") for key in _entities(passage))
    for (kind, identifier, name), mentions in counts.most_common():
        yield {
            "pmid": pmid,
            "type": kind,
            "identifier": identifier,
            "name": name,
            "mentions": mentions,
        }


def _entities(passage: Mapping[str, Any]) -> Iterator[tuple[str, str | None, str]]:
    for one in _list(passage, "annotations"):
        infons = one.get("infons")
        if not isinstance(infons, Mapping) or not isinstance(infons.get("type"), str):
            continue
        identifier = infons.get("identifier") or infons.get("normalized_id")
        name = infons.get("name") or one.get("text")
        if isinstance(name, str) and name.strip():
            yield infons["type"], str(identifier) if identifier else None, name.strip()


def _list(of: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = of.get(name)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def _number(value: object) -> int | None:
    text = str(value) if isinstance(value, str | int) else ""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
