"""OpenAlex's search: by relevance, from a day on, within the credits of the day.

Contract: https://developers.openalex.org/. A search costs credits; a 429 that lasts until midnight
UTC is the end of the day's budget (the transport stops then), and no page is asked that the credits
left cannot pay; a 401 is a wrong key. More than five boolean operators are throttled harder, so
they are sent as words.
"""

import json
import re
import time
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import pyarrow as pa

from etl.errors import SourceError
from etl.sources.http import Response, Transport
from etl.sources.http_errors import BudgetError, Passing, StatusError
from etl.sources.http_limits import Deadline
from etl.sources.live_rows import live_table
from etl.sources.openalex.work import row
from etl.sources.outcome import Outcome, Reply, failed

SOURCE = "openalex"
PAGE = 100
MOST_PAGES = 100  # 10,000 works, where the service ends too
MOST_OPERATORS = 5
SEARCH_USD = 0.001  # what a search costs where the answer does not say
MOST_CHARACTERS = 1_500  # of a query; the service takes 8,190 bytes of address

FIELDS = (
    "id,doi,title,display_name,publication_year,publication_date,ids,type,primary_location,"
    "authorships,biblio,abstract_inverted_index"
)
_OPERATOR = re.compile(r"\b(?:AND|OR|NOT)\b")


def search(
    http: Transport,
    query: str,
    *,
    since: date | None = None,
    limit: int = 100,
    within: Deadline | None = None,
) -> Reply[pa.Table]:
    """At most ``limit`` works for ``query``, most relevant first; rows of the schema ``LIVE``.

    ``since`` is a day of publication. STOPPED means that the credits of the day are used up.
    """
    started = time.monotonic()
    pages = _Pages(http, _asked(query), since, limit, within)
    rows: list[dict[str, Any]] = []
    try:
        for page in pages:
            rows += page
    except SourceError as error:
        if not rows:
            seconds = time.monotonic() - started
            return failed(SOURCE, _told(error), requests=pages.requests, seconds=seconds)
        pages.detail = f"stopped after {len(rows)} works: {error}"
    return Reply(
        SOURCE,
        Outcome.FOUND if rows else Outcome.NONE,
        live_table(SOURCE, rows[:limit]) if rows else None,
        detail=pages.detail,
        status=200,
        requests=pages.requests,
        seconds=time.monotonic() - started,
    )


def _asked(query: str) -> str:
    words = " ".join(query.split())[:MOST_CHARACTERS]
    return _OPERATOR.sub(" ", words) if len(_OPERATOR.findall(words)) > MOST_OPERATORS else words


def _told(error: SourceError) -> SourceError:
    if not isinstance(error, StatusError):
        return error
    if error.status == 401:
        return StatusError("OpenAlex refuses the key: mend or unset OPENALEX_API_KEY", 401)
    said = " ".join(error.body.decode(errors="replace").split())[:200]
    return StatusError(f"OpenAlex answered {error.status}: {said}", error.status)


class _Pages:
    """The pages of one search by cursor. ``detail`` says what did not come."""

    def __init__(
        self,
        http: Transport,
        query: str,
        since: date | None,
        limit: int,
        within: Deadline | None,
    ) -> None:
        self.requests, self.detail = 0, ""
        self._http, self._query, self._since = http, query, since
        self._limit, self._within = limit, within

    def __iter__(self) -> Iterator[list[dict[str, Any]]]:
        cursor: Any = "*"
        seen, got = {"*"}, 0
        for _ in range(MOST_PAGES):
            self.requests += 1
            response = self._ask(cursor, min(PAGE, self._limit))
            body = _body(response)
            found = body["results"]
            rows = [made for work in found if isinstance(work, dict) and (made := row(work))]
            if len(rows) < len(found):
                self.detail = f"{len(found) - len(rows)} works without an id were left out"
            got += len(found)
            yield rows
            cursor = body["meta"].get("next_cursor")
            over = not isinstance(cursor, str) or not cursor or cursor in seen
            if not found or over or got >= self._limit:
                return
            if spent(response.headers):
                self.detail = f"the credits of the day are used up after {got} works"
                return
            seen.add(cursor)

    def _ask(self, cursor: str, size: int) -> Response:
        fields = {
            "search": self._query,
            "filter": f"from_publication_date:{self._since.isoformat()}" if self._since else None,
            "select": FIELDS,
            "per_page": str(size),
            "cursor": cursor,
            "mailto": self._http.settings.contact,
        }
        key = self._http.settings.keys.get("openalex")
        return self._http.get(
            f"{self._http.base('openalex')}works",
            params=fields,
            headers={"Authorization": f"Bearer {key}"} if key else None,
            expect="json",
            check=_check,
            within=self._within,
        )


def spent(headers: Mapping[str, str]) -> bool:
    """Whether the credits left cannot pay another search; False when the answer does not say."""
    left = _dollars(headers, "remaining")
    if left is None:
        return False
    cost = _dollars(headers, "cost")
    prepaid = _dollars(headers, "prepaid-remaining") or 0.0
    return left + prepaid < (SEARCH_USD if cost is None else cost)


def _dollars(headers: Mapping[str, str], what: str) -> float | None:
    try:
        return float(headers.get(f"x-ratelimit-{what}-usd", ""))
    except ValueError:
        return None


def _body(response: Response) -> dict[str, Any]:
    try:
        body = json.loads(response.body)
    except (ValueError, RecursionError):
        raise Passing("answered with broken JSON", response.status) from None
    good = isinstance(body, dict) and isinstance(body.get("results"), list)
    if not good or not isinstance(body.get("meta"), dict):
        raise Passing("answered without a list of works", response.status)
    return dict(body)


def _check(response: Response) -> None:
    body = _body(response)
    if not body["results"] and body["meta"].get("count") and spent(response.headers):
        raise BudgetError("OpenAlex: the credits of the day are used up; ask again tomorrow")
