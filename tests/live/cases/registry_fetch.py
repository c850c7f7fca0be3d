from typing import Any

from etl.sources.http import Transport
from etl.sources.outcome import Outcome, Reply
from etl.sources.trials import registry
from tests.live.ctgov import STUDIES, page, study

IDS = ("NCT00000001", "NCT00000002")
PATHS = {STUDIES: page([study(1), study(2)])}
EMPTY = {STUDIES: page([])}
EMPTY_OUTCOMES = {Outcome.UNKNOWN}
ERRORS_IN_200 = [(b'{"error": "busy"}', True)]


def ask(http: Transport) -> Reply[Any]:
    return registry.fetch(http, IDS)
