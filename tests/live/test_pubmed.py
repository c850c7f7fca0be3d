"""PubMed live on real sockets: search, records, links, and what servers do instead."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from etl.errors import UsageError
from etl.sources.http import Response, Transport
from etl.sources.http_limits import Deadline
from etl.sources.outcome import Outcome
from etl.sources.pubmed import live, live_search
from etl.sources.pubmed.live_search import MOST, rewritten
from tests.fault_server import FaultServer, Reply, Request, cut, stall_at_once
from tests.live.eutils import EFETCH, ELINK, ESEARCH, article_set, entered, form, found, serve
from tests.pubmed_xml import RCT, article

RECORDS = {n: article(n, f"study {n}", types=[RCT]) for n in range(1, 451)}
BOOK = """<PubmedBookArticle><BookDocument><PMID Version="1">77</PMID><Book><Publisher>
<PublisherName>P</PublisherName></Publisher><BookTitle>Reviews</BookTitle></Book>
<ArticleTitle>A chapter</ArticleTitle></BookDocument></PubmedBookArticle>"""


def test_a_search_says_who_asks_and_how_many(server: FaultServer, http: Transport) -> None:
    server.on(ESEARCH, Reply(found([3, 1, 2])))
    reply = live.search(http, "asthma", limit=3)
    assert (reply.outcome, reply.value, reply.status) == (Outcome.FOUND, [3, 1, 2], 200)
    said = form(server.seen[0])
    assert said["tool"] == "evidence-warehouse" and said["email"] == "me@example.org"
    assert said["api_key"] == "secret-key" and said["retmax"] == "3" and said["retmode"] == "json"
    assert "mindate" not in said and server.seen[0].method == "GET"


def test_a_long_term_is_posted(server: FaultServer, http: Transport) -> None:
    server.on(ESEARCH, Reply(found([1])))
    term = " OR ".join(f"word{n}" for n in range(200))
    assert live.search(http, term).value == [1]
    assert server.seen[0].method == "POST" and form(server.seen[0])["term"] == term


def test_dates_go_in_pairs(server: FaultServer, http: Transport) -> None:
    server.on(ESEARCH, Reply(found([1])))
    live.search(http, "asthma", since=date(2026, 11, 1))
    said = form(server.seen[0])
    assert said["datetype"] == "edat" and said["mindate"] == "2026/11/01" and said["maxdate"]


def test_no_match_is_none_and_not_a_failure(server: FaultServer, http: Transport) -> None:
    warning = {"quotedphrasesnotfound": ['\\"zzqqxx\\"'], "outputmessages": ["No items found."]}
    server.on(ESEARCH, Reply(found([], warninglist=warning)))
    reply = live.search(http, "zzqqxx")
    assert (reply.outcome, reply.value) == (Outcome.NONE, None) and "zzqqxx" in reply.detail


def test_an_unknown_tag_is_said(server: FaultServer, http: Transport) -> None:
    shown = '"asthma"[All Fields] AND "rct"[Publication Type]'
    server.on(ESEARCH, Reply(found([1], querytranslation=shown)))
    reply = live.search(http, "asthma[nosuch] AND rct[pt]")
    assert "asthma[nosuch]" in reply.detail and "rct[pt]" not in reply.detail
    assert rewritten("asthma[all fields]", '"asthma"[All Fields]') == []


def test_a_raw_line_break_in_json_is_read(server: FaultServer, http: Transport) -> None:
    body = (
        b'{"header":{"type":"esearch"},"esearchresult":{"ERROR":"Search Backend failed: '
        b"Exception:\n'retstart' cannot be larger than 9998. For PubMed\"}}"
    )
    server.on(ESEARCH, Reply(body))
    reply = live.search(http, "asthma")
    assert reply.outcome is Outcome.FAILED and "cannot be larger than 9998" in reply.detail
    assert len(server.seen) == 1  # ours: asking again gives the same


@pytest.mark.parametrize(
    "error",
    [
        "Search Backend failed: Database is not supported: pubmed",
        "Search Backend failed: Exception: 502 Proxy Error",
        "Search Backend failed: Search is temporarily unavailable.",
    ],
)
def test_a_passing_error_in_200_is_asked_again(
    server: FaultServer, http: Transport, error: str
) -> None:
    server.on(
        ESEARCH, Reply(f'{{"esearchresult":{{"ERROR":"{error}"}}}}'.encode()), Reply(found([5]))
    )
    assert live.search(http, "asthma").value == [5] and len(server.seen) == 2


def test_a_rate_limit_in_200_is_no_zero_and_gives_no_key_away(
    server: FaultServer, http: Transport
) -> None:
    body = b'{"error":"API rate limit exceeded","api-key":"secret-key","count":"4","limit":"3"}'
    server.on(ESEARCH, Reply(body))
    reply = live.search(http, "asthma")
    assert reply.outcome is Outcome.FAILED and reply.value is None
    assert "secret-key" not in reply.detail and "me@example.org" not in reply.detail


def test_an_empty_term_is_ours(http: Transport) -> None:
    with pytest.raises(UsageError):
        live.search(http, "  ")
    with pytest.raises(UsageError):
        live.search(http, "x", since=date(2026, 2, 1), until=date(2026, 1, 1))


def test_fewer_than_announced_is_said(server: FaultServer, http: Transport) -> None:
    server.on(ESEARCH, Reply(found([1, 2], count=5)))
    reply = live.search(http, "asthma", limit=10)
    assert reply.value == [1, 2] and reply.partial and "2 PMIDs came of 5" in reply.detail


def test_past_9999_by_windows_of_days(server: FaultServer, http: Transport) -> None:
    start = date(2026, 1, 1)
    days = {pmid: start + timedelta(days=pmid % 300) for pmid in range(1, 25_001)}
    serve(server, {}, entered(days))
    reply = live.search(
        http, "asthma", since=start, until=start + timedelta(days=300), limit=100_000
    )
    assert reply.value is not None and sorted(reply.value) == sorted(days)
    assert reply.detail == "" and reply.requests == len(server.seen) < 12
    assert all(int(form(r)["retmax"]) <= MOST for r in server.seen)


def test_a_single_day_past_9999_is_said(server: FaultServer, http: Transport) -> None:
    day = date(2026, 1, 1)
    serve(server, {}, entered(dict.fromkeys(range(1, 12_001), day)))
    reply = live.search(http, "x", since=day, until=day, limit=100_000)
    assert reply.value is not None and len(reply.value) == MOST
    assert "2026-01-01 alone has 12000 records" in reply.detail


def test_a_window_that_fails_leaves_the_others(server: FaultServer, http: Transport) -> None:
    start = date(2026, 1, 1)
    days = {pmid: start + timedelta(days=pmid % 300) for pmid in range(1, 25_001)}
    find = entered(days)

    def answer(request: Request) -> Reply:
        said = form(request)
        if said["maxdate"] < "2026/05/01":
            return Reply(status=503)
        pmids = find(said)
        return Reply(found(pmids[:MOST], len(pmids)))

    server.on(ESEARCH, answer)
    reply = live.search(http, "x", since=start, until=start + timedelta(days=300), limit=100_000)
    assert reply.outcome is Outcome.FOUND and reply.value and "the rest failed" in reply.detail


def test_records_come_in_batches_by_post(server: FaultServer, http: Transport) -> None:
    serve(server, RECORDS)
    reply = live.fetch(http, [*RECORDS, 1, 2])
    assert reply.outcome is Outcome.FOUND and reply.missing == () and reply.detail == ""
    assert reply.value is not None and reply.value.pmids == list(RECORDS)
    sizes = [len(form(r)["id"].split(",")) for r in server.seen]
    assert sizes == [200, 200, 50] and {r.method for r in server.seen} == {"POST"}
    assert all(form(r)["retmode"] == "xml" and form(r)["tool"] for r in server.seen)
    assert len(reply.value.xml) == 3


def test_what_did_not_come_is_named(server: FaultServer, http: Transport) -> None:
    serve(server, {1: RECORDS[1], 3: RECORDS[3]})
    reply = live.fetch(http, [1, 2, 3])
    assert reply.missing == ("2",) and reply.value is not None and reply.value.pmids == [1, 3]
    assert "PubMed has no record of 2" in reply.detail and reply.partial


def test_an_empty_set_is_unknown(server: FaultServer, http: Transport) -> None:
    server.on(EFETCH, Reply(b'<?xml version="1.0" ?>\n<PubmedArticleSet></PubmedArticleSet>\n'))
    reply = live.fetch(http, [999_999_999])
    assert (reply.outcome, reply.value) == (Outcome.UNKNOWN, None)
    assert reply.missing == ("999999999",)


def test_book_records_come_too(server: FaultServer, http: Transport) -> None:
    server.on(EFETCH, Reply(article_set([RECORDS[1], BOOK])))
    reply = live.fetch(http, [1, 77])
    assert reply.value is not None and reply.value.pmids == [1, 77] and reply.missing == ()


def test_a_record_that_nobody_asked_for_is_not_taken(server: FaultServer, http: Transport) -> None:
    server.on(EFETCH, Reply(article_set([RECORDS[1], RECORDS[2]])))
    reply = live.fetch(http, [1])
    assert reply.value is not None and reply.value.pmids == [1]


@pytest.mark.parametrize(
    "bad",
    [
        Reply(b"<eFetchResult><ERROR> Error: External viewer error: Status: Timeout</ERROR>"
              b"</eFetchResult>"),
        Reply(article_set([RECORDS[1]])[:-25]),
        Reply(article_set([RECORDS[1]]), manner=cut(300)),
        Reply(article_set([RECORDS[1]]).replace(b"</Article>", b"")),
        Reply(b""),
        Reply(status=500),
    ],
)  # fmt: skip
def test_a_damaged_answer_is_asked_again(server: FaultServer, http: Transport, bad: Reply) -> None:
    server.on(EFETCH, bad, Reply(article_set([RECORDS[1]])))
    reply = live.fetch(http, [1])
    assert reply.value is not None and reply.value.pmids == [1] and len(server.seen) == 2


def test_a_batch_that_fails_loses_no_other(server: FaultServer, http: Transport) -> None:
    def answer(request: Request) -> Reply:
        asked = [int(p) for p in form(request)["id"].split(",")]
        good = 250 not in asked
        return Reply(article_set([RECORDS[p] for p in asked])) if good else Reply(status=503)

    server.on(EFETCH, answer)
    reply = live.fetch(http, list(RECORDS))
    assert reply.outcome is Outcome.FOUND and reply.value is not None
    assert set(map(int, reply.missing)) == set(range(201, 401))
    assert reply.value.pmids == [*range(1, 201), *range(401, 451)]
    assert "200 could not be asked" in reply.detail


def test_an_error_in_200_that_stays_is_a_failure(server: FaultServer, http: Transport) -> None:
    body = b"<eFetchResult><ERROR>Unable to obtain query #1</ERROR></eFetchResult>"
    server.on(EFETCH, Reply(body))
    reply = live.fetch(http, [1, 2])
    assert reply.outcome is Outcome.FAILED and reply.missing == ("1", "2")
    assert len(server.seen) == 1


def test_nobody_waits_longer_than_the_deadline(server: FaultServer, http: Transport) -> None:
    server.on(EFETCH, Reply(b"<x/>", manner=stall_at_once))
    reply = live.fetch(http, list(RECORDS), within=Deadline(0.3))
    assert reply.outcome is Outcome.FAILED and len(reply.missing) == len(RECORDS)
    assert reply.seconds < 0.8


LINKS = b"""<?xml version="1.0" encoding="UTF-8" ?>
<eLinkResult><LinkSet><DbFrom>pubmed</DbFrom><IdList><Id>1</Id></IdList>
<LinkSetDb><DbTo>pubmed</DbTo><LinkName>pubmed_pubmed_citedin</LinkName>
<Link><Id>10</Id></Link><Link><Id>11</Id></Link></LinkSetDb></LinkSet>
<LinkSet><DbFrom>pubmed</DbFrom><IdList><Id>2</Id></IdList></LinkSet></eLinkResult>
"""


def test_links_one_set_for_each(server: FaultServer, http: Transport) -> None:
    server.on(ELINK, Reply(LINKS))
    reply = live.links(http, [1, 2, 3])
    assert reply.value == {1: [10, 11], 2: []} and reply.missing == ("3",)
    assert server.seen[0].query["linkname"] == "pubmed_pubmed_citedin"


def test_links_that_fail_are_no_zero(server: FaultServer, http: Transport) -> None:
    server.on(ELINK, Reply(b"<eLinkResult><ERROR>BLOB ID IS NOT IMPLEMENTED</ERROR></eLinkResult>"))
    reply = live.links(http, [1])
    assert reply.outcome is Outcome.FAILED and reply.missing == ("1",)


def test_only_documented_calls_are_made(server: FaultServer, http: Transport) -> None:
    """Abstracts come from efetch alone, without a rettype that may change its meaning."""
    serve(server, RECORDS)
    live.search(http, "asthma", limit=3)
    live.fetch(http, [1, 2])
    assert [r.path for r in server.seen] == [ESEARCH, EFETCH]
    assert all("rettype" not in form(r) and form(r)["db"] == "pubmed" for r in server.seen)


@given(
    days=st.lists(st.integers(0, 40), min_size=1, max_size=120),
    most=st.integers(1, 30),
    limit=st.integers(1, 150),
)
@settings(max_examples=60, deadline=None)
def test_paging_loses_and_repeats_nothing(days: list[int], most: int, limit: int) -> None:
    """Windows of days against a server that gives ``most`` records of a search."""
    start = date(2026, 1, 1)
    entered_on = {n: start + timedelta(days=day) for n, day in enumerate(days, 1)}
    find = entered(entered_on)

    def answer(http: object, program: str, said: dict[str, str], **how: Any) -> Response:
        pmids = find({k: v for k, v in said.items() if v})
        body = found(pmids[: min(int(said["retmax"]), most)], len(pmids))
        response = Response("", 200, {}, body)
        how["check"](response)  # as the transport does with every whole answer
        return response

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live_search, "MOST", most)
        patch.setattr(live_search, "ask", answer)
        reply = live.search(
            None,
            "x",
            since=start,
            until=start + timedelta(days=40),
            limit=limit,  # type: ignore[arg-type]
        )
    got = reply.value or []
    assert len(got) == len(set(got)) and set(got) <= set(entered_on)
    crowded = any(days.count(day) > most for day in set(days))
    if not crowded:
        assert len(got) == min(limit, len(days))
    elif len(got) < min(limit, len(days)):
        assert reply.detail  # what did not come is said
