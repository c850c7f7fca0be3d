"""One question to a server that answers well, badly, late or never."""

import logging
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from etl.errors import SourceError, TransientSourceError, UsageError
from etl.sources.http import Transport, with_params
from etl.sources.http_errors import StatusError, UnavailableError, scrub
from etl.sources.http_settings import NCBI, Family, Settings, from_environment
from tests.fault_server import (
    FaultServer,
    Manner,
    Reply,
    cut,
    drip,
    drip_head,
    error_page,
    pages,
    reset,
    reset_at_once,
    stall,
    stall_at_once,
)
from tests.http.conftest import QUICK

GOOD = b"<?xml version='1.0'?>\n<!-- ok --><Set><a>1</a></Set>\n"


@contextmanager
def within(seconds: float) -> Iterator[None]:
    started = time.monotonic()
    yield
    assert time.monotonic() - started < seconds


def test_a_good_answer_comes_whole_with_its_headers(server: FaultServer, client: Transport) -> None:
    url = server.on("/x", Reply(GOOD, headers={"X-RateLimit-Remaining": "2"}))
    answer = client.get(url, params={"term": "a b&c", "empty": "", "none": None}, expect="xml")
    assert (answer.status, answer.body) == (200, GOOD)
    assert answer.headers["x-ratelimit-remaining"] == "2"
    (asked,) = server.seen
    assert asked.query == {"term": "a b&c"}
    assert asked.headers["user-agent"] == "evidence-warehouse/test (mailto:tests@localhost)"


def test_connections_are_used_again(server: FaultServer, client: Transport) -> None:
    url = server.on("/x", Reply(GOOD), Reply(GOOD, chunked=True))
    for _ in range(4):
        assert client.get(url).body == GOOD
    assert len({r.connection for r in server.seen}) == 1


def test_pages(server: FaultServer, client: Transport) -> None:
    url = server.on("/p", pages([b"one", b"two"]))
    bodies = [client.get(url, params={"page": str(n)}).body for n in (1, 2)]
    assert bodies == [b"one", b"two"]
    with pytest.raises(StatusError) as refused:
        client.get(url, params={"page": "3"})
    assert refused.value.status == 404


PASSING: dict[str, Reply] = {
    "429": Reply(status=429),
    "429 with Retry-After": Reply(status=429, headers={"Retry-After": "0"}),
    "500": error_page(500),
    "502": error_page(502),
    "503": Reply(b"busy", 503),
    "504": Reply(status=504),
    "HTML in 200": error_page(),
    "XHTML in 200": Reply(b"<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x'><html></html>"),
    "text in 200": Reply(b"Resource temporarily unavailable"),
    "empty body": Reply(b""),
    "cut": Reply(GOOD, manner=cut(20)),
    "cut chunks": Reply(GOOD, manner=cut(20), chunked=True),
    "cut before the head": Reply(GOOD, manner=lambda wire, head, body: wire.hang_up()),
    "Content-Length too long": Reply(GOOD, length=len(GOOD) + 10, manner=cut(1000)),
    "Content-Length too short": Reply(GOOD, length=len(GOOD) - 10, manner=cut(1000)),
    "end tag missing": Reply(GOOD[:-8]),
    "reset": Reply(GOOD, manner=reset(20)),
    "reset at once": Reply(GOOD, manner=reset_at_once),
    "stall": Reply(GOOD, manner=stall(20)),
    "stall at once": Reply(GOOD, manner=stall_at_once),
    "not HTTP": Reply(
        manner=lambda wire, head, body: (wire.send(b"SSH-2.0-x\r\n"), wire.hang_up())[1]
    ),
    "bad gzip": Reply(b"no gzip", headers={"Content-Encoding": "gzip"}),
}


@pytest.mark.parametrize("fault", PASSING)
def test_what_may_pass_is_tried_again(fault: str, server: FaultServer, client: Transport) -> None:
    url = server.on("/x", PASSING[fault], Reply(GOOD))
    with within(3):
        assert client.get(url, expect="xml").body == GOOD
    assert len(server.seen) == 2


@pytest.mark.parametrize("fault", PASSING)
def test_what_does_not_pass_fails_and_is_no_empty_answer(
    fault: str, server: FaultServer, client: Transport
) -> None:
    url = server.on("/x", PASSING[fault])
    with within(3), pytest.raises(UnavailableError) as failed:
        client.get(url, params={"api_key": "s3cret"}, expect="xml")
    assert failed.value.retryable
    assert failed.value.attempts == len(server.seen) == 3
    message = str(failed.value)
    assert message.startswith(url) and "s3cret" not in message and "\n" not in message
    assert "(tried 3 times)" in message and message.endswith("run the command again later")
    if "HTML in 200" in fault:
        assert "answered with an HTML page instead of XML" in message


