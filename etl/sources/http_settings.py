"""How we ask the servers of others: who we say we are, how often, how long we wait.

Facts: NLM asks for a contact and for at most 3 requests a second without a key
(https://www.ncbi.nlm.nih.gov/books/NBK25497/); bursts at the turn of a second are refused, hence
the margin.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata

from etl.errors import UsageError

MEGABYTE = 1 << 20

BASES: Mapping[str, str] = {
    "pubmed-baseline": "https://ftp.ncbi.nlm.nih.gov/pubmed/baseline/",
    "pubmed-updates": "https://ftp.ncbi.nlm.nih.gov/pubmed/updatefiles/",
}


@dataclass(frozen=True)
class Family:
    """Hosts that share one budget of requests. A host belongs when it ends in one of ``hosts``."""

    name: str
    hosts: tuple[str, ...]
    per_second: float


NCBI = Family("NCBI", ("ncbi.nlm.nih.gov",), 2.5)


@dataclass(frozen=True)
class Settings:
    """Settings of the transport; every time is in seconds, every size in bytes."""

    user_agent: str = "evidence-warehouse"
    bases: Mapping[str, str] = field(default_factory=lambda: dict(BASES))
    families: tuple[Family, ...] = (NCBI,)
    per_second: float = 2.5  # of a host that belongs to no family
    connect_seconds: float = 10.0
    read_seconds: float = 30.0  # without a single byte
    total_seconds: float = 120.0  # one answer: limiter, retries and all
    attempts: int = 5
    backoff_seconds: float = 1.0  # before the second attempt, doubled before each later one
    backoff_cap: float = 30.0
    retry_after_cap: float = 300.0  # some servers ask for hours
    body_limit: int = 64 * MEGABYTE
    download_seconds: float = 6 * 3600.0  # one file, however often it is resumed
    download_limit: int = 32 * 1024 * MEGABYTE
    slow_seconds: float = 60.0  # a transfer is judged by this window ...
    slow_bytes: int = 64 * 1024  # ... and ended when it brings less than this in it
    worth_bytes: int = MEGABYTE  # an attempt that brought so much is not counted as failed
    connections: int = 8  # kept open to one host

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
    the people who run a server can write before they block; ``EVIDENCE_BASE_PUBMED_BASELINE``
    and its like replace an address of ``BASES``. Raises ``UsageError`` for a value that cannot
    stand in a request.
    """
    bases = {name: environ.get(_variable(name), base) for name, base in BASES.items()}
    return Settings(user_agent=_user_agent(environ.get("EVIDENCE_CONTACT", "")), bases=bases)


def _variable(name: str) -> str:
    return "EVIDENCE_BASE_" + name.upper().replace("-", "_")


def _user_agent(contact: str) -> str:
    try:
        product = f"evidence-warehouse/{metadata.version('evidence-warehouse')}"
    except metadata.PackageNotFoundError:
        product = "evidence-warehouse"
    contact = contact.strip()
    if not contact:
        return product
    if not re.fullmatch(r"[!-'*-~]{1,200}", contact):
        raise UsageError(
            f"EVIDENCE_CONTACT={contact!r} cannot stand in a request: "
            "give one e-mail address or one web address"
        )
    return f"{product} ({'mailto:' if '@' in contact and ':' not in contact else ''}{contact})"
