from typing import Any

from etl.sources.bioc import fulltext
from etl.sources.http import Transport
from etl.sources.outcome import Outcome, Reply
from tests.live.europepmc import BIOC, NOT_OPEN

IDS = ("PMC77",)
PATHS = {"/bioc/BioC_json/PMC77/unicode": BIOC}
EMPTY = {"/bioc/BioC_json/PMC77/unicode": NOT_OPEN}
EMPTY_OUTCOMES = {Outcome.NOT_AVAILABLE}
OUTCOMES_404 = {Outcome.NOT_AVAILABLE}
ERRORS_IN_200 = [(b"[]", True), (b"{}", True)]


def ask(http: Transport) -> Reply[Any]:
    return fulltext.full_text(http, "PMC77")
