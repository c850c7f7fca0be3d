"""ClinicalTrials.gov's API v2: searches and single studies, as the tables that AACT fills.

Contract: https://clinicaltrials.gov/data-api/api (OpenAPI 2.0.5). A parameter that it does not know
is a 400 in plain text; a token belongs to one query and one version of the data; the last page
may be followed by an empty one. No limit is published.
"""

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import pyarrow as pa

from etl.errors import SourceError, UsageError
from etl.sources.http import Response, Transport
from etl.sources.http_errors import Passing, StatusError
from etl.sources.http_limits import Deadline
from etl.sources.outcome import Outcome, Reply, failed
from etl.sources.trials.study import Node, nct_id, rows
from etl.store.schema import TABLES

SOURCE = "clinical-trials-v2"
PAGE = 100  # studies with results are large; the service allows 1,000
BATCH = 100  # NCT numbers in one address
MOST_PAGES = 1000
VERSION = "data_version"  # key of the tables' metadata

Tables = dict[str, pa.Table]
Json = dict[str, Any]

_NCT = re.compile(r"NCT\d{8}")
_ESSIE = re.compile(r"[\"\\\[\](){}]|\b(?:AREA|RANGE|SEARCH|EXPANSION|COVERAGE)\b")


def search(  # noqa: PLR0913 - what a search may be narrowed by
    http: Transport,
    query: str | None,
    *,
    conditions: str | None = None,
    interventions: str | None = None,
    since: date | None = None,
    limit: int = 100,
    within: Deadline | None = None,
) -> Reply[Tables]:
    """At most ``limit`` studies for plain words, most relevant first.

    ``since`` is the day of the last update posted. The tables are those of AACT, of the day that
    ``data_version`` says; NONE is said only when the registry counted none.
    """
    updated = f"AREA[LastUpdatePostDate]RANGE[{since.isoformat()},MAX]" if since else None
    asked = {
        "query.term": _words(query),
        "query.cond": _words(conditions),
        "query.intr": _words(interventions),
        "filter.advanced": updated,
    }
    return _reply(_Pages(http, asked, limit, within))


def fetch(
    http: Transport, nct_ids: Sequence[str], *, within: Deadline | None = None
) -> Reply[Tables]:
    """The studies of ``nct_ids``; what the registry does not know is ``missing``.

    A number that has become the alias of another study brings that study. Raises ``UsageError``
    for text that is no NCT number: one such would have the whole batch refused.
    """
    wanted = list(dict.fromkeys(name.strip().upper() for name in nct_ids))
    for name in wanted:
        if not _NCT.fullmatch(name):
            raise UsageError(f"{name[:40]!r} is no NCT number: give NCT and eight digits")
    started, requests, detail = time.monotonic(), 0, ""
    studies: list[Json] = []
    failure: Reply[Tables] | None = None
    for low in range(0, len(wanted), BATCH):
        batch = wanted[low : low + BATCH]
        pages = _Pages(http, {"filter.ids": ",".join(batch)}, len(batch), within)
        try:
            for page in pages:
                studies += page
        except SourceError as error:
            failure = failed(SOURCE, _told(error))
            detail = detail or failure.detail
        requests += pages.requests
    answered = {name for study in studies for name in _all_names(study)}
    missing = tuple(name for name in wanted if name not in answered)
    outcome = Outcome.FOUND if studies else failure.outcome if failure else Outcome.UNKNOWN
    return Reply(
        SOURCE,
        outcome if wanted else Outcome.NONE,
        tables(studies) if studies else None,
        detail=detail,
        status=failure.status if failure else 200 if requests else None,
        asked=len(wanted),
        missing=missing,
        requests=requests,
        seconds=time.monotonic() - started,
    )


def _all_names(study: Json) -> Iterator[str]:
    if name := nct_id(study):
        yield name
    yield from Node(study).node("protocolSection", "identificationModule").texts("nctIdAliases")


def _words(text: str | None) -> str | None:
    """Plain words: what the registry's own language would read as an operator is left out."""
    return " ".join(_ESSIE.sub(" ", text or "").split()) or None


