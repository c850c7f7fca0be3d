"""Posted results of one study: its outcomes and their analyses.

Groups, measurements, flow and events of the results are not read from the API; AACT brings them.
"""

from collections.abc import Iterator

from etl.sources.trials.study import Json, Node, Row, nct_id, numbered


def rows(study: Json) -> Iterator[tuple[str, Row]]:
    """Rows of ``trial_outcomes`` and ``trial_outcome_analyses``; none without results."""
    name = nct_id(study)
    module = Node(study).node("resultsSection", "outcomeMeasuresModule")
    count = 0
    for number, outcome in numbered(module.nodes("outcomeMeasures")):
        yield "trial_outcomes", {"nct_id": name, "outcome_id": number, **_outcome(outcome)}
        for analysis in outcome.nodes("analyses"):
            count += 1
            yield (
                "trial_outcome_analyses",
                {
                    "nct_id": name,
                    "outcome_analysis_id": count,
                    "outcome_id": number,
                    **_analysis(analysis),
                },
            )


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
