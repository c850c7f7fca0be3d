"""A file over a bad line: whole or not at all, and never twice the same bytes without need."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from etl.errors import SourceError, StoreError
from etl.sources.http import Transport
from etl.sources.http_errors import StatusError, UnavailableError
from tests.fault_server import (
    FaultServer,
    Manner,
    Reply,
    cut,
    drip,
    drip_head,
    error_page,
    reset,
    stall,
)
from tests.http.conftest import QUICK

ROOT = Path(__file__).resolve().parents[2]
DATA = b"\x1f\x8b" + os.urandom(300_000)
CHANGED = b"\x1f\x8b" + os.urandom(200_000)
WHEN = "Thu, 29 Jan 2026 19:03:00 GMT"


@contextmanager
def within(seconds: float) -> Iterator[None]:
    started = time.monotonic()
    yield
    assert time.monotonic() - started < seconds


def starts(server: FaultServer) -> list[str | None]:
    return [r.headers.get("range") for r in server.seen]


def leftovers(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_a_file_arrives_as_delivered(
    server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    told: list[tuple[int, int | None]] = []
    # as Apache does where .gz is declared an encoding: the bytes must stay packed
    url = server.on("/f.xml.gz", Reply(DATA, headers={"Content-Encoding": "x-gzip"}))
    target = tmp_path / "deep" / "f.xml.gz"
    done = client.download(
        url,
        target,
        expected_size=len(DATA),
        expect="gzip",
        progress=lambda d, t: told.append((d, t)),
    )
    assert done == target and target.read_bytes() == DATA
    assert told[-1] == (len(DATA), len(DATA)) and told == sorted(told)
    assert leftovers(target.parent) == ["f.xml.gz"]
    assert server.seen[0].headers["accept-encoding"] == "identity"


BREAKS: dict[str, Manner] = {
    "cut": cut(100_000),
    "reset": reset(100_000),
    "stall": stall(100_000),
    "crawl": drip(1, 0.02, at=100_000),
}


@pytest.mark.parametrize("version", [{"etag": '"v1"'}, {"modified": WHEN}], ids=["etag", "date"])
@pytest.mark.parametrize("fault", BREAKS)
def test_a_broken_transfer_goes_on_where_it_stopped(
    fault: str, version: dict[str, str], server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    file = Reply(DATA, ranges=True, **version)
    url = server.on("/f", replace(file, manner=BREAKS[fault]), file)
    with within(3):
        client.download(url, tmp_path / "f", expect="gzip")
    assert (tmp_path / "f").read_bytes() == DATA
    first, second = server.seen
    assert "range" not in first.headers
    start = int(second.headers["range"].removeprefix("bytes=").rstrip("-"))
    assert 90_000 < start <= 110_000
    assert second.headers["if-range"] in version.values()


@pytest.mark.parametrize("fault", BREAKS)
def test_a_server_without_ranges_starts_anew(
    fault: str, server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    file = Reply(DATA, etag='"v1"')
    url = server.on("/f", replace(file, manner=BREAKS[fault]), file)
    client.download(url, tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == DATA
    assert server.seen[1].headers["range"].startswith("bytes=")


@pytest.mark.parametrize(
    "version", [{}, {"etag": 'W/"v1"'}], ids=["no validator", "a weak validator"]
)
def test_bytes_of_an_unknown_version_are_not_kept(
    version: dict[str, str], server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    file = Reply(DATA, ranges=True, **version)
    url = server.on("/f", replace(file, manner=cut(100_000)), file)
    client.download(url, tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == DATA
    assert starts(server) == [None, None]


@pytest.mark.parametrize("overlook", [False, True], ids=["If-Range obeyed", "If-Range overlooked"])
def test_a_file_that_changed_in_between_is_not_joined(
    overlook: bool, server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    old = Reply(DATA, ranges=True, etag='"v1"', manner=cut(100_000))
    new = Reply(CHANGED, ranges=True, etag='"v2"', overlook_if_range=overlook)
    client.download(server.on("/f", old, new), tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == CHANGED


def test_a_later_call_goes_on_too(server: FaultServer, client: Transport, tmp_path: Path) -> None:
    file = Reply(DATA, ranges=True, etag='"v1"')
    target = tmp_path / "f"
    target.write_bytes(b"the file of yesterday")
    url = server.on("/f", replace(file, manner=cut(5_000)))
    with pytest.raises(UnavailableError, match="cut after") as failed:
        client.download(url, target)
    assert failed.value.attempts == 3
    assert target.read_bytes() == b"the file of yesterday"
    assert leftovers(tmp_path) == ["f", "f.part", "f.part.json"]
    assert (tmp_path / "f.part").read_bytes() == DATA[:15_000]
    server.on("/f", file)
    client.download(url, target)
    assert target.read_bytes() == DATA
    assert starts(server)[-1] == "bytes=15000-"
    assert leftovers(tmp_path) == ["f"]


def test_the_bytes_of_another_address_are_not_kept(
    server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    url = server.on("/f", Reply(DATA, ranges=True, etag='"v1"', manner=cut(5_000)))
    with pytest.raises(UnavailableError):
        client.download(url, tmp_path / "f")
    other = server.on("/g", Reply(CHANGED, ranges=True, etag='"v1"'))
    client.download(other, tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == CHANGED


def test_a_damaged_note_costs_the_bytes_only(
    server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    (tmp_path / "f.part").write_bytes(b"x" * 10)
    (tmp_path / "f.part.json").write_text("{")
    client.download(server.on("/f", Reply(DATA, ranges=True, etag='"v1"')), tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == DATA


def test_all_bytes_were_here_already(
    server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    """A server that announces more than it has, or a process killed before the rename."""
    file = Reply(DATA, ranges=True, etag='"v1"')
    liar = replace(file, length=len(DATA) + 7, manner=cut(len(DATA)))
    client.download(server.on("/f", liar, file), tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == DATA
    assert starts(server) == [None, f"bytes={len(DATA)}-"]


def test_a_part_longer_than_the_file_is_dropped(
    server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    file = Reply(DATA, ranges=True, etag='"v1"')
    url = server.on("/f", replace(file, manner=cut(1_000)), *[replace(file, manner=cut(0))] * 2)
    with pytest.raises(UnavailableError):
        client.download(url, tmp_path / "f")
    with (tmp_path / "f.part").open("ab") as part:
        part.write(b"x" * len(DATA))
    server.on("/f", file)
    client.download(url, tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == DATA


def test_progress_does_not_count_as_failure(
    server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    """A line that breaks every 20 kB still delivers 300 kB, with three attempts allowed."""
    file = Reply(DATA, ranges=True, etag='"v1"', manner=cut(20_000))
    client.download(server.on("/f", file), tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == DATA
    assert len(server.seen) == 16


FAILING: dict[str, Reply] = {
    "429": Reply(status=429),
    "500": error_page(500),
    "503": Reply(status=503),
    "HTML in 200": error_page(),
    "an empty body": Reply(b""),
    "nothing but silence": Reply(DATA, manner=stall(0)),
    "a crawl": Reply(DATA, manner=drip(1, 0.02)),
    "a crawling head": Reply(DATA, manner=drip_head(0.05)),
    "another part": Reply(DATA, 206, {"Content-Range": "bytes 7-9/10"}),
    "a size that is not expected": Reply(DATA[:-1]),
}


@pytest.mark.parametrize("fault", FAILING)
def test_what_does_not_pass_leaves_the_old_file(
    fault: str, server: FaultServer, tmp_path: Path
) -> None:
    client = Transport(replace(QUICK, total_seconds=0.5))
    target = tmp_path / "f.xml.gz"
    target.write_bytes(b"old")
    url = server.on("/f", FAILING[fault])
    with within(3), pytest.raises(UnavailableError) as failed:
        client.download(url, target, expected_size=len(DATA), expect="gzip")
    assert failed.value.retryable and str(failed.value).startswith(url)
    assert target.read_bytes() == b"old"


@pytest.mark.parametrize("fault", FAILING)
def test_after_any_failure_a_good_answer_is_whole(
    fault: str, server: FaultServer, tmp_path: Path
) -> None:
    client = Transport(replace(QUICK, total_seconds=0.5))
    url = server.on("/f", FAILING[fault], Reply(DATA, ranges=True, etag='"v1"'))
    client.download(url, tmp_path / "f", expected_size=len(DATA), expect="gzip")
    assert (tmp_path / "f").read_bytes() == DATA


def test_the_whole_download_has_a_deadline(server: FaultServer, tmp_path: Path) -> None:
    client = Transport(replace(QUICK, download_seconds=0.6, slow_seconds=60.0, attempts=9))
    url = server.on("/f", Reply(DATA, manner=drip(10, 0.05), ranges=True, etag='"v1"'))
    with within(1.5), pytest.raises(UnavailableError, match="time given"):
        client.download(url, tmp_path / "f")


def test_a_missing_file_is_not_asked_twice(
    server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    with pytest.raises(StatusError) as refused:
        client.download(server.url + "/absent", tmp_path / "f")
    assert refused.value.status == 404 and len(server.seen) == 1
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("chunked", [False, True])
def test_a_file_has_a_size_limit(
    chunked: bool, server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    url = server.on("/f", Reply(b"x" * 4_000_001, chunked=chunked))
    with pytest.raises(SourceError, match="larger than") as refused:
        client.download(url, tmp_path / "f")
    assert not refused.value.retryable and leftovers(tmp_path) == []


def test_a_disk_that_refuses_is_no_fault_of_the_server(
    server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"")
    url = server.on("/f", Reply(DATA))
    with pytest.raises(StoreError, match="a file stands where a folder must be"):
        client.download(url, tmp_path / "file" / "f")
    (tmp_path / "f.part").mkdir()
    with pytest.raises(StoreError):
        client.download(url, tmp_path / "f")


def test_an_unread_body_is_not_taken_for_the_next_answer(
    server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    url = server.on("/f", error_page(500), Reply(status=416, body=b"left over"), Reply(DATA))
    client.download(url, tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == DATA
    assert client.get(server.on("/g", Reply(b"third"))).body == b"third"


def test_a_killed_process_loses_nothing(
    server: FaultServer, client: Transport, tmp_path: Path
) -> None:
    file = Reply(DATA, ranges=True, etag='"v1"')
    url = server.on("/f", replace(file, manner=stall(200_000)), file)
    script = (
        "import sys; from pathlib import Path; from etl.sources.http import Transport; "
        "Transport().download(sys.argv[1], Path(sys.argv[2]))"
    )
    child = subprocess.Popen([sys.executable, "-c", script, url, str(tmp_path / "f")], cwd=ROOT)
    part, deadline = tmp_path / "f.part", time.monotonic() + 20
    while not (part.exists() and part.stat().st_size > 100_000) and time.monotonic() < deadline:
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait(10)
    assert leftovers(tmp_path) == ["f.part", "f.part.json"]
    client.download(url, tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == DATA
    start = server.seen[-1].headers["range"].removeprefix("bytes=").rstrip("-")
    assert 100_000 < int(start) <= 200_000
