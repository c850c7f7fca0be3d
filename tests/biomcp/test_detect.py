"""Where a server of BioMCP is registered: files are parsed, not searched for the word."""

import json
from pathlib import Path
from typing import Any

import pytest

from etl.sources.biomcp import Detected, detect

STDIO = {"command": "biomcp", "args": ["serve"], "env": {"NCBI_API_KEY": "secret-key"}}
HTTP = {"type": "http", "url": "http://127.0.0.1:8080/mcp", "headers": {"X-Key": "secret-key"}}


def looked(tmp_path: Path, name: str, content: Any, **environ: str) -> Detected:
    """What is detected with one file, named from the user's home or (``project/…``) the project."""
    home, project = tmp_path / "home", tmp_path / "project"
    project.mkdir(exist_ok=True)
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return detect(environ, home, project)


@pytest.mark.parametrize(
    "name",
    [
        "project/.mcp.json",
        "home/.claude.json",
        "home/.claude/mcp.json",
        "home/.claude/settings.json",
    ],
)
@pytest.mark.parametrize("server", [STDIO, HTTP])
def test_json_files(tmp_path: Path, name: str, server: dict[str, Any]) -> None:
    there = looked(tmp_path, name, {"mcpServers": {"BioMCP": server}})
    assert there.endpoint is not None and there.endpoint.place.endswith(name)
    assert (there.endpoint.command, there.endpoint.url) == (
        server.get("command"),
        server.get("url"),
    )
    old = name.startswith("home/.claude/")
    assert any("current clients ignore" in n for n in there.notices) == old
    assert "secret-key" not in repr(there)


def test_the_projects_own_servers(tmp_path: Path) -> None:
    projects = {str(tmp_path / "project"): {"mcpServers": {"biomcp": STDIO}}}
    assert looked(tmp_path, "home/.claude.json", {"projects": projects}).endpoint
    other = {"/another": {"mcpServers": {"biomcp": STDIO}}}
    assert looked(tmp_path, "home/.claude.json", {"projects": other}).endpoint is None


def test_codex(tmp_path: Path) -> None:
    text = '[mcp_servers.biomcp]\ncommand = "biomcp"\nargs = ["serve"]\nenv = { A = "b" }\n'
    there = looked(tmp_path, "home/.codex/config.toml", text)
    assert there.endpoint is not None and there.endpoint.arguments == ("serve",)
    assert there.endpoint.environment == {"A": "b"}


def test_a_mention_is_no_server(tmp_path: Path) -> None:
    text = "# [mcp_servers.biomcp]\n# command = 'biomcp'\nmodel = 'x'\n"
    assert looked(tmp_path, "home/.codex/config.toml", text) == Detected(None)
    noted = {"history": ["how do I install biomcp?"], "mcpServers": {}}
    assert looked(tmp_path, "home/.claude.json", noted) == Detected(None)


def test_another_name_with_its_command(tmp_path: Path) -> None:
    server = {"command": "uvx", "args": ["--from", "biomcp-python", "biomcp", "run"]}
    there = looked(tmp_path, "project/.mcp.json", {"mcpServers": {"papers": server}})
    assert there.endpoint is not None and there.endpoint.command == "uvx"


@pytest.mark.parametrize(
    "server",
    [{"command": "biomcp", "disabled": True}, {"url": "ftp://x"}, {"command": ""}, 3, None],
)
def test_a_server_that_is_none(tmp_path: Path, server: Any) -> None:
    found = looked(tmp_path, "project/.mcp.json", {"mcpServers": {"biomcp": server}})
    assert found.endpoint is None


@pytest.mark.parametrize("text", ["{", "[]", "3", "\0", '{"mcpServers": [1]}', "[" * 100_000])
def test_broken_files(tmp_path: Path, text: str) -> None:
    assert looked(tmp_path, "home/.claude.json", text).endpoint is None
    assert looked(tmp_path, "home/.codex/config.toml", text).endpoint is None


def test_a_broken_file_is_named_and_the_next_one_read(tmp_path: Path) -> None:
    looked(tmp_path, "project/.mcp.json", "{")
    there = looked(tmp_path, "home/.claude.json", {"mcpServers": {"biomcp": STDIO}})
    assert there.endpoint is not None and ".mcp.json: is no JSON" in there.notices[0]


def test_the_environment_comes_first(tmp_path: Path) -> None:
    file = {"mcpServers": {"biomcp": STDIO}}
    there = looked(tmp_path, "project/.mcp.json", file, BIOMCP_ENDPOINT="http://127.0.0.1:1/mcp")
    assert there.endpoint is not None and there.endpoint.url == "http://127.0.0.1:1/mcp"
    there = looked(tmp_path, "project/.mcp.json", file, BIOMCP_ENDPOINT="yes")
    assert there.endpoint is not None and "BIOMCP_ENDPOINT" in there.notices[0]
