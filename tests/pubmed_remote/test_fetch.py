"""Files from a server to the disk: verified, resumed, not fetched twice."""

import gzip
import hashlib
import os
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from etl.errors import StoreError
from etl.sources.http import Transport
from etl.sources.pubmed import remote
from etl.sources.pubmed.files import identify
from etl.sources.pubmed.listing import RemoteFile, listing
from etl.sources.pubmed.remote import Failed, Fetched, Result, Unchanged, drop, fetch
from tests.fault_server import FaultServer, Reply, cut, drip, error_page, index_page, stall
from tests.http.conftest import QUICK

NAMES = [f"pubmed26n{n:04d}.xml.gz" for n in range(1, 7)]
FILES = {name: gzip.compress(name.encode() + os.urandom(20_000), mtime=0) for name in NAMES}


def md5(data: bytes) -> str:
    return hashlib.md5(data).hexdigest()


class Site:
    """A folder of PubMed files on the scripted server."""

    def __init__(self, server: FaultServer, client: Transport, raw: Path) -> None:
        self.server, self.client, self.raw = server, client, raw
        self.base = server.url + "/pubmed/"
        self.rows: dict[str, tuple[str, str, str]] = {}
        for name, data in FILES.items():
            self.put(name, data)

    def put(self, name: str, data: bytes, when: str = "2026-01-29 14:03") -> None:
        self.rows[name] = (name, when, "21K")
        self.server.on(f"/pubmed/{name}", Reply(data, ranges=True, etag=f'"{md5(data)}"'))
        self.server.on(f"/pubmed/{name}.md5", Reply(f"MD5({name})= {md5(data)}\n".encode()))
        self.server.on("/pubmed/", Reply(index_page(list(self.rows.values()))))

    def fetch(self, known: dict[str, list[str]] | None = None, **options: object) -> list[Result]:
        self.server.seen.clear()
        offered = listing(self.base, self.client)
        return fetch(offered, self.raw, known or {}, server=self.client, **options)  # type: ignore[arg-type]

    @property
    def asked(self) -> list[str]:
        return sorted(r.path.removeprefix("/pubmed/") for r in self.server.seen)[1:]


@pytest.fixture
def site(server: FaultServer, client: Transport, tmp_path: Path) -> Site:
    return Site(server, client, tmp_path / "raw")


def loaded(results: list[Result]) -> dict[str, list[str]]:
    return {r.name: [r.checksum] for r in results if not isinstance(r, Failed)}


def test_all_files_arrive_verified(site: Site) -> None:
    told: list[tuple[str, int, int | None]] = []
    results = site.fetch(progress=lambda *step: told.append(step), workers=2)
    assert [r.name for r in results] == NAMES
    for result in results:
        assert isinstance(result, Fetched)
        assert result.path.read_bytes() == FILES[result.name]
        assert (result.downloaded, result.changed, result.temporary) == (True, False, False)
        assert identify(result.path).checksum == result.checksum == md5(FILES[result.name])
        assert result.path.with_name(result.name + ".md5").is_file()
    assert {name for name, done, total in told if done == total} == set(NAMES)
    assert not [p for p in site.raw.iterdir() if ".new" in p.name]


def test_parallel_but_bounded(site: Site) -> None:
    slow = {
        n: Reply(FILES[n], manner=lambda w, h, b: (w.wait(0.05), w.send(h + b))[1]) for n in NAMES
    }
    for name, reply in slow.items():
        site.server.on(f"/pubmed/{name}", reply)
    site.fetch(workers=3)
    assert 2 <= site.server.most_at_once <= 3


def test_what_is_here_is_not_fetched_again(site: Site) -> None:
    site.fetch()
    results = site.fetch()  # not loaded yet: the last run died in between
    assert site.asked == [n + ".md5" for n in NAMES]
    assert all(isinstance(r, Fetched) and not r.downloaded for r in results)
    damaged = site.raw / NAMES[2]
    damaged.write_bytes(b"\x1f\x8bdamaged")
    results = site.fetch()
    assert [r.name for r in results if isinstance(r, Fetched) and r.downloaded] == [NAMES[2]]
    assert damaged.read_bytes() == FILES[NAMES[2]]


