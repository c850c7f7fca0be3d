from typing import Any

from etl.sources.europepmc.search import search
from etl.sources.http import Transport
from etl.sources.outcome import Outcome, Reply
from tests.live.europepmc import SEARCH, answer, preprint, record

IDS: tuple[str, ...] = ()
PATHS = {SEARCH: answer([record(11), record(12), preprint(13)])}
EMPTY = {SEARCH: answer([])}
EMPTY_OUTCOMES = {Outcome.NONE}
ERRORS_IN_200 = [
    (b'{"errCode": 404, "errMsg": "Invalid page size provided."}', False),
    (b'{"version": "6.9", "hitCount": 3}', True),
    (answer([], hits=3), True),
]


def ask(http: Transport) -> Reply[Any]:
    return search(http, "drops", preprints=True)
