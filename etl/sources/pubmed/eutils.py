"""What every request to NCBI's E-utilities carries, and how their answers say that they failed.

Facts: NBK25497 (tool, email, api_key; 3 requests a second), NBK25499 (parameters, 9,999 records of
one PubMed search). Errors come with status 200 too: a JSON or XML ``ERROR``, or an ``error`` beside
nothing else; which of them may pass is told below.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from etl.errors import SourceError
from etl.sources.http_errors import Passing, scrub

if TYPE_CHECKING:
    from etl.sources.http import Response, Transport
    from etl.sources.http_limits import Deadline

SOURCE = "pubmed-eutils"
TOOL = "evidence-warehouse"

# How a reply that came in part says that something failed (a PMID unknown to PubMed is no failure).
REST_FAILED = "the rest failed: "
UNASKED = "could not be asked: "

# A GET longer than several hundred characters belongs into a POST (NBK25499).
LONG = 300

# What we did wrong, or what has no answer: asking again gives the same.
_OURS = re.compile(
    r"empty (?:term|id list)|nothing todo|invalid (?:db|database|uid|retmode|rettype)"
    r"|cannot be larger than|obtain query #|retrieve history data|id list is empty",
    re.IGNORECASE,
)
_XML_ERROR = re.compile(rb"<(?:ERROR|Error)>\s*(.*?)\s*</(?:ERROR|Error)>", re.DOTALL)
_ERROR_HEAD = 4096  # an ERROR stands at the start of an answer that has nothing else


def fields(http: "Transport", said: Mapping[str, str | None]) -> dict[str, str | None]:
    """``said`` with who asks: ``tool`` always, ``email`` and ``api_key`` where they are set."""
    settings = http.settings
    email = settings.contact if settings.contact and "@" in settings.contact else None
    return {**said, "tool": TOOL, "email": email, "api_key": settings.keys.get("ncbi")}


def ask(  # noqa: PLR0913 - what a request to one program needs
    http: "Transport",
    program: str,
    said: Mapping[str, str | None],
    *,
    kind: str,
    check: "Callable[[Response], None]",
    post: bool,
    within: "Deadline | None",
) -> "Response":
    """The checked answer of ``program`` (esearch.fcgi, ...). Raises ``SourceError``."""
    url = http.base("eutils") + program
    form = fields(http, said)
    expect: Any = kind
    if post:
        return http.post(url, form=form, expect=expect, check=check, within=within)
    return http.get(url, params=form, expect=expect, check=check, within=within)


def judge(words: str) -> None:
    """Raises for an error text inside a good status: ``Passing`` unless it is our own fault."""
    text = scrub(words)[:200]
    if _OURS.search(words):
        raise SourceError(f"{SOURCE}: {text}; mend the request, asking again gives the same")
    raise Passing(f"answered with an error inside status 200: {text}")


def _document(body: bytes) -> dict[str, Any]:
    """A JSON answer. NCBI's may hold raw line breaks in texts. Raises ``Passing`` when broken."""
    try:
        found = json.loads(body, strict=False)
    except ValueError:
        raise Passing("answered with broken JSON") from None
    if not isinstance(found, dict):
        raise Passing("answered with JSON of another shape")
    return found


def searched(response: "Response") -> dict[str, Any]:
    """The JSON answer of esearch. Raises for one that says it failed."""
    said = _document(response.body)
    if said.get("error"):
        raise Passing(
            f"answered with an error inside status 200: {scrub(str(said['error']))[:200]}"
        )
    inner = said.get("esearchresult", {})
    error = inner.get("ERROR") if isinstance(inner, dict) else "no esearchresult"
    if error:
        judge(str(error))
    return said


def check_xml(root: bytes) -> "Callable[[Response], None]":
    """A check of an XML answer whose root element must be ``root`` and hold no ERROR itself."""
    inside = re.compile(rb"<" + root + rb"[^>]*>\s*<ERROR>", re.IGNORECASE)

    def check(response: "Response") -> None:
        head = response.body[:_ERROR_HEAD]
        if b"<" + root in head and not inside.search(head):
            return
        found = _XML_ERROR.search(head)
        judge(found[1].decode("utf-8", "replace") if found else f"no {root.decode()}")

    return check