@pytest.mark.parametrize("keep_raw", [True, False])
def test_what_is_loaded_costs_no_request(keep_raw: bool, site: Site) -> None:
    results = site.fetch(keep_raw=keep_raw)
    drop(results, site.raw)
    assert (site.raw / NAMES[0]).exists() == keep_raw
    again = site.fetch(loaded(results), keep_raw=keep_raw)
    assert again == [Unchanged(n, md5(FILES[n])) for n in NAMES]
    assert site.asked == []


def test_without_notes_the_checksums_are_asked(site: Site) -> None:
    results = site.fetch(keep_raw=False)
    drop(results, site.raw)
    (site.raw / "listed.json").write_text("[broken")
    again = site.fetch(loaded(results))
    assert all(isinstance(r, Unchanged) for r in again)
    assert site.asked == [n + ".md5" for n in NAMES]
    assert all(isinstance(r, Unchanged) for r in site.fetch(loaded(results)))
    assert site.asked == []


def test_a_changed_file_under_the_same_name(site: Site) -> None:
    known = loaded(site.fetch())
    new = gzip.compress(b"revised", mtime=0)
    site.put(NAMES[3], new, "2026-02-01 09:00")
    results = site.fetch(known)
    (changed,) = [r for r in results if not isinstance(r, Unchanged)]
    assert isinstance(changed, Fetched) and changed.changed and changed.downloaded
    assert (changed.name, changed.checksum) == (NAMES[3], md5(new))
    assert changed.path.read_bytes() == new and identify(changed.path).checksum == md5(new)
    assert site.asked == [NAMES[3], NAMES[3] + ".md5"]


def test_a_file_that_is_replaced_while_it_is_fetched(site: Site) -> None:
    """The checksum of the old file, the bytes of the new one: asked again, then right."""
    name, new = NAMES[0], gzip.compress(b"revised", mtime=0)
    site.put(name, new)
    old = Reply(f"MD5({name})= {md5(FILES[name])}\n".encode())
    site.server.on(f"/pubmed/{name}.md5", old, Reply(f"{md5(new)}  {name}\n".encode()))
    first = site.fetch()[0]
    assert isinstance(first, Fetched) and first.checksum == md5(new)


def test_a_wrong_checksum_fails_that_file_only(site: Site) -> None:
    site.server.on(f"/pubmed/{NAMES[1]}.md5", Reply(f"MD5({NAMES[1]})= {'0' * 32}".encode()))
    results = site.fetch()
    failed = results[1]
    assert isinstance(failed, Failed) and failed.retryable
    assert "MD5 is" in failed.error and "\n" not in failed.error
    assert sum(isinstance(r, Fetched) for r in results) == 5
    assert not (site.raw / NAMES[1]).exists()


@pytest.mark.parametrize(
    ("md5_reply", "retryable", "says"),
    [
        (Reply(b"what"), False, "holds no MD5"),
        (Reply(f"MD5(pubmed26n0009.xml.gz)= {'0' * 32}".encode()), False, "is the checksum of"),
        (error_page(), True, "HTML page instead of plain text"),
        (Reply(status=503), True, "503"),
    ],
)
def test_a_bad_checksum_file(md5_reply: Reply, retryable: bool, says: str, site: Site) -> None:
    site.server.on(f"/pubmed/{NAMES[0]}.md5", md5_reply)
    results = site.fetch()
    failed = results[0]
    assert isinstance(failed, Failed) and failed.retryable == retryable and says in failed.error
    assert sum(isinstance(r, Fetched) for r in results) == 5


def test_a_missing_file_fails_that_file_only(site: Site) -> None:
    site.server.on(f"/pubmed/{NAMES[1]}", Reply(status=404))
    site.server.on(f"/pubmed/{NAMES[4]}", error_page())
    results = site.fetch()
    assert [isinstance(r, Failed) and r.retryable for r in results] == [False] * 4 + [True, False]
    assert [isinstance(r, Failed) for r in results] == [False, True, False, False, True, False]


def test_without_checksum_files(site: Site) -> None:
    for name in NAMES:
        site.server.on(f"/pubmed/{name}.md5", Reply(status=404))
    results = site.fetch()
    assert [r.checksum for r in results if isinstance(r, Fetched)] == [md5(FILES[n]) for n in NAMES]
    assert not (site.raw / (NAMES[0] + ".md5")).exists()
    assert not any(r.downloaded for r in site.fetch() if isinstance(r, Fetched))
    assert all(isinstance(r, Unchanged) for r in site.fetch(loaded(results)))
    assert site.asked == []


