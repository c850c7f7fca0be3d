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
        (("search", "asthma", "--json", "--csv"), "--json and --csv are formats of the same rows"),
        (("grade", "1", "--csv", "--table"), "--csv and --table"),
        (("trials", "--ndjson", "--json"), "give one of them"),
        (("search", "--explain", "--novelty", "asthma"), "--explain and --novelty"),
        (("search", "--novelty", "asthma", "--since", "all"), "--novelty and --since"),
        (("search", "--explain", "asthma", "--out", "x"), "--explain and --out"),
        (("search", "asthma", "--max", "-1"), "-1 is not between 0 and 100000"),
        (("trials", "--max", "-1"), "--max -1"),
        (("trials", "--min-enrollment", "9", "--max-enrollment", "3"), "9 is more than"),
        (("check", "x", "--top", "-1"), "-1 is not between"),
        (("search", "asthma", "--since", "2025:2020"), "'2025:2020'"),
    ],
)
def test_one_line(args: tuple[str, ...], named: str) -> None:
    done = evidence(*args)
    assert done.code == 2 and done.out == ""
    assert done.err.startswith("evidence: ") and done.err.count("\n") == 1 and named in done.err


def test_no_command_shows_the_help() -> None:
    done = evidence()
    assert "Commands:" in done.err + done.out
