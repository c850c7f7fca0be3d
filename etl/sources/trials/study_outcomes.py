"""Outcomes of one study as they were posted: counts, measurements, analyses."""

from collections.abc import Iterator
from typing import Any

from etl.sources.trials.study import Node, Row, numbered

Parts = Iterator[tuple[str, dict[str, Any]]]


class Groups:
    """Numbers of the groups of one study, counted from 1 in the order met."""

    def __init__(self) -> None:
        self._count = 0
        self._here: dict[str, int] = {}

    def rows(self, groups: list[Node], kind: str, outcome: int | None = None) -> Iterator[Row]:
        """Rows of ``trial_result_groups``; ``number`` then knows these groups only."""
        self._here = {}
        for group in groups:
            self._count += 1
            code = group.text("id") or ""
            self._here[code] = self._count
            yield {
                "result_group_id": self._count,
                "outcome_id": outcome,
                "ctgov_group_code": code or None,
                "result_type": kind,
                "title": group.text("title"),
                "description": group.text("description"),
            }

    def of(self, code: str | None) -> Row:
        """The columns that name a group."""
        return {"result_group_id": self._here.get(code or ""), "ctgov_group_code": code}


def rows(results: Node, groups: Groups) -> Parts:
    """Rows of the ``trial_outcome*`` tables and the groups of each outcome."""
    count = 0
    for number, outcome in numbered(results.node("outcomeMeasuresModule").nodes("outcomeMeasures")):
        yield "trial_outcomes", {"outcome_id": number, **_outcome(outcome)}
        for row in groups.rows(outcome.nodes("groups"), "Outcome", number):
            yield "trial_result_groups", row
        for table, row in (*_counts(outcome, groups), *_measurements(outcome, groups)):
            yield table, {"outcome_id": number, **row}
        for analysis in outcome.nodes("analyses"):
            count += 1
            said = {"outcome_analysis_id": count, "outcome_id": number, **_analysis(analysis)}
            yield "trial_outcome_analyses", said
            for code in analysis.texts("groupIds"):
                yield (
                    "trial_outcome_analysis_groups",
                    {"outcome_analysis_id": count, **groups.of(code)},
                )


def _counts(outcome: Node, groups: Groups) -> Parts:
    for denominator in outcome.nodes("denoms"):
        for one in denominator.nodes("counts"):
            value = one.real("value")
            yield (
                "trial_outcome_counts",
                {
                    **groups.of(one.text("groupId")),
                    "scope": "Measure",
                    "units": denominator.text("units"),
                    "count": int(value) if value is not None and abs(value) < 2**31 else None,
                },
            )


def _measurements(outcome: Node, groups: Groups) -> Parts:
    of_all = _of_all(outcome)
    for kind in outcome.nodes("classes"):
        for category in kind.nodes("categories"):
            for one in category.nodes("measurements"):
                yield (
                    "trial_outcome_measurements",
                    {
                        **groups.of(one.text("groupId")),
                        "classification": kind.text("title"),
                        "category": category.text("title"),
                        **of_all,
                        "param_value": one.text("value"),
                        "param_value_num": one.real("value"),
                        "dispersion_value": one.text("spread"),
                        "dispersion_value_num": one.real("spread"),
                        "dispersion_lower_limit": one.real("lowerLimit"),
                        "dispersion_upper_limit": one.real("upperLimit"),
                        "dispersion_lower_limit_raw": one.text("lowerLimit"),
                        "dispersion_upper_limit_raw": one.text("upperLimit"),
                        "explanation_of_na": one.text("comment"),
                    },
                )


def _of_all(outcome: Node) -> Row:
    return {
        "title": outcome.text("title"),
        "description": outcome.text("description"),
        "units": outcome.text("unitOfMeasure"),
        "param_type": outcome.text("paramType"),
        "dispersion_type": outcome.text("dispersionType"),
    }


def _outcome(outcome: Node) -> Row:
    return {
        "outcome_type": outcome.text("type"),
        "title": outcome.text("title"),
        "description": outcome.text("description"),
        "time_frame": outcome.text("timeFrame"),
        "population": outcome.text("populationDescription"),
        "anticipated_posting_date": outcome.day("anticipatedPostingDate"),
        "anticipated_posting_month_year": outcome.text("anticipatedPostingDate"),
        "units": outcome.text("unitOfMeasure"),
        "units_analyzed": outcome.text("typeUnitsAnalyzed"),
        "param_type": outcome.text("paramType"),
        "dispersion_type": outcome.text("dispersionType"),
    }


def _analysis(analysis: Node) -> Row:
    modifier, value = _p_value(analysis.text("pValue"))
    return {
        "groups_description": analysis.text("groupDescription"),
        "non_inferiority_type": analysis.text("nonInferiorityType"),
        "non_inferiority_description": analysis.text("nonInferiorityComment"),
        "param_type": analysis.text("paramType"),
        "param_value": analysis.real("paramValue"),
        "param_value_raw": analysis.text("paramValue"),
        "dispersion_type": analysis.text("dispersionType"),
        "dispersion_value": analysis.real("dispersionValue"),
        "ci_n_sides": analysis.text("ciNumSides"),
        "ci_percent": analysis.real("ciPctValue"),
        "ci_lower_limit": analysis.real("ciLowerLimit"),
        "ci_upper_limit": analysis.real("ciUpperLimit"),
        "ci_lower_limit_raw": analysis.text("ciLowerLimit"),
        "ci_upper_limit_raw": analysis.text("ciUpperLimit"),
        "ci_upper_limit_na_comment": analysis.text("ciUpperLimitComment"),
        "p_value": value,
        "p_value_modifier": modifier,
        "p_value_raw": analysis.text("pValue"),
        "p_value_description": analysis.text("pValueComment"),
        "method": analysis.text("statisticalMethod"),
        "method_description": analysis.text("statisticalComment"),
        "estimate_description": analysis.text("estimateComment"),
        "other_analysis_description": analysis.text("otherAnalysisDescription"),
    }


def _p_value(text: str | None) -> tuple[str | None, float | None]:
    """Modifier and number of ``<0.001``."""
    bare = (text or "").strip()
    modifier = bare[: len(bare) - len(bare.lstrip("<>=≤≥ "))].strip() or None
    try:
        return modifier, float(bare.lstrip("<>=≤≥ "))
    except ValueError:
        return modifier, None
