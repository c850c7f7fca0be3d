"""A real BioMCP whose every upstream is a scripted server on loopback."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from etl.sources.biomcp import Endpoint
from tests.fault_server import FaultServer, Reply

NAMES = ("PUBMED", "EUROPEPMC", "PUBTATOR", "CTGOV", "S2", "LITSENSE2", "OLS4")
NOWHERE = "http://127.0.0.1:9"  # the discard port: nobody listens

ESEARCH, EUROPEPMC = "/pubmed/esearch.fcgi", "/europepmc/search"
PUBTATOR, STUDIES = "/pubtator/search/", "/ctgov/studies"
S2, OLS4 = "/s2/graph/v1/paper/search", "/ols4/api/search"


def executable() -> str:
    """The program of biomcp-cli in this environment; its absence is a fault, not a skip."""
    beside = Path(sys.executable).with_name("biomcp")
    found = str(beside) if beside.exists() else shutil.which("biomcp")
    assert found, "biomcp-cli is not installed: pip install biomcp-cli"
    return found


def environment(server: FaultServer, cache: Path) -> dict[str, str]:
    """Every upstream on ``server``, whatever else it may want on a closed port of loopback."""
    bases = {f"BIOMCP_{name}_BASE": f"{server.url}/{name.lower()}" for name in NAMES}
    proxies = dict.fromkeys(("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"), NOWHERE)
    lower = {name.lower(): value for name, value in proxies.items()}
    return {
        **bases, **proxies, **lower, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1",
        "BIOMCP_CACHE_MODE": "off", "BIOMCP_CACHE_DIR": str(cache),
        "BIOMCP_TEST_UNPACED_ORIGIN": server.url,
    }  # fmt: skip


def endpoint(server: FaultServer, cache: Path) -> Endpoint:
    """BioMCP over standard input and output."""
    return Endpoint("test", None, executable(), ("serve",), environment(server, cache))


def europepmc(*pmids: int) -> bytes:
    """A page of Europe PMC's lite search."""
    rows = [
        {
            "id": str(p), "source": "MED", "pmid": str(p), "title": f"Asthma and budesonide {p}",
            "journalTitle": "J Drops", "pubYear": "2026", "firstPublicationDate": "2026-05-03",
            "citedByCount": 3, "pubType": "journal article",
        }
        for p in pmids
    ]  # fmt: skip
    return json.dumps({"hitCount": len(rows), "resultList": {"result": rows}}).encode()


def studies(*numbers: int) -> bytes:
    """A page of ClinicalTrials.gov."""
    rows = [
        {
            "protocolSection": {
                "identificationModule": {"nctId": f"NCT{n:08d}", "briefTitle": "Budesonide"},
                "statusModule": {"overallStatus": "COMPLETED"},
                "conditionsModule": {"conditions": ["Asthma"]},
                "designModule": {"studyType": "INTERVENTIONAL"},
            }
        }
        for n in numbers
    ]
    return json.dumps({"studies": rows, "totalCount": len(rows)}).encode()


EMPTY: dict[str, Any] = {
    ESEARCH: {"esearchresult": {"count": "0", "retmax": "0", "retstart": "0", "idlist": []}},
    PUBTATOR: {"results": [], "count": 0, "total_pages": 0, "current": 1, "page_size": 25},
    S2: {"total": 0, "offset": 0, "data": []},
    OLS4: {"response": {"docs": [], "numFound": 0, "start": 0}},
    EUROPEPMC: {"hitCount": 0, "resultList": {"result": []}},
    STUDIES: {"studies": [], "totalCount": 0},
}


def serve(server: FaultServer, **replies: Reply) -> None:
    """All upstreams answer that there is nothing, but for ``replies`` by name of the upstream."""
    for path, body in EMPTY.items():
        server.on(path, Reply(json.dumps(body).encode()))
    paths = {"pubmed": ESEARCH, "europepmc": EUROPEPMC, "pubtator": PUBTATOR, "ctgov": STUDIES,
             "s2": S2, "ols4": OLS4}  # fmt: skip
    for name, reply in replies.items():
        server.on(paths[name], reply)
