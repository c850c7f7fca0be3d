"""The table of complaints names tests that exist."""

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def test_every_named_test_exists() -> None:
    page = (TESTS / "live" / "complaints.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\btest_\w+", page))
    files = {path.stem for path in TESTS.rglob("test_*.py")}
    text = "\n".join(p.read_text(encoding="utf-8") for p in TESTS.rglob("test_*.py"))
    missing = {n for n in named - files if f"def {n}(" not in text}
    assert not missing and len(named) > 25
