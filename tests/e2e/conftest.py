from pathlib import Path

import pytest

from tests.run import ROOT, Outcome, evidence

SAMPLE = ROOT / "sample"


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of the bundled sample, made by the command; tests only read it."""
    home = tmp_path_factory.mktemp("sample") / "home"
    outcome = refresh_sample(home)
    assert outcome.code == 0, outcome.err
    return home


def refresh_sample(home: Path) -> Outcome:
    trials = next(SAMPLE.glob("*_export_ctgov.zip"))
    return evidence("refresh", "--home", home, "--pubmed", SAMPLE, "--aact", trials, "--json")


@pytest.fixture(scope="session")
def real_home(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of all real records and the real AACT dump, loaded in one refresh."""
    home = tmp_path_factory.mktemp("real") / "home"
    outcome = evidence(
        "refresh", "--home", home, "--json",
        "--pubmed", shared_data / "pubmed" / "originals",
        "--pubmed", shared_data / "pubmed",
        "--aact", shared_data / "aact" / "20261130_clinical_trials_ctgov.zip",
        "--mesh", shared_data / "mesh" / "desc_sample.xml.gz",
    )  # fmt: skip
    assert outcome.code == 0, outcome.err
    assert outcome.json["files"]["failed"] == []
    return home
