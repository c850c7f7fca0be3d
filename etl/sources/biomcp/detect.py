"""Where a BioMCP server is registered: environment and the configuration files of MCP clients.

Files are parsed; a mention of the word is no server. The first place that names one counts:
``BIOMCP_ENDPOINT``, ``<project>/.mcp.json``, ``~/.claude.json`` (its ``mcpServers``, then those of
the project), ``~/.codex/config.toml``, and two files of older clients.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from etl.errors import SourceError
from etl.sources.http_exchange import checked_address

MOST_BYTES = 20_000_000  # ~/.claude.json keeps whole histories


@dataclass(frozen=True)
class Endpoint:
    """How the server is reached: by its ``url``, or as a process by ``command``.

    ``place`` is where it is registered; ``environment`` may hold secrets and is never shown.
    """

    place: str
    url: str | None = None
    command: str | None = None
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Detected:
    """The server to ask, None when none is set up, and what is to be said about the places."""

    endpoint: Endpoint | None
    notices: tuple[str, ...] = ()


def detect(environ: Mapping[str, str], user_home: Path, project: Path) -> Detected:
    """Looks in all places in their order. Never raises: a broken file is a notice."""
    notices: list[str] = []
    said = environ.get("BIOMCP_ENDPOINT", "").strip()
    if said:
        if _is_address(said):
            return Detected(Endpoint("BIOMCP_ENDPOINT", url=said))
        notices.append("BIOMCP_ENDPOINT is no http(s) address: mend or unset it")
    for path, sections, old in _places(user_home, project):
        content = _read(path, notices)
        for section in sections:
            found = _endpoint(_at(content, section), path)
            if found is None:
                continue
            if old:
                notices.append(
                    f"{path}: current clients ignore this file; BioMCP is used all the same"
                )
            return Detected(found, tuple(notices))
    return Detected(None, tuple(notices))


Sections = tuple[tuple[str, ...], ...]


def _places(user_home: Path, project: Path) -> Iterator[tuple[Path, Sections, bool]]:
    servers: Sections = (("mcpServers",),)
    mine = ("projects", str(project), "mcpServers")
    yield project / ".mcp.json", servers, False
    yield user_home / ".claude.json", (mine, *servers), False
    yield user_home / ".codex" / "config.toml", (("mcp_servers",),), False
    yield user_home / ".claude" / "mcp.json", servers, True
    yield user_home / ".claude" / "settings.json", servers, True


def _read(path: Path, notices: list[str]) -> Any:
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            return None
        text = path.read_text(encoding="utf-8-sig")
        return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except OSError as error:
        notices.append(f"{path}: cannot be read ({error.strerror}); not searched for BioMCP")
    except (ValueError, RecursionError):
        kind = "TOML" if path.suffix == ".toml" else "JSON"
        notices.append(f"{path}: is no {kind}; not searched for BioMCP")
    return None


def _at(content: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        content = content.get(name) if isinstance(content, Mapping) else None
    return content


def _endpoint(servers: Any, path: Path) -> Endpoint | None:
    """The server of that name, else one whose command is BioMCP's."""
    if not isinstance(servers, Mapping):
        return None
    named = {str(name).lower(): one for name, one in servers.items() if isinstance(one, Mapping)}
    for one in [named.get("biomcp"), *(s for s in named.values() if _runs_biomcp(s))]:
        if one is not None and (made := _made(one, path)) is not None:
            return made
    return None


def _runs_biomcp(server: Mapping[str, Any]) -> bool:
    words = [server.get("command"), *(server.get("args") or [])] if _listed(server) else []
    return any(isinstance(w, str) and Path(w).name in _NAMES for w in words)


_NAMES = frozenset({"biomcp", "biomcp-cli", "biomcp-python", "biomcp.exe"})


def _listed(server: Mapping[str, Any]) -> bool:
    return isinstance(server.get("args", []), list)


def _made(server: Mapping[str, Any], path: Path) -> Endpoint | None:
    if server.get("disabled") is True or server.get("enabled") is False:
        return None
    url = server.get("url")
    if isinstance(url, str) and _is_address(url):
        return Endpoint(str(path), url=url, headers=_texts(server.get("headers")))
    command = server.get("command")
    if not isinstance(command, str) or not command.strip() or not _listed(server):
        return None
    arguments = tuple(a for a in server.get("args", []) if isinstance(a, str))
    return Endpoint(str(path), None, command, arguments, _texts(server.get("env")))


def _texts(value: Any) -> dict[str, str]:
    pairs = value.items() if isinstance(value, Mapping) else ()
    return {str(name): text for name, text in pairs if isinstance(text, str)}


def _is_address(text: str) -> bool:
    try:
        return bool(checked_address(text))
    except SourceError:
        return False
