"""Europe PMC's search: pages by cursor, nothing dropped, errors under status 200 seen.

Contract: https://europepmc.org/RestfulWebService (``/search``). The end is a missing cursor, an
empty page or the same cursor again; ``hitCount`` may be larger than what ever comes.
"""

import json
import time
from collections.abc import Iterator
from datetime import date
from typing import Any

import pyarrow as pa

from etl.errors import SourceError, UsageError
from etl.sources.europepmc.record import row
from etl.sources.http import Response, Transport
from etl.sources.http_errors import Passing, StatusError, scrub
from etl.sources.http_limits import Deadline
from etl.sources.live_rows import encodable, live_table
from etl.sources.outcome import Outcome, Reply, failed

SOURCE = "europepmc-search"
PAGE = 100
_LONG = 1500  # characters of a query that go into an address


def search(  # noqa: PLR0913 - what a search may be narrowed by
    http: Transport,
    query: str,
    *,
    since: date | None = None,
    until: date | None = None,
    preprints: bool = False,
    limit: int = 100,
    within: Deadline | None = None,
) -> Reply[pa.Table]:
    """At most ``limit`` records for ``query`` (Europe PMC's language), most relevant first.

    The rows are of the schema ``LIVE``; preprints only with ``preprints``. ``since`` and
    ``until`` are days of first publication. NONE is said only when the service counted none; a
    search that ends before what was counted says so in ``detail``. Raises ``UsageError`` for an
    empty query and a limit below 1.
    """
    if not query.strip() or limit < 1:
        raise UsageError(f"a search needs words and a limit of 1 or more, not {query!r}, {limit}")
    started = time.monotonic()
    asked = _Pages(http, _narrowed(query, since, until, preprints), limit, within)
    rows: list[dict[str, Any]] = []
    try:
        for page in asked:
            rows += page
    except SourceError as error:
        if not rows:
            return failed(
                SOURCE, error, requests=asked.requests, seconds=time.monotonic() - started
            )
        asked.detail = f"stopped after {len(rows)} records: {scrub(str(error))}"
    return Reply(
        SOURCE,
        _outcome(rows, asked.counted),
        live_table(SOURCE, rows[:limit]) if rows else None,
        detail=asked.detail,
        status=200,
        requests=asked.requests,
        seconds=time.monotonic() - started,
    )


def _outcome(rows: list[dict[str, Any]], counted: int) -> Outcome:
    if rows:
        return Outcome.FOUND
    return Outcome.FAILED if counted else Outcome.NONE  # none of those counted has an id


def _narrowed(query: str, since: date | None, until: date | None, preprints: bool) -> str:
    parts = [f"({query})"]
    if since or until:
        low, high = since or date(1800, 1, 1), until or date(3000, 1, 1)
        parts.append(f"(FIRST_PDATE:[{low.isoformat()} TO {high.isoformat()}])")
    if not preprints:
        parts.append("NOT (SRC:PPR)")
    # AND binds tighter than OR there: everything is in brackets
    return " ".join([parts[0], *(p if p.startswith("NOT") else f"AND {p}" for p in parts[1:])])


class _Pages:
    """The pages of one search.

    ``detail`` says what did not come, ``counted`` is what the service announced, ``requests``
    what was asked.
    """

    def __init__(self, http: Transport, query: str, limit: int, within: Deadline | None) -> None:
        self.requests, self.detail, self.counted = 0, "", 0
        self._size = str(min(PAGE, limit))  # the same for all pages: the cursor belongs to it
        self._http, self._query, self._limit, self._within = http, query, limit, within

    def __iter__(self) -> Iterator[list[dict[str, Any]]]:
        cursor: Any = "*"
        seen, got, unnamed = {"*"}, 0, 0
        while got < self._limit:
            self.requests += 1
            answer = self._ask(cursor)
            self.counted = _count(answer)
            found = answer["resultList"]["result"]
            if not found:
                break
            rows = [made for record in found if isinstance(record, dict) and (made := row(record))]
            unnamed += len(found) - len(rows)
            got += len(found)
            yield rows
            cursor = answer.get("nextCursorMark")
            if not isinstance(cursor, str) or not cursor.isascii() or cursor in {"", *seen}:
                break
            seen.add(cursor)
        self.detail = self._shortfall(got, unnamed)

    def _shortfall(self, got: int, unnamed: int) -> str:
        said = [f"{unnamed} records without an id were left out"] if unnamed else []
        if got < min(self.counted, self._limit):
            said.append(f"{self.counted} records were counted and {got} came")
        return "; ".join(said)

    def _ask(self, cursor: str) -> dict[str, Any]:
        fields = {
            "query": self._query,
            "format": "json",
            "resultType": "core",
            "pageSize": self._size,
            "cursorMark": cursor,
            "email": self._http.settings.contact,
        }
        base = self._http.base("europepmc")
        if len(self._query) > _LONG:
            response = self._http.post(
                f"{base}searchPOST", form=fields, expect="json", check=_check, within=self._within
            )
        else:
            response = self._http.get(
                f"{base}search", params=fields, expect="json", check=_check, within=self._within
            )
        return _body(response)


def _body(response: Response) -> dict[str, Any]:
    try:
        body = json.loads(response.body, strict=False)
    except (ValueError, RecursionError):
        raise Passing("answered with broken JSON", response.status) from None
    if not isinstance(body, dict):
        raise Passing("answered with JSON of another shape", response.status)
    return body


def _count(answer: dict[str, Any]) -> int:
    count = answer.get("hitCount")
    return count if isinstance(count, int) else len(answer["resultList"]["result"])


def _check(response: Response) -> None:
    """An error under status 200 has errCode, or no result list and no count."""
    body = _body(response)
    if "errCode" in body:
        words = encodable(str(body.get("errMsg") or body["errCode"]))
        raise StatusError(f"Europe PMC refuses the search: {words[:200]}", 400)
    inner = body.get("resultList")
    if not isinstance(inner, dict) or not isinstance(inner.get("result"), list):
        raise Passing("answered without a list of results", response.status)
    if not inner["result"] and body.get("hitCount") and _first(response):
        raise Passing(f"counted {body['hitCount']} records and sent none", response.status)


def _first(response: Response) -> bool:
    return "cursorMark=%2A" in response.url or "cursorMark=*" in response.url
