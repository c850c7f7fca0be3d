"""How we ask the servers of others: who we say we are, how often, how long we wait.

Facts: NLM asks for a contact and for at most 3 requests a second without a key
(https://www.ncbi.nlm.nih.gov/books/NBK25497/); bursts at the turn of a second are refused, hence
the margin.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata
from urllib.parse import urlsplit

from etl.errors import UsageError

MEGABYTE = 1 << 20

BASES: Mapping[str, str] = {
    "bioc": "https://www.ncbi.nlm.nih.gov/research/bionlp/RESTful/pmcoa.cgi/",
    "ctgov": "https://clinicaltrials.gov/api/v2/",
    "europepmc": "https://www.ebi.ac.uk/europepmc/webservices/rest/",
    "eutils": "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/",
    "idconv": "https://pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/",
    "openalex": "https://api.openalex.org/",
    "pmc-s3": "https://pmc-oa-opendata.s3.amazonaws.com/",
    "pubmed-baseline": "https://ftp.ncbi.nlm.nih.gov/pubmed/baseline/",
    "pubmed-updates": "https://ftp.ncbi.nlm.nih.gov/pubmed/updatefiles/",
    "pubtator": "https://www.ncbi.nlm.nih.gov/research/pubtator3-api/",
}
KEYS: Mapping[str, str] = {"ncbi": "NCBI_API_KEY", "openalex": "OPENALEX_API_KEY"}


@dataclass(frozen=True)
class Family:
    """Hosts that share one budget of requests.

    A host belongs when it ends in one of ``hosts``, an address when it begins with one of
    ``bases`` (names of ``BASES``). ``per_day`` requests are asked at most in one process and day
    (UTC); None is no limit. ``budgeted``: a server that asks to wait for hours means tomorrow.
    """

    name: str
    hosts: tuple[str, ...]
    per_second: float
    bases: tuple[str, ...] = ()
    per_day: int | None = None
    budgeted: bool = False


# All of NCBI counts as one; FTP files are on another machine of theirs, the same rule holds.
NCBI = Family("NCBI", ("ncbi.nlm.nih.gov",), 2.5, ("eutils", "bioc", "pubtator", "idconv"))
NCBI_WITH_KEY = 9.0  # of the 10/s that NLM allows with a key
FAMILIES = (
    NCBI,
    # Europe PMC publishes no limit; 5/s is what others live with
    Family("EuropePMC", ("ebi.ac.uk",), 5.0, ("europepmc",)),
    # none is documented; faster clients met 429 at peak hours
    Family("ClinicalTrials", ("clinicaltrials.gov",), 50 / 60, ("ctgov",)),
    # 10/s without a key, https://developers.openalex.org/
    Family("OpenAlex", ("openalex.org",), 9.0, ("openalex",), budgeted=True),
    Family("PMC-S3", ("pmc-oa-opendata.s3.amazonaws.com",), 5.0, ("pmc-s3",)),
)


@dataclass(frozen=True)
class Settings:
    """Settings of the transport; every time is in seconds, every size in bytes."""

    user_agent: str = "evidence-warehouse"
    bases: Mapping[str, str] = field(default_factory=lambda: dict(BASES))
    families: tuple[Family, ...] = FAMILIES
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)  # by family, secret
    contact: str | None = None  # an e-mail address, for the services that ask for one
    user_agents: Mapping[str, str] = field(default_factory=dict)  # by family, where it differs
    per_second: float = 2.5  # of a host that belongs to no family
    connect_seconds: float = 10.0
    read_seconds: float = 30.0  # without a single byte
    total_seconds: float = 120.0  # one answer: limiter, retries and all
    attempts: int = 5
    backoff_seconds: float = 1.0  # before the second attempt, doubled before each later one
    backoff_cap: float = 30.0
    retry_after_cap: float = 300.0  # some servers ask for hours
    budget_after: float = 600.0  # a budgeted family that asks for longer means tomorrow
    body_limit: int = 64 * MEGABYTE
    download_seconds: float = 6 * 3600.0  # one file, however often it is resumed
    download_limit: int = 32 * 1024 * MEGABYTE
    slow_seconds: float = 60.0  # a transfer is judged by this window ...
    slow_bytes: int = 64 * 1024  # ... and ended when it brings less than this in it
    worth_bytes: int = MEGABYTE  # an attempt that brought so much is not counted as failed
    connections: int = 8  # kept open to one host
    breaker_failures: int = 8  # in a row, of one family ...
    breaker_seconds: float = 60.0  # ... and it is not asked again for so long

    def family_of(self, url: str) -> Family:
        """The family whose base ``url`` begins with (the longest), else that of its host.

        A relay that stands at one address for services of several families is one by itself.
        """
        named = [(self.bases.get(base, ""), f) for f in self.families for base in f.bases]
        fitting = [(base, family) for base, family in named if base and url.startswith(base)]
        longest = max((len(base) for base, _ in fitting), default=0)
        families = {family.name: family for base, family in fitting if len(base) == longest}
        if len(families) == 1:
            return next(iter(families.values()))
        return self.family(urlsplit(url).netloc.rpartition("@")[2].lower())

    def family(self, place: str) -> Family:
        """The family of ``place`` (host or host:port); one of no family is one by itself."""
        names = (place, place.rpartition(":")[0])
        for known in self.families:
            if any(n == end or n.endswith("." + end) for end in known.hosts for n in names):
                return known
        return Family(place, (place,), self.per_second)


def from_environment(environ: Mapping[str, str] = os.environ) -> Settings:
    """The default settings with what the environment says.

    ``EVIDENCE_CONTACT`` (an e-mail address or a web address) goes into the User-Agent, so that
    the people who run a server can write before they block; ``EVIDENCE_USER_AGENT`` replaces all
    of that. ``EVIDENCE_BASE_PUBMED_BASELINE`` and its like replace an address of ``BASES``,
    ``EVIDENCE_RATE_NCBI`` and its like the requests a second of a family. ``NCBI_API_KEY`` and
    ``OPENALEX_API_KEY`` are sent to their owners only. Raises ``UsageError`` for a value that
    cannot stand in a request.
    """
    contact = environ.get("EVIDENCE_CONTACT", "").strip()
    own = environ.get("EVIDENCE_USER_AGENT", "").strip()
    agent = _sendable("EVIDENCE_USER_AGENT", own, " -~") if own else _user_agent(contact)
    keys = {family: environ[name].strip() for family, name in KEYS.items() if environ.get(name)}
    for family, key in keys.items():
        _sendable(KEYS[family], key, "!-~", secret=True)
    return Settings(
        user_agent=agent,
        bases={name: _base(name, environ) for name in BASES},
        families=tuple(_rated(f, environ, keys) for f in FAMILIES),
        keys=keys,
        contact=contact if "@" in contact else None,
        # its edge refuses unknown programs and lets the names of libraries through
        user_agents={} if own else {"ClinicalTrials": f"{_library()} {agent}"},
    )


def _base(name: str, environ: Mapping[str, str]) -> str:
    base = environ.get(_variable("BASE", name), "").strip() or BASES[name]
    return base if base.endswith("/") else f"{base}/"


def _rated(family: Family, environ: Mapping[str, str], keys: Mapping[str, str]) -> Family:
    variable = _variable("RATE", family.name)
    said = environ.get(variable, "").strip()
    if not said:
        faster = family is NCBI and "ncbi" in keys
        return replace(family, per_second=NCBI_WITH_KEY) if faster else family
    try:
        rate = float(said)
    except ValueError:
        rate = 0.0
    if not 0 < rate <= 1000:
        raise UsageError(f"{variable}={said!r} is no number of requests a second: give 2.5")
    return replace(family, per_second=rate)


def _variable(kind: str, name: str) -> str:
    return f"EVIDENCE_{kind}_{name.upper().replace('-', '_')}"


def _library() -> str:
    return f"python-urllib3/{metadata.version('urllib3')}"


def _sendable(variable: str, value: str, allowed: str, *, secret: bool = False) -> str:
    if not re.fullmatch(rf"[{allowed}]{{1,200}}", value):
        shown = "(not shown)" if secret else repr(value)
        raise UsageError(f"{variable}={shown} cannot stand in a request: give plain characters")
    return value


def _user_agent(contact: str) -> str:
    try:
        product = f"evidence-warehouse/{metadata.version('evidence-warehouse')}"
    except metadata.PackageNotFoundError:
        product = "evidence-warehouse"
    if not contact:
        return product
    if not re.fullmatch(r"[!-'*-~]{1,200}", contact):
        raise UsageError(
            f"EVIDENCE_CONTACT={contact!r} cannot stand in a request: "
            "give one e-mail address or one web address"
        )
    return f"{product} ({'mailto:' if '@' in contact and ':' not in contact else ''}{contact})"
