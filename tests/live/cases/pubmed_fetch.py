from etl.sources.http import Transport
from etl.sources.outcome import Outcome, Reply
from etl.sources.pubmed import live
from etl.sources.pubmed.live import Fetched
from tests.live.eutils import EFETCH, article_set
from tests.pubmed_xml import article

IDS = ("21", "22", "23")
PATHS = {EFETCH: article_set([article(int(n), f"study {n}") for n in IDS])}
EMPTY = {EFETCH: article_set([])}
EMPTY_OUTCOMES = {Outcome.UNKNOWN}
ERRORS_IN_200 = [
    (b"Resource temporarily unavailable", True),
    (
        b"<eFetchResult><ERROR> Error: External viewer error: Empty Response. Status: Timeout"
        b"</ERROR></eFetchResult>",
        True,
    ),
    (b"<eFetchResult><ERROR>Unable to obtain query #1</ERROR></eFetchResult>", False),
]


def ask(http: Transport) -> Reply[Fetched]:
    return live.fetch(http, [int(n) for n in IDS])
