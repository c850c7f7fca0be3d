"""Grading profiles: which signals act on which grades, and every threshold."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sql
from etl.errors import UsageError

SHIPPED = ("default", "strict", "rare_disease", "device")
GRADED = ("A", "B", "C", "D")

# Section and key of a profile file -> parameter of sql/grade/rules.sql.
_SIGNALS = {
    "single_centre": "s1_grades",
    "small": "s2_grades",
    "low_impact": "s3_grades",
    "old": "s4_grades",
    "no_coi": "s5_grades",
    "registry": "u1_grades",
    "top_journal": "u2_grades",
}
_PEOPLE = ("rct_large", "cohort_large", "case_series_min", "small", "registry_large", "old_years")
_SHARES = ("coi_share", "inference_probability", "protocol_probability")


@dataclass(frozen=True)
class Profile:
    """A profile ready to bind. ``parameters`` are named as in ``sql/grade/rules.sql``."""

    name: str
    parameters: Mapping[str, Any]

    def keeping(self, *, retracted: bool = False, research_letters: bool = False) -> "Profile":
        """The same profile with retracted papers or research letters graded, not excluded."""
        kept = {
            "keep_retracted": retracted or self.parameters["keep_retracted"],
            "keep_research_letters": research_letters or self.parameters["keep_research_letters"],
        }
        return replace(self, parameters={**self.parameters, **kept})


def load_profile(name_or_path: str) -> Profile:
    """A shipped profile by name, or a TOML file by path; what it leaves out is the default's.

    Raises ``UsageError`` naming the file, the key and the value on anything it cannot use.
    """
    if name_or_path in SHIPPED:
        text = sql.data(f"grade/profiles/{name_or_path}.toml")
    else:
        text = _read(name_or_path)
    base = tomllib.loads(sql.data("grade/profiles/default.toml"))
    merged = _merge(name_or_path, base, _parse(name_or_path, text))
    return Profile(Path(name_or_path).stem, _parameters(name_or_path, merged))


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        known = ", ".join(SHIPPED)
        raise UsageError(
            f"profile {path!r} is neither one of {known} nor a readable TOML file"
        ) from error


def _parse(source: str, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"profile {source}: not TOML: {error}") from error


def _merge(source: str, base: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The default with ``given`` laid over it; top journals are replaced as a whole."""
    merged = dict(base)
    for section, values in given.items():
        if section not in base or not isinstance(values, dict):
            known = ", ".join(base)
            raise UsageError(f"profile {source}: unknown section {section!r}; use {known}")
        if section == "top_journals":
            merged[section] = values
            continue
        for key in values:
            if key not in base[section]:
                known = ", ".join(base[section])
                raise UsageError(f"profile {source}: unknown key {section}.{key}; use {known}")
        merged[section] = {**base[section], **values}
    return merged


def _parameters(source: str, profile: dict[str, Any]) -> dict[str, Any]:
    thresholds, journals = profile["thresholds"], profile["top_journals"]
    for key, value in thresholds.items():
        _check_threshold(source, key, value)
    for key, value in profile["policy"].items():
        if not isinstance(value, bool):
            raise _bad(source, f"policy.{key}", value, "true or false")
    for key, value in profile["signals"].items():
        if not isinstance(value, list) or any(grade not in GRADED for grade in value):
            raise _bad(source, f"signals.{key}", value, "a list of A, B, C, D")
    for key, value in journals.items():
        if not isinstance(value, str):
            raise _bad(source, f"top_journals.{key}", value, "a short name")
    return {
        **thresholds,
        **profile["policy"],
        **{_SIGNALS[key]: grades for key, grades in profile["signals"].items()},
        "top_journals": list(journals),
        "top_journal_names": list(journals.values()),
    }


def _check_threshold(source: str, key: str, value: object) -> None:
    wanted = "a whole number, 0 or more" if key in _PEOPLE else "a number, 0 or more"
    fits = isinstance(value, int if key in _PEOPLE else int | float)
    highest = 1.0 if key in _SHARES else float("inf")
    # A comparison with nan is false, so nan is refused as well.
    if isinstance(value, bool) or not fits or not 0 <= value <= highest:  # type: ignore[operator]
        raise _bad(source, f"thresholds.{key}", value, wanted + (" to 1" if highest == 1 else ""))


def _bad(source: str, key: str, value: object, wanted: str) -> UsageError:
    return UsageError(f"profile {source}: {key} = {value!r} is not {wanted}")
