"""What the pages tell people to type exists, and where they point there is something."""

import re
import shlex
from configparser import ConfigParser
from pathlib import Path

import click
import pytest

from cli.main import evidence

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(sh|crontab|ini)\n(.*?)^```", re.M | re.S)
CALL = re.compile(r"^(?!Description=)(?:|.*[\s=/])evidence ([a-z]+\b.*)", re.M)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def calls(page: Path) -> list[str]:
    blocks = (text.replace("\\\n", " ") for _, text in BLOCK.findall(page.read_text()))
    return [line for block in blocks for line in CALL.findall(block)]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_commands_and_options_exist(page: Path) -> None:
    for line in calls(page):
        name, *words = shlex.split(line, comments=True)
        command = evidence.get_command(click.Context(evidence), name)
        assert command is not None, f"{page.name}: evidence {name}"
        known = {o for p in command.params for o in (*p.opts, *p.secondary_opts)}
        known.add("--help")
        given = {w.partition("=")[0] for w in words if w.startswith("--")}
        assert given <= known, f"{page.name}: evidence {line}"


def test_the_pages_hold_commands() -> None:
    assert sum(len(calls(page)) for page in PAGES) > 12


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_units_are_whole() -> None:
    texts = [t for kind, t in BLOCK.findall((ROOT / "docs/cron.md").read_text()) if kind == "ini"]
    units = [ConfigParser(strict=False, interpolation=None) for _ in texts]
    for unit, text in zip(units, texts, strict=True):
        unit.read_string(text)
    service, timer = units
    assert service["Service"]["ExecStart"].split()[1] == "refresh"
    assert timer["Timer"]["OnCalendar"] == "*-*-* 03:20:00"
