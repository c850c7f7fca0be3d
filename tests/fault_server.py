"""A scripted HTTP server on 127.0.0.1 that does what servers do on bad days.

    with FaultServer() as server:
        server.on("/a", Reply(status=503), Reply(b"<a/>"))      # one a request, the last for ever
        server.on("/f", Reply(data, etag='"1"', ranges=True, manner=cut(1000)))
        server.on("/p", pages([b"one", b"two"]))                 # a function of the request

``server.seen`` holds every request with the server's own clock.
"""

import contextlib
import select
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from urllib.parse import parse_qs, unquote, urlsplit

ERROR_PAGE = b"<!DOCTYPE html>\n<html><head><title>Busy</title></head><body>Busy</body></html>\n"


@dataclass(frozen=True)
class Request:
    """What a client asked; ``headers`` have names in lower case, ``at`` is monotonic seconds."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes
    at: float
    connection: int


class Wire:
    """The connection as a manner of sending sees it."""

    def __init__(self, connection: socket.socket, closing: threading.Event) -> None:
        self._connection = connection
        self._closing = closing
        self.open = True

    def send(self, data: bytes) -> None:
        """Sends all of ``data``."""
        self._connection.sendall(data)

    def wait(self, seconds: float) -> bool:
        """Waits; False as soon as the client has gone or the server is closing."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self._closing.is_set():
            readable, _, _ = select.select([self._connection], [], [], min(left, 0.02))
            if readable:
                return False  # clients of ours never speak before an answer is over
        return not self._closing.is_set()

    def asked(self) -> bool:
        """Waits for the first byte of the next request; False when none will come."""
        while not self._closing.is_set():
            readable, _, _ = select.select([self._connection], [], [], 0.01)
            if readable:
                return True
        return False

    def hang_up(self) -> None:
        """Ends the connection in order, in the middle of the answer or not."""
        self.open = False

    def reset(self) -> None:
        """Ends the connection with RST."""
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._connection.close()
        self.open = False


Manner = Callable[[Wire, bytes, bytes], None]  # wire, head of the answer, body


def whole(wire: Wire, head: bytes, body: bytes) -> None:
    """As it should be."""
    wire.send(head + body)


def cut(at: int) -> Manner:
    """Hangs up after ``at`` bytes of the body."""

    def send(wire: Wire, head: bytes, body: bytes) -> None:
        wire.send(head + body[:at])
        wire.hang_up()

    return send


def reset(at: int) -> Manner:
    """Resets the connection after ``at`` bytes of the body."""

    def send(wire: Wire, head: bytes, body: bytes) -> None:
        wire.send(head + body[:at])
        wire.wait(0.05)  # RST would overtake what is still on its way
        wire.reset()

    return send


def reset_at_once(wire: Wire, head: bytes, body: bytes) -> None:
    """Resets the connection without a single byte."""
    wire.reset()


def stall(at: int) -> Manner:
    """Sends ``at`` bytes of the body, then nothing more, and keeps the connection."""

    def send(wire: Wire, head: bytes, body: bytes) -> None:
        wire.send(head + body[:at])
        wire.wait(60)
        wire.hang_up()

    return send


def stall_at_once(wire: Wire, head: bytes, body: bytes) -> None:
    """Takes the request and never says a word."""
    wire.wait(60)
    wire.hang_up()


def drip(step: int, seconds: float, at: int = 0) -> Manner:
    """Sends ``at`` bytes at once and the rest of the body ``step`` bytes at a time."""

    def send(wire: Wire, head: bytes, body: bytes) -> None:
        wire.send(head + body[:at])
        _drip(wire, body[at:], step, seconds)

    return send


def drip_head(seconds: float) -> Manner:
    """Sends the head of the answer byte by byte."""

    def send(wire: Wire, head: bytes, body: bytes) -> None:
        _drip(wire, head + body, 1, seconds)

    return send


def _drip(wire: Wire, data: bytes, step: int, seconds: float) -> None:
    for start in range(0, len(data), step):
        wire.send(data[start : start + step])
        if not wire.wait(seconds):
            wire.hang_up()
            return


@dataclass(frozen=True)
class Reply:
    """One answer. ``length`` replaces the true Content-Length; ``chunked`` sends none.

    With ``ranges`` the body is a file whose parts can be asked for; If-Range is obeyed unless
    ``overlook_if_range``.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    manner: Manner = whole
    length: int | None = None
    chunked: bool = False
    ranges: bool = False
    etag: str | None = None
    modified: str | None = None
    overlook_if_range: bool = False

    def parts(self, request: Request) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body for this request."""
        headers = {"Content-Type": "application/octet-stream", **self.headers}
        headers |= {"ETag": self.etag} if self.etag else {}
        headers |= {"Last-Modified": self.modified} if self.modified else {}
        start = self._start(request)
        if start is None:
            return self.status, headers, self.body
        if start >= len(self.body):
            return 416, headers | {"Content-Range": f"bytes */{len(self.body)}"}, b""
        span = f"bytes {start}-{len(self.body) - 1}/{len(self.body)}"
        return 206, headers | {"Content-Range": span}, self.body[start:]

    def _start(self, request: Request) -> int | None:
        asked = request.headers.get("range", "")
        if not (self.ranges and self.status == 200 and asked.startswith("bytes=")):
            return None
        condition = request.headers.get("if-range")
        if condition and not self.overlook_if_range and condition not in (self.etag, self.modified):
            return None
        return int(asked.removeprefix("bytes=").rstrip("-"))


