"""The one way to the servers of others: limits, deadlines, retries, checks, typed failures.

Every failure is an exception of the family ``etl.errors.SourceError``: ``UnavailableError``
(retryable: the network or the server, after all attempts) or ``StatusError`` and ``SourceError``
(the same again next time). Nothing that failed is ever returned as an empty answer.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from etl.errors import SourceError
from etl.sources.http_attempts import persist
from etl.sources.http_checks import HEAD, Kind, wrong_end, wrong_start
from etl.sources.http_download import Download, Wanted
from etl.sources.http_errors import Passing, StatusError, quiet_logs, scrub
from etl.sources.http_exchange import Answer, Ask, Exchange, checked_address
from etl.sources.http_limits import Deadline, NoTurnError
from etl.sources.http_settings import Settings, from_environment


@dataclass(frozen=True)
class Response:
    """A whole answer. ``url`` is where it came from after redirects; it may hold secrets.

    ``headers`` have names in lower case; ``body`` is decoded (Content-Encoding), not parsed.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes


Check = Callable[[Response], None]

# In an outage a service refuses everybody with these; 404 is an answer.
_REFUSALS = frozenset({400, 401, 403})


class Transport:
    """Asks servers by ``settings``. One object serves all threads and shares one limiter."""

    def __init__(self, settings: Settings | None = None) -> None:
        quiet_logs()
        self.settings = settings or from_environment()
        self._exchange = Exchange(self.settings)

    def get(  # noqa: PLR0913 - what may differ from question to question
        self,
        url: str,
        *,
        params: Mapping[str, str | None] | None = None,
        headers: Mapping[str, str] | None = None,
        expect: Kind | None = None,
        accept: Collection[int] = (),
        check: Check | None = None,
        within: Deadline | None = None,
    ) -> Response:
        """The answer to a GET, whole and of the kind ``expect``.

        ``params`` without a value are not sent. A status in ``accept`` is returned with its
        body unchecked. ``check`` looks at each whole answer: it raises ``Passing`` for an error
        under status 200 that may pass, ``SourceError`` for one that stays. Nobody waits longer
        than ``within``. Raises ``UnavailableError`` when there is no good answer within
        ``settings.total_seconds`` or ``settings.attempts``, ``BudgetError`` when the requests of
        the day are used up, ``StatusError`` for a refusal that will stay, ``SourceError`` for a
        body above ``limit`` bytes or a bad address.
        """
        asked = {"Accept-Encoding": "gzip", **(headers or {})}
        ask = Ask("GET", with_params(url, params or {}), asked, frozenset(accept))
        return self._persist(ask, lambda answer: self._whole(answer, expect, check), within)

    def post(  # noqa: PLR0913 - as get
        self,
        url: str,
        *,
        form: Mapping[str, str | None],
        headers: Mapping[str, str] | None = None,
        expect: Kind | None = None,
        accept: Collection[int] = (),
        check: Check | None = None,
        within: Deadline | None = None,
    ) -> Response:
        """The answer to a POST of ``form``; for questions that are too long for an address.

        Only for questions that change nothing on the server: it is repeated like a GET. The
        rest is as in ``get``.
        """
        asked = {
            "Accept-Encoding": "gzip",
            "Content-Type": "application/x-www-form-urlencoded",
            **(headers or {}),
        }
        body = urlencode({name: value for name, value in form.items() if value}).encode()
        ask = Ask("POST", url, asked, frozenset(accept), body=body)
        return self._persist(ask, lambda answer: self._whole(answer, expect, check), within)

    def base(self, name: str) -> str:
        """The address of a service by its name in ``http_settings.BASES``; ends in a slash."""
        return self.settings.bases[name]

    def head(self, url: str) -> Response:
        """The headers that a GET would have; ``body`` is empty. Raises as ``get`` does."""
        ask = Ask("HEAD", url, {"Accept-Encoding": "identity"})
        return self._persist(ask, lambda a: Response(a.url, a.status, a.headers, b""))

    def download(
        self,
        url: str,
        target: Path,
        *,
        expected_size: int | None = None,
        expect: Kind | None = None,
        progress: Callable[[int, int | None], None] | None = None,
    ) -> Path:
        """Puts the bytes at ``url`` into ``target`` as they are delivered; returns ``target``.

        What is already there is replaced, and only by a whole file. A transfer that breaks,
        stalls or crawls goes on where it stopped, in this call or in a later one (the bytes so
        far are in ``<target>.part``); a file that changed in between is fetched from its start.
        ``progress`` gets the bytes so far and the bytes in all, None while unknown.

        Raises ``UnavailableError``, ``StatusError`` and ``SourceError`` as ``get`` does, and
        ``StoreError`` when the disk refuses.
        """
        wanted = Wanted(url, target, expected_size, expect, progress or (lambda done, total: None))
        return Download(self._exchange, wanted).run()

    def _persist(
        self, ask: Ask, read: Callable[[Answer], Response], within: Deadline | None = None
    ) -> Response:
        deadline = Deadline(self.settings.total_seconds)
        if within is not None and within.left < deadline.left:
            deadline = within
        family = self.settings.family_of(checked_address(ask.url))
        fuses = self._exchange.fuses

        def attempt() -> Response:
            fuses.check(family)
            try:
                with self._exchange.open(ask, deadline) as answer:
                    response = read(answer)
            except NoTurnError:
                raise
            except (Passing, StatusError) as error:
                if not isinstance(error, StatusError) or error.status in _REFUSALS:
                    fuses.failed(family, scrub(str(error)))
                raise
            fuses.worked(family)
            return response

        return persist(self.settings, ask.url, deadline, attempt)

    def _whole(self, answer: Answer, expect: Kind | None, check: Check | None) -> Response:
        limit = self.settings.body_limit
        if (answer.length or 0) > limit:
            raise _too_large(answer, limit)
        body = bytearray()
        for chunk in answer.chunks(decode=True):
            body += chunk
            if len(body) > limit:
                raise _too_large(answer, limit)
        if answer.status < 300:
            wrong = wrong_start(bytes(body[:HEAD]), expect) or wrong_end(bytes(body), expect)
            if wrong:
                raise Passing(wrong, answer.status)
        response = Response(answer.url, answer.status, answer.headers, bytes(body))
        if check is not None and answer.status < 300:
            check(response)
        return response


def _too_large(answer: Answer, limit: int) -> SourceError:
    return SourceError(
        f"{scrub(answer.url)}: the answer is larger than the {limit} bytes that are expected at "
        "most; check the address"
    )


def with_params(url: str, params: Mapping[str, str | None]) -> str:
    """``url`` with the fields of ``params`` that have a value."""
    fields = urlencode({name: value for name, value in params.items() if value})
    if not fields:
        return url
    return f"{url}{'&' if urlsplit(url).query else '?'}{fields}"


@cache
def transport() -> Transport:
    """The transport of this process, set by the environment; its limiter is the only one."""
    return Transport()
