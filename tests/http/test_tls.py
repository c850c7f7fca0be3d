"""TLS on loopback: certificates are checked, deadlines hold under encryption too."""

import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from etl.errors import SourceError, TransientSourceError
from etl.sources.http import Transport
from tests.fault_server import FaultServer, Manner, Reply, drip, drip_head, stall
from tests.http.conftest import QUICK

DATA = b"\x1f\x8b" + b"x" * 300_000


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 made for this run, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("the program openssl, which makes the certificate, is not here")
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", str(key), "-out", str(cert)],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    return cert, key


@pytest.fixture
def secure(certificate: tuple[Path, Path]) -> Iterator[FaultServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with FaultServer(context) as running:
        yield running


@pytest.fixture
def trusted(certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))


def test_an_unknown_certificate_is_refused(secure: FaultServer) -> None:
    url = secure.on("/x", Reply(b"x"))
    with pytest.raises(SourceError, match="its certificate is not accepted") as refused:
        Transport(QUICK).get(url)
    assert not refused.value.retryable


@pytest.mark.usefixtures("trusted")
def test_a_known_one_is_accepted(secure: FaultServer, tmp_path: Path) -> None:
    client = Transport(QUICK)
    assert client.get(secure.on("/x", Reply(b"x"))).body == b"x"
    file = Reply(DATA, ranges=True, etag='"1"')
    url = secure.on("/f", replace(file, manner=stall(100_000)), file)
    assert client.download(url, tmp_path / "f").read_bytes() == DATA
    assert secure.seen[-1].headers["range"] == "bytes=100000-"


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("manner", [drip(1, 0.05), drip_head(0.05)], ids=["body", "head"])
def test_deadlines_hold(manner: Manner, secure: FaultServer) -> None:
    client = Transport(replace(QUICK, total_seconds=0.6))
    started = time.monotonic()
    with pytest.raises(TransientSourceError):
        client.get(secure.on("/x", Reply(b"x" * 1000, manner=manner)))
    assert time.monotonic() - started < 1.2


@pytest.mark.usefixtures("trusted")
def test_https_is_not_left(secure: FaultServer, server: FaultServer) -> None:
    plain = server.on("/x", Reply(b"x"))
    url = secure.on("/x", Reply(status=301, headers={"Location": plain}))
    with pytest.raises(SourceError, match="away from https"):
        Transport(QUICK).get(url)
    assert not server.seen
    up = server.on("/up", Reply(status=301, headers={"Location": secure.on("/y", Reply(b"y"))}))
    assert Transport(QUICK).get(up).body == b"y"
