"""A wrong option or value is one line that names it and where to read on."""

import pytest

from tests.run import evidence


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (("trials", "--max", "abc"), "'abc' is not a valid integer; see evidence trials --help"),
        (("grade", "--nope"), "--nope"),
        (("nosuch",), "'nosuch'"),
        (("search", "--grade", "x", "asthma"), "see evidence search --help"),
        (("status", "--home"), "--home"),
    ],
)
def test_one_line(args: tuple[str, ...], named: str) -> None:
    done = evidence(*args)
    assert done.code == 2 and done.out == ""
    assert done.err.startswith("evidence: ") and done.err.count("\n") == 1 and named in done.err


def test_no_command_shows_the_help() -> None:
    done = evidence()
    assert "Commands:" in done.err + done.out
