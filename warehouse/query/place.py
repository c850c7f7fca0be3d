"""Errors that mark the place in the query."""

from etl.errors import QueryError

_WIDTH = 60


def fault(query: str, at: int, message: str) -> QueryError:
    """A ``QueryError`` saying ``message``, with the line around ``at`` and a caret below it."""
    at = max(0, min(at, len(query)))
    start = query.rfind("\n", 0, at) + 1
    end = query.find("\n", at)
    line = query[start : end if end >= 0 else len(query)]
    column = at - start
    number = query.count("\n", 0, at) + 1
    left = max(0, column - _WIDTH // 2)
    shown = "".join(sign if sign.isprintable() else " " for sign in line[left : left + _WIDTH])
    where = f"line {number}, column {column + 1}" if "\n" in query else f"column {column + 1}"
    lead = "… " if left else ""
    tail = " …" if left + _WIDTH < len(line) else ""
    caret = " " * (len(lead) + column - left) + "^"
    return QueryError(f"{message} ({where})\n  {lead}{shown}{tail}\n  {caret}")
