"""Profiles: what ships, and what a user's file may say."""

from pathlib import Path

import pytest

from etl.errors import UsageError
from etl.jobs.grade import load_profile
from etl.jobs.profile import SHIPPED


def test_shipped_profiles_differ_only_where_they_say() -> None:
    default = load_profile("default").parameters
    changed = {
        name: {k for k, v in load_profile(name).parameters.items() if v != default[k]}
        for name in SHIPPED
    }
    assert changed == {
        "default": set(),
        "strict": {"s3_grades", "s4_grades", "s5_grades"},
        "rare_disease": {"rct_large", "cohort_large", "treat_all_as_rare"},
        "device": {"count_comparative_effectiveness"},
    }


def test_own_file_lies_over_the_default(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[thresholds]\nrct_large = 400\n[top_journals]\nX1 = "Mine"\n')
    profile = load_profile(str(path))
    assert profile.name == "mine"
    assert (profile.parameters["rct_large"], profile.parameters["cohort_large"]) == (400, 500)
    assert profile.parameters["top_journals"] == ["X1"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[thresholds]\nrct_larg = 1", "thresholds.rct_larg"),
        ("[treshholds]\nrct_large = 1", "'treshholds'"),
        ("rct_large = 1", "'rct_large'"),
        ("[thresholds]\nrct_large = -1", "rct_large = -1"),
        ("[thresholds]\nrct_large = true", "rct_large = True"),
        ("[thresholds]\nrct_large = 10.5", "rct_large = 10.5"),
        ('[thresholds]\nlow_impact = "2"', "low_impact = '2'"),
        ("[thresholds]\ncoi_share = 1.5", "coi_share = 1.5"),
        ("[thresholds]\nlow_impact = nan", "low_impact = nan"),
        ("[signals]\nold = ['E']", "signals.old"),
        ("[signals]\nold = true", "signals.old"),
        ("[policy]\nkeep_retracted = 1", "policy.keep_retracted"),
        ("[top_journals]\nX = 1", "top_journals.X"),
        ("not toml", "not TOML"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as error:
        load_profile(str(path))
    assert named in str(error.value) and "bad.toml" in str(error.value)
    assert "\n" not in str(error.value)


def test_unknown_profile_names_the_shipped_ones() -> None:
    with pytest.raises(UsageError, match="'relaxed' is neither one of default, strict"):
        load_profile("relaxed")
