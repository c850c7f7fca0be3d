from etl.sources.http import Transport
from etl.sources.outcome import Outcome, Reply
from etl.sources.pubmed import live
from tests.live.eutils import ELINK

IDS = ("31", "32")
_SET = "<LinkSet><DbFrom>pubmed</DbFrom><IdList><Id>{}</Id></IdList>{}</LinkSet>"
_LINK = (
    "<LinkSetDb><DbTo>pubmed</DbTo><LinkName>pubmed_pubmed_citedin</LinkName>"
    "<Link><Id>99</Id></Link></LinkSetDb>"
)


def _answer(*sets: str) -> bytes:
    return f"<?xml version='1.0'?><eLinkResult>{''.join(sets)}</eLinkResult>\n".encode()


PATHS = {ELINK: _answer(_SET.format(31, _LINK), _SET.format(32, ""))}
EMPTY = {ELINK: _answer(_SET.format(31, ""), _SET.format(32, ""))}
EMPTY_OUTCOMES = {Outcome.NONE}
ERRORS_IN_200 = [
    (b"<eLinkResult><ERROR>address table is empty. Temporary failure</ERROR></eLinkResult>", True)
]


def ask(http: Transport) -> Reply[dict[int, list[int]]]:
    return live.links(http, [int(n) for n in IDS])