@pytest.mark.parametrize(
    "manner", [drip(1, 0.05), drip_head(0.05), stall_at_once], ids=["body", "head", "nothing"]
)
def test_no_answer_takes_longer_than_the_deadline(manner: Manner, server: FaultServer) -> None:
    """A byte now and then never trips a read timeout; the total deadline ends it all the same."""
    url = server.on("/x", Reply(b"<a>" + b"x" * 1000 + b"</a>", manner=manner))
    client = Transport(replace(QUICK, total_seconds=0.6, attempts=9))
    with within(1.2), pytest.raises(TransientSourceError):
        client.get(url, expect="xml")


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 414, 422, 501])
def test_a_refusal_is_not_repeated(status: int, server: FaultServer, client: Transport) -> None:
    url = server.on("/x", Reply(b'{"error": "no", "api-key": "s3cret"}', status))
    with pytest.raises(StatusError) as refused:
        client.get(url)
    assert (refused.value.status, refused.value.retryable) == (status, False)
    assert refused.value.body.startswith(b'{"error"')
    assert str(status) in str(refused.value) and "s3cret" not in str(refused.value)
    assert len(server.seen) == 1


def test_a_status_can_be_an_answer(server: FaultServer, client: Transport) -> None:
    url = server.on("/x", Reply(b"gone", 404))
    assert client.get(url, expect="xml", accept={404}).status == 404


def test_retry_after_holds_for_the_whole_family(server: FaultServer, client: Transport) -> None:
    url = server.on("/x", Reply(status=503, headers={"Retry-After": "100"}), Reply(GOOD))
    other = server.on("/y", Reply(GOOD))
    assert client.get(url).body == GOOD  # capped: 0.5 s here
    client.get(other)
    first, second, third = (r.at for r in server.seen)
    assert 0.45 <= second - first < 1.0 and third > second


def test_a_wait_that_would_pass_the_deadline_ends_at_once(server: FaultServer) -> None:
    url = server.on("/x", Reply(status=429, headers={"Retry-After": "60"}))
    client = Transport(replace(QUICK, retry_after_cap=300.0))
    with within(0.5), pytest.raises(UnavailableError, match="asks to wait 60 s"):
        client.get(url)
    assert len(server.seen) == 1


def test_the_limit_holds_for_retries_too(server: FaultServer) -> None:
    url = server.on("/x", *[Reply(status=500)] * 4, Reply(GOOD))
    client = Transport(replace(QUICK, per_second=20, attempts=9, backoff_seconds=0.001))
    client.get(url)
    client.get(url)
    times = [r.at for r in server.seen]
    assert len(times) == 6 and times[-1] - times[0] >= 5 / 20 - 0.03


def test_a_host_that_is_not_there(client: Transport) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with within(1), pytest.raises(UnavailableError, match="no connection"):
        client.get(f"http://127.0.0.1:{port}/x")


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://x/y", "nothing", "http://", "http://[", "http://x:y/"]
)
def test_only_web_addresses(url: str, client: Transport) -> None:
    with pytest.raises(SourceError, match="not an address") as refused:
        client.get(url)
    assert not refused.value.retryable


def test_redirects_are_followed(server: FaultServer, client: Transport) -> None:
    url = server.on("/old", Reply(status=301, headers={"Location": "/new/"}))
    server.on("/new/", Reply(GOOD))
    answer = client.get(url)
    assert (answer.url, answer.body) == (server.url + "/new/", GOOD)


@pytest.mark.parametrize("place", ["file:///etc/passwd", "ftp://127.0.0.1/x", "/loop"])
def test_redirects_elsewhere_are_not(place: str, server: FaultServer, client: Transport) -> None:
    url = server.on("/loop", Reply(status=302, headers={"Location": place}))
    with pytest.raises(SourceError, match="redirects") as refused:
        client.get(url)
    assert not refused.value.retryable
    assert len(server.seen) <= 6


def test_https_is_never_left() -> None:
    from etl.sources.http_exchange import _next

    with pytest.raises(SourceError, match="away from https"):
        _next("https://a.org/x", "http://a.org/y")
    assert _next("https://a.org/x", "//b.org/y") == "https://b.org/y"


def test_an_answer_has_a_size_limit(server: FaultServer, client: Transport) -> None:
    big = b"<a>" + b"x" * 300_000 + b"</a>"
    for reply in (Reply(big), Reply(big, chunked=True)):
        with pytest.raises(SourceError, match="larger than") as refused:
            client.get(server.on("/x", reply))
        assert not refused.value.retryable


def test_a_gzip_bomb_is_refused(server: FaultServer, client: Transport) -> None:
    import gzip

    body = gzip.compress(b"<a>" + b"x" * 100_000_000 + b"</a>")
    url = server.on("/x", Reply(body, headers={"Content-Encoding": "gzip"}))
    with within(2), pytest.raises(SourceError, match="larger than"):
        client.get(url)
    small = gzip.compress(GOOD)
    server.on("/x", Reply(small, headers={"Content-Encoding": "gzip"}))
    assert client.get(url, expect="xml").body == GOOD


