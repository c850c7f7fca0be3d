"""A machine without PostgreSQL may test less, a CI run may not."""

import pytest

from tests.postgres import fail_in_ci_else_skip


def test_in_ci_a_missing_server_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="set EVIDENCE_TEST_DSN"):
        fail_in_ci_else_skip()


def test_elsewhere_it_skips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="install postgresql"):
        fail_in_ci_else_skip()