def tables(studies: Sequence[Mapping[str, Any]]) -> Tables:
    """The AACT tables of ``studies``; those that nothing fills are empty."""
    filled: dict[str, list[dict[str, Any]]] = {n: [] for n in TABLES if n.startswith("trial")}
    for study in studies:
        for table, row in rows(study):
            filled[table].append(row)
    version = {VERSION: max(map(_version, studies), default="")}
    return {
        name: pa.table(
            {
                c.name: pa.array([row.get(c.name) for row in made], c.type)
                for c in TABLES[name].columns
            },
            metadata=version,
        )
        for name, made in filled.items()
    }


def data_version(found: Tables) -> str | None:
    """The day of the registry's data that ``found`` are of (2026-11-27); None when not said."""
    metadata = found["trials"].schema.metadata or {}
    return metadata.get(VERSION.encode(), b"").decode() or None


def _version(study: Mapping[str, Any]) -> str:
    # each study carries it, so /version, a request of 50 a minute, need not be asked
    said = Node(study).node("derivedSection", "miscInfoModule").text("versionHolder")
    return said or ""


def _reply(pages: "_Pages") -> Reply[Tables]:
    started, detail = time.monotonic(), ""
    studies: list[Json] = []
    try:
        for page in pages:
            studies += page
    except SourceError as error:
        if not studies:
            seconds = time.monotonic() - started
            return failed(SOURCE, _told(error), requests=pages.requests, seconds=seconds)
        detail = f"stopped after {len(studies)} studies: {error}"
    studies = studies[: pages.limit]
    return Reply(
        SOURCE,
        Outcome.FOUND if studies else Outcome.NONE,
        tables(studies) if studies else None,
        detail=detail or pages.detail,
        status=200,
        requests=pages.requests,
        seconds=time.monotonic() - started,
    )


def _told(error: SourceError) -> SourceError:
    if not isinstance(error, StatusError):
        return error
    said = " ".join(error.body.decode(errors="replace").split())[:200]
    if error.status == 403:
        # public reports disagree on the cause: the client's TLS, or its name (biomcp#87)
        said = (
            "its edge refuses this program's transport or its User-Agent: set EVIDENCE_USER_AGENT, "
            "or EVIDENCE_BASE_CTGOV to a relay that it lets through"
        )
    return StatusError(f"ClinicalTrials.gov answered {error.status}: {said}", error.status)


class _Pages:
    """The pages of one question; a token that is refused has it asked anew, once."""

    def __init__(
        self, http: Transport, asked: Mapping[str, str | None], limit: int, within: Deadline | None
    ) -> None:
        self.requests, self.detail = 0, ""
        self.limit = limit
        self._http, self._asked, self._within = http, asked, within

    def __iter__(self) -> Iterator[list[Json]]:
        seen: set[str] = set()
        try:
            yield from self._through(seen)
        except StatusError as error:
            if error.status != 400 or self.requests < 2:
                raise
            yield from self._through(seen)  # the data changed under the token

    def _through(self, seen: set[str]) -> Iterator[list[Json]]:
        token, got = None, 0
        for _ in range(MOST_PAGES):
            body = self._ask(token, min(PAGE, self.limit))  # a token belongs to one page size
            found = [s for s in body["studies"] if isinstance(s, dict)]
            fresh = [s for s in found if (name := nct_id(s)) and name not in seen]
            unnamed = sum(nct_id(s) is None for s in found)
            if unnamed:
                self.detail = f"{unnamed} studies without an NCT number were left out"
            seen.update(name for s in fresh if (name := nct_id(s)))
            got += len(found)
            yield fresh
            token = body.get("nextPageToken")
            if not found or not isinstance(token, str) or not token or got >= self.limit:
                return

    def _ask(self, token: str | None, size: int) -> Json:
        self.requests += 1
        fields = {**self._asked, "format": "json", "pageSize": str(size), "pageToken": token}
        url = f"{self._http.base('ctgov')}studies"
        response = self._http.get(
            url, params=fields, expect="json", check=_check, within=self._within
        )
        return _body(response)


def _body(response: Response) -> Json:
    try:
        body = json.loads(response.body)
    except (ValueError, RecursionError):
        raise Passing("answered with broken JSON", response.status) from None
    if not isinstance(body, dict) or not isinstance(body.get("studies"), list):
        raise Passing("answered without a list of studies", response.status)
    return body


def _check(response: Response) -> None:
    _body(response)
