from typing import Any

from etl.sources.europepmc import fulltext
from etl.sources.http import Transport
from etl.sources.outcome import Outcome, Reply
from tests.live.europepmc import FRONT_ONLY, JATS

IDS = ("PMC77",)
PATHS = {"/europepmc/PMC77/fullTextXML": JATS}
EMPTY = {"/europepmc/PMC77/fullTextXML": FRONT_ONLY}
EMPTY_OUTCOMES = {Outcome.NOT_AVAILABLE}
OUTCOMES_404 = {Outcome.NOT_AVAILABLE}
ERRORS_IN_200 = [(b"<errorBean><errCode>500</errCode></errorBean>", True)]


def ask(http: Transport) -> Reply[Any]:
    return fulltext.full_text(http, "PMC77")
