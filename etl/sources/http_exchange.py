"""One request and its answer, redirects followed, everything under one deadline."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import urllib3
from urllib3.response import BaseHTTPResponse

from etl.errors import SourceError
from etl.sources.http_attempts import TRANSIENT, named_failures, reason, refused
from etl.sources.http_errors import StatusError, scrub
from etl.sources.http_limits import Budget, Deadline, Fuses, Limiter
from etl.sources.http_settings import Settings
from etl.sources.http_watch import Watch, pools

REDIRECTS = 5
_CHUNK = 64 * 1024
_ERROR_BODY = 64 * 1024
_MOVED = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True)
class Ask:
    """A request. ``patient`` lets the body take longer than one answer may (downloads)."""

    method: str
    url: str
    headers: Mapping[str, str]
    accept: frozenset[int] = frozenset()
    patient: bool = False
    body: bytes | None = None


@dataclass(frozen=True)
class Answer:
    """An answer whose body is still to be read. ``headers`` have names in lower case."""

    url: str
    status: int
    headers: Mapping[str, str]
    raw: BaseHTTPResponse

    @property
    def length(self) -> int | None:
        """Bytes that the server announced for the body; None when it did not."""
        value = self.headers.get("content-length", "")
        return int(value) if value.isdecimal() else None

    def chunks(self, *, decode: bool) -> Iterator[bytes]:
        """The body as it arrives; an early end raises."""
        while data := self.raw.read1(_CHUNK, decode_content=decode):
            yield data


class Exchange:
    """Sends requests: the pools, the limiter, the budgets and the settings of one process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.limiter = Limiter()
        self.budget = Budget()
        self.fuses = Fuses(settings)
        self._pools = pools(settings.connections)

    @contextmanager
    def open(self, ask: Ask, deadline: Deadline) -> Iterator[Answer]:
        """The answer to ``ask``; its body must be read inside the block.

        Raises ``Passing`` for what may pass (network, transient status, deadline),
        ``StatusError`` for any other status from 300 on that is not in ``ask.accept``,
        ``SourceError`` for an address or a redirect that we do not follow.
        """
        url = checked_address(ask.url)
        self._take_turn(url, deadline)
        seconds = min(deadline.left, self.settings.total_seconds)
        with Watch(seconds) as watch, named_failures(ask.url, watch):
            answer = self._follow(ask, url, deadline)
            if ask.patient:
                watch.stretch(deadline.left)
            try:
                self._judge(ask, answer)
                yield answer
            except BaseException:
                answer.raw.close()
                raise
            answer.raw.release_conn()

    def _take_turn(self, url: str, deadline: Deadline) -> None:
        family = self.settings.family_of(url)
        self.limiter.acquire(family, deadline)
        self.budget.spend(family)

    def _follow(self, ask: Ask, url: str, deadline: Deadline) -> Answer:
        for _ in range(REDIRECTS + 1):
            answer = self._send(ask, url, deadline)
            place = answer.headers.get("location")
            if answer.status not in _MOVED or place is None:
                return answer
            answer.raw.close()
            url = _next(url, place)
            if ask.body is not None and urlsplit(url).netloc != urlsplit(ask.url).netloc:
                raise SourceError(
                    f"{scrub(ask.url)}: redirects to {scrub(url)}, which gets no form of ours; "
                    "check the address"
                )
            self._take_turn(url, deadline)
        raise SourceError(
            f"{scrub(ask.url)}: redirects more than {REDIRECTS} times; check the address"
        )

    def _send(self, ask: Ask, url: str, deadline: Deadline) -> Answer:
        timeout = urllib3.Timeout(
            connect=max(0.001, min(self.settings.connect_seconds, deadline.left)),
            read=max(0.001, min(self.settings.read_seconds, deadline.left)),
        )
        family = self.settings.family_of(url).name
        agent = self.settings.user_agents.get(family, self.settings.user_agent)
        raw = self._pools.request(
            ask.method,
            url,
            body=ask.body,
            headers={"User-Agent": agent, **ask.headers},
            timeout=timeout,
            retries=False,
            redirect=False,
            preload_content=False,
        )
        headers = {name.lower(): value for name, value in raw.headers.items()}
        return Answer(url, raw.status, headers, raw)

    def _judge(self, ask: Ask, answer: Answer) -> None:
        if answer.status < 300 or answer.status in ask.accept:
            return
        family = self.settings.family_of(answer.url)
        if answer.status in TRANSIENT:
            raise refused(
                self.settings, self.limiter, self.budget, family, answer.status, answer.headers
            )
        raise StatusError(
            f"{scrub(answer.url)}: answered {answer.status} {reason(answer.status)}; "
            "check the address",
            answer.status,
            _some(answer),
        )


def _some(answer: Answer) -> bytes:
    body = b""
    for chunk in answer.chunks(decode=True):
        body += chunk
        if len(body) >= _ERROR_BODY:
            break
    return body[:_ERROR_BODY]


def checked_address(url: str) -> str:
    """``url`` when it is one that we ask; ``SourceError`` for file:, ftp: and broken ones."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise SourceError(f"{scrub(url)}: not an address; write http(s)://host/path")
    return url


def _next(url: str, place: str) -> str:
    target = urljoin(url, place)
    if urlsplit(target).scheme not in ("http", "https"):
        raise SourceError(f"{scrub(url)}: redirects to {scrub(target)}, which is not followed")
    if url.startswith("https:") and not target.startswith("https:"):
        raise SourceError(
            f"{scrub(url)}: redirects to {scrub(target)}, away from https; this is not followed"
        )
    return checked_address(target)