def test_a_list_without_dates_asks_the_headers(site: Site) -> None:
    files = [RemoteFile(n, site.base + n) for n in NAMES]
    results = fetch(files, site.raw, {}, server=site.client)
    site.server.seen.clear()
    again = fetch(files, site.raw, loaded(results), server=site.client)
    assert all(isinstance(r, Unchanged) for r in again)
    assert {r.method for r in site.server.seen} == {"HEAD"}


def test_a_mirror_is_verified_where_it_is(site: Site, tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    for name, data in FILES.items():
        (mirror / name).write_bytes(data)
        (mirror / (name + ".md5")).write_text(md5(data))
    (mirror / (NAMES[5] + ".md5")).write_text("0" * 32)
    results = fetch(listing(str(mirror)), site.raw, {}, keep_raw=False)
    assert isinstance(results[5], Failed) and "MD5 is" in results[5].error
    assert [r.path for r in results if isinstance(r, Fetched)] == [mirror / n for n in NAMES[:5]]
    drop(results, site.raw)
    assert (mirror / NAMES[0]).exists()
    again = fetch(listing(str(mirror)), site.raw, loaded(results))
    assert [type(r) for r in again] == [Unchanged] * 5 + [Failed]
    assert not site.server.seen


def test_an_interrupted_run_goes_on(site: Site) -> None:
    name, data = NAMES[0], FILES[NAMES[0]]
    path = f"/pubmed/{name}"
    broken = Reply(data, ranges=True, etag='"v1"', manner=cut(3_000))
    site.server.on(path, broken, broken, replace(broken, manner=stall(0)))
    failed = site.fetch()[0]
    assert isinstance(failed, Failed) and failed.retryable and failed.error.startswith(site.base)
    site.server.on(path, replace(broken, manner=cut(100_000)))
    assert isinstance(site.fetch()[0], Fetched)
    (last,) = site.server.asked(path)
    assert last.headers["range"] == "bytes=6000-"


def test_a_server_that_is_gone_is_not_asked_for_every_file(site: Site) -> None:
    many = [RemoteFile(f"f{n}.xml", f"{site.server.url}/f{n}.xml", 1, "x") for n in range(60)]
    for file in many:
        site.server.on(f"/{file.name}.md5", Reply(status=503))
    results = fetch(many, site.raw, {}, workers=2, server=site.client)
    assert all(isinstance(r, Failed) and r.retryable for r in results)
    assert len(site.server.seen) <= (remote.IN_A_ROW + 2) * QUICK.attempts
    assert isinstance(results[-1], Failed) and "not tried" in results[-1].error


def test_no_room(site: Site) -> None:
    with pytest.raises(StoreError, match=r"bytes are needed .* are free") as refused:
        site.fetch(reserve=1 << 60)
    assert str((1 << 60) + 6 * (22 << 10)) in str(refused.value)
    assert not [n for n in site.asked if n.endswith(".gz")]
    assert all(isinstance(r, Unchanged) for r in site.fetch(loaded_all(), reserve=1 << 60))


def loaded_all() -> dict[str, list[str]]:
    return {name: [md5(data)] for name, data in FILES.items()}


def test_a_disk_that_refuses_ends_the_other_threads(site: Site) -> None:
    big = gzip.compress(os.urandom(1_000_000))
    for name in NAMES[1:]:
        site.put(name, big)
        site.server.on(f"/pubmed/{name}", Reply(big, manner=drip(9_000, 0.02)))
    site.raw.mkdir()
    (site.raw / (NAMES[0] + ".new.part")).mkdir()
    started = time.monotonic()
    with pytest.raises(StoreError, match=r"cannot write .*0001"):
        site.fetch()
    assert time.monotonic() - started < 1.5
    assert not [t for t in threading.enumerate() if t.name.startswith("ThreadPool")]


def test_two_places_with_the_same_name(site: Site) -> None:
    one = RemoteFile("a.xml.gz", site.base + NAMES[0])
    two = RemoteFile("a.xml.gz", site.base + NAMES[1])
    site.server.on(f"/pubmed/{NAMES[0]}.md5", Reply(status=404))
    first, second = fetch([one, two, one], site.raw, {}, server=site.client)
    assert isinstance(first, Fetched) and isinstance(second, Failed)
    assert "has the same name" in second.error
