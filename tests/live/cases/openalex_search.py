from typing import Any

from etl.sources.http import Transport
from etl.sources.openalex.search import search
from etl.sources.outcome import Outcome, Reply
from tests.live.openalex import WORKS, page, work

IDS: tuple[str, ...] = ()
PATHS = {WORKS: page([work(1), work(2)])}
EMPTY = {WORKS: page([])}
EMPTY_OUTCOMES = {Outcome.NONE}
ERRORS_IN_200 = [(b'{"error": "busy"}', True)]


def ask(http: Transport) -> Reply[Any]:
    return search(http, "drops")
