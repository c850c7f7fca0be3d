"""NCBI's E-utilities as the tests know them: invented records on a scripted server."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from urllib.parse import parse_qs

from tests.fault_server import FaultServer, Reply, Request

ESEARCH, EFETCH, ELINK = ("/eutils/esearch.fcgi", "/eutils/efetch.fcgi", "/eutils/elink.fcgi")
SET = '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st \
January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n<PubmedArticleSet>'

Find = Callable[[Mapping[str, str]], Sequence[int]]


def form(request: Request) -> dict[str, str]:
    """The fields of a GET or a POST."""
    posted = parse_qs(request.body.decode(), keep_blank_values=True)
    return {**request.query, **{name: values[-1] for name, values in posted.items()}}


def found(pmids: Sequence[int], count: int | None = None, **more: object) -> bytes:
    """An esearch answer in JSON, counts as text."""
    result = {
        "count": str(len(pmids) if count is None else count), "retmax": str(len(pmids)),
        "retstart": "0", "idlist": [str(p) for p in pmids], "translationset": [],
        "querytranslation": "", **more,
    }  # fmt: skip
    return json.dumps(
        {"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result}
    ).encode()


def article_set(elements: Sequence[str]) -> bytes:
    """An efetch answer."""
    return f"{SET}{''.join(elements)}</PubmedArticleSet>\n".encode()


def serve(server: FaultServer, records: Mapping[int, str], find: Find | None = None) -> None:
    """Answers esearch with ``find`` (default: every record) and efetch with ``records``."""

    def search(request: Request) -> Reply:
        said = form(request)
        pmids = list(find(said) if find else records)
        return Reply(found(pmids[: int(said.get("retmax", "20"))], len(pmids)))

    def fetch(request: Request) -> Reply:
        asked = [int(p) for p in form(request)["id"].split(",")]
        return Reply(article_set([records[p] for p in asked if p in records]))

    server.on(ESEARCH, search)
    server.on(EFETCH, fetch)


def entered(days: Mapping[int, date]) -> Find:
    """Finds the PMIDs whose day of entry lies in the window that is asked for, newest first."""

    def find(said: Mapping[str, str]) -> list[int]:
        low, high = (said.get(name, "").replace("/", "-") for name in ("mindate", "maxdate"))
        return [
            pmid
            for pmid, day in sorted(days.items(), key=lambda item: item[1], reverse=True)
            if (not low or date.fromisoformat(low) <= day)
            and (not high or day <= date.fromisoformat(high))
        ]

    return find
