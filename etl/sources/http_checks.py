"""Is a body what was asked for? Servers answer HTML, nothing or half of it under status 200."""

import re
from typing import Literal

Kind = Literal["xml", "gzip", "json", "html", "text"]

HEAD = 1024  # bytes that tell one kind from another

_PROLOG = rb"\s*(?:<\?[^>]*\?>\s*|<!--.*?-->\s*)*"
_HTML = re.compile(_PROLOG + rb"(?:<!doctype\s+html|<(?:html|head|body|title)\b)", re.I | re.S)
_ROOT = re.compile(rb"<([A-Za-z_][\w:.-]*)")
_NAMES: dict[Kind, str] = {
    "xml": "XML",
    "gzip": "gzip",
    "json": "JSON",
    "html": "an HTML page",
    "text": "plain text",
}


def is_html(head: bytes) -> bool:
    """Whether these first bytes begin an HTML page (XHTML too)."""
    return _HTML.match(head.removeprefix(b"\xef\xbb\xbf")) is not None


def wrong_start(head: bytes, kind: Kind | None) -> str | None:
    """What is wrong with the first bytes of a body of this kind; None when nothing is.

    ``kind`` None accepts anything but nothing.
    """
    if not head.strip():
        return "answered with an empty body"
    if kind is None:
        return None
    if kind != "html" and is_html(head):
        return f"answered with an HTML page instead of {_NAMES[kind]}"
    return None if _starts(head, kind) else f"answered with something that is not {_NAMES[kind]}"


def _starts(head: bytes, kind: Kind) -> bool:
    bare = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    starts = {
        "xml": bare.startswith(b"<"),
        "gzip": head.startswith(b"\x1f\x8b"),
        "json": bare[:1] in (b"{", b"["),
        "html": is_html(head),
        "text": b"\0" not in head,
    }
    return starts[kind]


def wrong_end(body: bytes, kind: Kind | None) -> str | None:
    """Says so when a whole body stops before its end; None when it does not.

    ``kind`` None is judged as HTML when it is.
    """
    kind = "html" if kind is None and is_html(body[:HEAD]) else kind
    tail = body[-HEAD:].rstrip()
    whole = True
    if kind == "json":
        whole = tail.endswith((b"}", b"]"))
    elif kind == "xml":
        whole = _closed(body, tail)
    elif kind == "html" and re.search(rb"<html\b", body[:HEAD], re.I):
        whole = re.search(rb"</html\s*>", tail, re.I) is not None
    return None if whole else f"the answer stops in the middle of {_NAMES[kind or 'text']}"


def _closed(body: bytes, tail: bytes) -> bool:
    root = _ROOT.search(re.sub(rb"<!--.*?-->", b"", body[: 64 * 1024], flags=re.S))
    if root is None:
        return False
    # comments may follow the root's end tag
    return (
        re.search(rb"</" + re.escape(root[1]) + rb"\s*>", tail) is not None
        or re.search(rb"<" + re.escape(root[1]) + rb"\b[^<]*/>$", tail) is not None
    )
