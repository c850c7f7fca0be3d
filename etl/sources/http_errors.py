"""What can go wrong when a server is asked, and messages that give no secret away."""

import logging
import re

from etl.errors import SourceError, TransientSourceError

# Names of query fields, JSON keys and headers whose values are nobody else's business; NCBI
# repeats the key of the caller in the body of a refusal.
_NAMES = r"api[_-]?key|key|token|access_token|password|passwd|secret|email|mailto|authorization"
_FIELD = re.compile(rf"(?i)(?<![\w-])((?:{_NAMES})=)[^&\s#\"'<>;,)]+")
_PAIR = re.compile(
    rf"(?i)([\"']?(?:{_NAMES})[\"']?\s*:\s*)(?:\"[^\"]*\"|'[^']*'|(?:Bearer |Basic )?[^\s,}}]+)"
)
_USER = re.compile(r"(?i)(\b[a-z][a-z0-9+.-]*://)[^/@\s]+@")


class StatusError(SourceError):
    """The server answered, and the answer will be the same next time: 400, 401, 403, 404 ..."""

    def __init__(self, message: str, status: int, body: bytes = b"") -> None:
        super().__init__(message)
        self.status = status
        self.body = body


class UnavailableError(TransientSourceError):
    """Still no good answer after all attempts; ``status`` is the last one, None without any."""

    def __init__(self, message: str, attempts: int, status: int | None = None) -> None:
        super().__init__(message)
        self.attempts = attempts
        self.status = status


class BudgetError(SourceError):
    """The requests of the day are used up: nothing more is asked, nobody waits for tomorrow."""


class Passing(Exception):
    """One attempt failed in a way that may pass. Never leaves the transport.

    ``after`` is the wait that the server asked for, ``family`` whom it concerns, ``gained``
    the bytes that this attempt brought all the same.
    """

    def __init__(self, reason: str, status: int | None = None, after: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        self.after = after
        self.gained = 0


def scrub(text: str) -> str:
    """``text`` on one line without keys, passwords and addresses of people.

    >>> scrub("https://me:pw@x.org/?api_key=abc&term=1")
    'https://x.org/?api_key=***&term=1'
    """
    text = _USER.sub(r"\1", " ".join(text.split()))
    return _PAIR.sub(r"\1***", _FIELD.sub(r"\1***", text))


class Scrubbing(logging.Filter):
    """Scrubs a log record; urllib3 logs the address of every request at level DEBUG."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Lets every record pass, scrubbed."""
        record.msg, record.args = scrub(record.getMessage()), ()
        return True


def quiet_logs() -> None:
    """Puts the filter on urllib3's loggers, once."""
    for name in ("urllib3.connectionpool", "urllib3.connection", "urllib3.util.retry"):
        logger = logging.getLogger(name)
        if not any(isinstance(f, Scrubbing) for f in logger.filters):
            logger.addFilter(Scrubbing())
