from etl.sources.http import Transport
from etl.sources.outcome import Outcome, Reply
from etl.sources.pubmed import live
from tests.live.eutils import ESEARCH, found

IDS: tuple[str, ...] = ()
PATHS = {ESEARCH: found([11, 12, 13])}
EMPTY = {ESEARCH: found([])}
EMPTY_OUTCOMES = {Outcome.NONE}
ERRORS_IN_200 = [
    (b'{"esearchresult":{"ERROR":"Search Backend failed: Exception: 502 Proxy Error"}}', True),
    (
        b'{"esearchresult":{"ERROR":"Search Backend failed: Database is not supported: pubmed"}}',
        True,
    ),
    (b'{"error":"API rate limit exceeded","api-key":"10.0.0.1","count":"4","limit":"3"}', True),
    (b'{"esearchresult":{"ERROR":"Empty term and query_key - nothing todo"}}', False),
    (
        b'{"esearchresult":{"ERROR":"\'retstart\'\n cannot be larger than 9998"}}',
        False,
    ),
]


def ask(http: Transport) -> Reply[list[int]]:
    return live.search(http, "asthma", limit=50)
