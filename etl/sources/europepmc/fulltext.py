"""Open full texts of Europe PMC: JATS by PMCID; 404 is "not open"."""

from etl.sources import jats
from etl.sources.fulltext_reply import Count, NotOpenError, Text, asked_pmcid, reply
from etl.sources.http import Response, Transport
from etl.sources.http_errors import Passing
from etl.sources.http_limits import Deadline
from etl.sources.outcome import Reply

SOURCE = "europepmc-fulltext"


def full_text(http: Transport, pmcid: str, within: Deadline | None = None) -> Reply[Text]:
    """The paragraphs of ``pmcid`` (``PMC123``); NOT_AVAILABLE when it is not open there.

    Raises ``UsageError`` when ``pmcid`` is no PMCID.
    """
    pmcid = asked_pmcid(pmcid)

    def ask(count: Count) -> Text:
        count.requests += 1
        return paragraphs(http, f"{http.base('europepmc')}{pmcid}/fullTextXML", within)

    return reply(SOURCE, pmcid, ask)


def paragraphs(http: Transport, url: str, within: Deadline | None) -> Text:
    """The paragraphs of the JATS article at ``url``.

    Raises ``NotOpenError`` for front matter only; anything that is no article is asked for again,
    since errors come under status 200.
    """
    found: list[Text] = []

    def check(response: Response) -> None:
        try:
            found[:] = [jats.sections(response.body)]
        except jats.NoBodyError as error:
            raise NotOpenError(str(error), response.status) from None
        except ValueError as error:
            raise Passing(f"answered with something else: {error}", response.status) from None

    http.get(url, expect="xml", check=check, within=within)
    return found[0]