Answering = Reply | Callable[[Request], Reply]


def error_page(status: int = 200) -> Reply:
    """An HTML page where something else is expected."""
    return Reply(ERROR_PAGE, status, {"Content-Type": "text/html"})


def pages(bodies: Sequence[bytes], parameter: str = "page") -> Callable[[Request], Reply]:
    """Answers with the page whose number (from 1) stands in ``parameter``; 404 past the last."""

    def answer(request: Request) -> Reply:
        number = int(request.query.get(parameter, "1"))
        return Reply(bodies[number - 1]) if number <= len(bodies) else Reply(status=404)

    return answer


def index_page(rows: Sequence[tuple[str, str, str]], more: str = "") -> bytes:
    """An Apache index page in the shape of NLM's: rows of (name, modified, size)."""
    lines = [
        "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 3.2 Final//EN'>\n<html>\n<head>"
        "<title>Index of /pubmed</title></head>\n<body>\n<h1>Index of /pubmed</h1>\n<pre>"
        'Name                    <a href="?C=M;O=A">Last modified</a>      Size  <hr>'
        '<a href="/">Parent Directory</a>                             -   ',
        *(f'<a href="{n}">{n}</a>        {when}  {size:>4}  ' for n, when, size in rows),
        f"{more}<hr></pre>\n</body></html>\n",
    ]
    return "\n".join(lines).encode()


class FaultServer:
    """The server; use it in a ``with`` block. With ``tls`` it speaks https."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self.seen: list[Request] = []
        self.most_at_once = 0
        self._busy = 0
        self._routes: dict[str, list[Answering]] = {}
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._threads: list[threading.Thread] = []
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self._listener.getsockname()[1]}"

    def on(self, path: str, *answers: Answering) -> str:
        """Answers requests to ``path`` in turn, the last answer for ever; the address of it."""
        with self._lock:
            self._routes[path] = list(answers)
        return self.url + path

    def asked(self, path: str) -> list[Request]:
        """The requests to ``path`` so far."""
        return [r for r in self.seen if r.path == path]

    def __enter__(self) -> "FaultServer":
        self._start(self._accept)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(5)

    def _start(self, work: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        number = 0
        while not self._closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            number += 1
            self._start(self._serve, connection, number)

    def _serve(self, plain: socket.socket, number: int) -> None:
        plain.settimeout(5)
        try:
            connection = self._tls.wrap_socket(plain, server_side=True) if self._tls else plain
        except OSError:  # a client that does not like the certificate
            plain.close()
            return
        wire = Wire(connection, self._closing)
        with connection, contextlib.suppress(OSError):
            while wire.open and wire.asked():
                request = _read(connection, number)
                if request is None:
                    return
                self._answer(wire, request)

    def _answer(self, wire: Wire, request: Request) -> None:
        with self._lock:
            self.seen.append(request)
            self._busy += 1
            self.most_at_once = max(self.most_at_once, self._busy)
            answer = self._next(request.path)
        try:
            reply = answer if isinstance(answer, Reply) else answer(request)
            _send(wire, request, reply)
        finally:
            with self._lock:
                self._busy -= 1

    def _next(self, path: str) -> Answering:
        answers = self._routes.get(path, [Reply(b"not here", 404)])
        return answers.pop(0) if len(answers) > 1 else answers[0]


def _read(connection: socket.socket, number: int) -> Request | None:
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return None
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {k.strip().lower(): v.strip() for k, _, v in (x.partition(":") for x in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65536)
    parts = urlsplit(target)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    at = time.monotonic()
    return Request(method, unquote(parts.path), query, headers, body, at, number)


def _send(wire: Wire, request: Request, reply: Reply) -> None:
    status, headers, body = reply.parts(request)
    if reply.chunked:
        headers["Transfer-Encoding"] = "chunked"
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    else:
        headers["Content-Length"] = str(len(body) if reply.length is None else reply.length)
    lines = [f"HTTP/1.1 {status} Scripted", *(f"{k}: {v}" for k, v in headers.items())]
    head = "\r\n".join([*lines, "", ""]).encode("latin-1")
    reply.manner(wire, head, b"" if request.method == "HEAD" else body)
