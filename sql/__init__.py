"""Every SQL text of the project, one question a file; this is the one loader.

Each file starts with a comment that gives its grain, inputs and output. Python binds
parameters (``$name``) and never pastes text into a query.
"""

from functools import cache
from importlib.resources import files


@cache
def load(name: str) -> str:
    """The text of ``sql/<name>.sql``.

    ``name`` is a path below ``sql/`` without its ending, such as ``"grade/rules"``.
    Raises ``FileNotFoundError`` when no such file was shipped.
    """
    return files("sql").joinpath(f"{name}.sql").read_text(encoding="utf-8")


def data(name: str) -> str:
    """The text of another file below ``sql/``, such as ``"grade/profiles/default.toml"``."""
    return files("sql").joinpath(name).read_text(encoding="utf-8")
