from typing import Any

from etl.sources.http import Transport
from etl.sources.outcome import Reply
from etl.sources.pubtator.annotate import annotate
from tests.live.pubtator import EXPORT, answer, document, entity

IDS = ("11", "12")
PATHS = {EXPORT: answer(document(12, entity("Disease", "Asthma")), document(11))}
ERRORS_IN_200 = [(b'{"PubTator3": []}', True), (b'{"detail": "busy"}', True)]


def ask(http: Transport) -> Reply[Any]:
    return annotate(http, [11, 12])
