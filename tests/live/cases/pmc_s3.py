from typing import Any

from etl.sources.http import Transport
from etl.sources.outcome import Outcome, Reply
from etl.sources.pmc_s3 import fulltext
from tests.live.europepmc import JATS, LISTING, NO_LISTING, OPEN

IDS = ("PMC77",)
PATHS = {
    "/pmc-s3/": LISTING,
    "/pmc-s3/PMC77.10/PMC77.10.json": OPEN,
    "/pmc-s3/PMC77.10/PMC77.10.xml": JATS,
}
EMPTY = {"/pmc-s3/": NO_LISTING}
EMPTY_OUTCOMES = {Outcome.NOT_AVAILABLE}
OUTCOMES_404 = {Outcome.NOT_AVAILABLE}
ERRORS_IN_200 = [(b"<Error><Code>SlowDown</Code></Error>", True)]


def ask(http: Transport) -> Reply[Any]:
    return fulltext.full_text(http, "PMC77")
