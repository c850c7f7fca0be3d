"""The words of a report in one language, from the TOML files beside this one."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from etl.errors import UsageError

LANGUAGES = ("en", "zh")


class Words:
    """``words("title")`` or ``words("gap.old", year=2001)``: a text with its places filled."""

    def __init__(self, texts: dict[str, Any]) -> None:
        self._texts = texts

    def __call__(self, name: str, **values: object) -> str:
        found: Any = self._texts
        for part in name.split("."):
            found = found[part]
        return str(found).format(**values) if values else str(found)

    def design(self, code: object) -> str:
        """The name of a design of ``graded``; the code itself when it is a new one."""
        known: dict[str, str] = self._texts["designs"]
        return known.get(str(code), str(code))

    def outcome(self, code: object) -> str:
        """The name of an outcome of a live source; the code itself when it is a new one."""
        known: dict[str, str] = self._texts["outcomes"]
        return known.get(str(code), str(code))


@cache
def words(lang: str) -> Words:
    """The words of ``lang`` (``en`` or ``zh``). Raises ``UsageError`` for another."""
    if lang not in LANGUAGES:
        raise UsageError(f"language {lang!r} is none of {', '.join(LANGUAGES)}")
    text = files("warehouse.report").joinpath(f"{lang}.toml").read_text(encoding="utf-8")
    return Words(tomllib.loads(text))
