"""Runs the command `evidence` as a user does: another process, its exit code, both streams."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def evidence(*args: str | Path, stdin: str | None = None, env: Any = None) -> Outcome:
    done = subprocess.run(
        [sys.executable, "-c", "from cli.main import main; main()", *map(str, args)],
        input=stdin, capture_output=True, text=True, cwd=ROOT, env=env, timeout=300, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return Outcome(done.returncode, done.stdout, done.stderr)
