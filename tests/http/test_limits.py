"""Turns, pauses and waits."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from etl.sources.http import Transport
from etl.sources.http_attempts import retry_after
from etl.sources.http_errors import Passing
from etl.sources.http_limits import Deadline, Limiter
from etl.sources.http_settings import Family
from tests.fault_server import FaultServer, Reply
from tests.http.conftest import QUICK

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
NCBI = Family("NCBI", ("ncbi.nlm.nih.gov",), 20)


def test_threads_share_the_limit_by_the_servers_clock(server: FaultServer) -> None:
    """Hosts of one family, some failing, four threads: the rate holds in every window."""
    place = server.url.removeprefix("http://")
    client = Transport(replace(QUICK, families=(Family("all", (place,), 25),), attempts=9))
    urls = [
        server.on("/a", Reply(b"a")),
        server.on("/b", *[Reply(status=500)] * 3, Reply(b"b")),
        server.on("/c", Reply(b"c")),
    ]
    with ThreadPoolExecutor(4) as pool:
        assert [r.body for r in pool.map(client.get, urls * 4)] == [b"a", b"b", b"c"] * 4
    times = sorted(r.at for r in server.seen)
    assert len(times) == 15
    # a busy machine may deliver one request late, never one early
    late = 0.05
    for count in (5, 10, 14):
        assert all(b - a >= count / 25 - late for a, b in zip(times, times[count:], strict=False))


def test_a_pause_holds_back_those_who_wait_already() -> None:
    limiter = Limiter()
    limiter.acquire(NCBI, Deadline(1))
    came: list[float] = []

    def wait() -> None:
        limiter.acquire(NCBI, Deadline(5))
        came.append(time.monotonic())

    thread = threading.Thread(target=wait)
    started = time.monotonic()
    thread.start()
    time.sleep(0.01)
    limiter.pause(NCBI, 0.3)
    thread.join()
    assert came[0] - started >= 0.3


def test_a_turn_after_the_deadline_is_not_waited_for() -> None:
    limiter = Limiter()
    limiter.pause(NCBI, 60)
    started = time.monotonic()
    with pytest.raises(Passing, match="no turn for NCBI"):
        limiter.acquire(NCBI, Deadline(1))
    limiter.acquire(Family("other", ("other.example",), 1), Deadline(1))
    assert time.monotonic() - started < 0.5


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("120", 120.0),
        (" 7 ", 7.0),
        ("Mon, 30 Nov 2026 12:01:30 GMT", 90.0),
        ("Mon, 30 Nov 2026 12:01:30", 90.0),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0.0),
        ("Mon, 99 Nov 2026 12:01:30 GMT", None),
    ],
)
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, NOW) == seconds


@given(st.integers(-100_000, 100_000))
def test_retry_after_dates(seconds: int) -> None:
    value = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    assert retry_after(value, NOW) == max(0, seconds)


@given(st.text("0159 ,:;+-.MonNovGTZ\0", max_size=40))
def test_retry_after_of_anything_is_a_wait_or_nothing(value: str) -> None:
    found = retry_after(value, NOW)
    assert found is None or found >= 0