@pytest.mark.parametrize(
    ("kind", "body", "good"),
    [
        ("json", b' {"a": [1]}\n', True),
        ("json", b'{"a": [1', False),
        ("json", b"<html></html>", False),
        ("html", b"<!doctype html><html><body></body></html>", True),
        ("html", b"<!doctype html><html><body>", False),
        ("xml", b"\xef\xbb\xbf<a/>", True),
        ("xml", b"<!DOCTYPE a [<!ELEMENT a ANY>]>\n<a b='1'/>", True),
        ("xml", b"<a><b/>", False),
        ("text", b"0" * 32, True),
        ("text", b"\x1f\x8b\0\0", False),
        ("gzip", b"\x1f\x8b\0\0", True),
        ("gzip", b"PK\3\4", False),
        (None, b"anything", True),
        (None, b" \n", False),
    ],
)  # fmt: skip
def test_kinds(kind: str, body: bytes, good: bool, server: FaultServer) -> None:
    client = Transport(replace(QUICK, attempts=1))
    url = server.on("/x", Reply(body))
    if good:
        assert client.get(url, expect=kind).body == body
    else:
        with pytest.raises(UnavailableError):
            client.get(url, expect=kind)


def test_head_has_headers_only(server: FaultServer, client: Transport) -> None:
    answer = client.head(server.on("/x", Reply(GOOD, etag='"1"')))
    assert answer.headers["content-length"] == str(len(GOOD))
    assert (answer.headers["etag"], answer.body) == ('"1"', b"")
    assert client.get(server.url + "/x").body == GOOD


def test_logs_hold_no_secret(
    server: FaultServer, client: Transport, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    client.get(server.on("/x", Reply(GOOD)), params={"api_key": "s3cret", "term": "a"})
    assert "term=a" in caplog.text and "s3cret" not in caplog.text


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        ("http://h/?api_key=abc&term=x", "http://h/?api_key=***&term=x"),
        ("http://h/?term=x&email=a@b.c#f", "http://h/?term=x&email=***#f"),
        ('{"error":"no","api-key":"abc","n":"4"}', '{"error":"no","api-key":***,"n":"4"}'),
        ("postgresql://u:p@h/db", "postgresql://h/db"),
        ("Authorization: Bearer abc", "Authorization: ***"),
        ("two\nlines", "two lines"),
        ("keyword=asthma monkey=1", "keyword=asthma monkey=1"),
    ],
)  # fmt: skip
def test_scrub(text: str, scrubbed: str) -> None:
    assert scrub(text) == scrubbed


def test_settings_say_who_we_are() -> None:
    assert (
        "(mailto:me@example.org)"
        in from_environment({"EVIDENCE_CONTACT": " me@example.org "}).user_agent
    )
    assert (
        "(https://example.org/a)"
        in from_environment({"EVIDENCE_CONTACT": "https://example.org/a"}).user_agent
    )
    assert "(" not in from_environment({}).user_agent
    bases = from_environment({"EVIDENCE_BASE_PUBMED_BASELINE": "http://127.0.0.1/b/"}).bases
    assert bases["pubmed-baseline"] == "http://127.0.0.1/b/"
    assert bases["pubmed-updates"].startswith("https://ftp.ncbi.nlm.nih.gov/")
    with pytest.raises(UsageError, match="EVIDENCE_CONTACT"):
        from_environment({"EVIDENCE_CONTACT": "me@x\r\nEvil: 1"})


def test_all_of_ncbi_is_one_family() -> None:
    settings = Settings()
    assert (
        settings.family("eutils.ncbi.nlm.nih.gov")
        is settings.family("ftp.ncbi.nlm.nih.gov")
        is NCBI
    )
    assert settings.family("evil-ncbi.nlm.nih.gov.example.org") == Family(
        "evil-ncbi.nlm.nih.gov.example.org", ("evil-ncbi.nlm.nih.gov.example.org",), 2.5
    )
    assert settings.family("ftp.ncbi.nlm.nih.gov:443") is NCBI
    assert settings.family("notncbi.nlm.nih.gov") is not NCBI


def test_params_join_those_of_the_address() -> None:
    assert with_params("http://h/x?a=1", {"b": "2"}) == "http://h/x?a=1&b=2"
    assert with_params("http://h/x", {}) == "http://h/x"


def test_tests_cannot_leave_this_machine(client: Transport) -> None:
    with pytest.raises(RuntimeError, match="never leave this machine"):
        client.get("http://192.0.2.1/x")
    with pytest.raises(RuntimeError, match="never leave this machine"):
        client.get("http://example.org/x")
