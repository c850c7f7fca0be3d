"""Codes of the registry's API v2, and the older spellings that mean the same.

Before the move to the API v2 (2024) AACT delivered the words of the registry's pages (``Phase
2/Phase 3``, ``Anticipated``, ``Parallel Assignment``). Nearly all become today's code by upper
case and underscores; the others stand in ``_SPELLED``. A value that is in neither list is loaded as
it came and reported: the registry adds codes without notice, and a load that stops at each would
help nobody, while a null would hide it.
"""

import re
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from etl.sources.trials.delivery import Notices

_STATUS = (
    "ACTIVE_NOT_RECRUITING COMPLETED ENROLLING_BY_INVITATION NOT_YET_RECRUITING RECRUITING "
    "SUSPENDED TERMINATED WITHDRAWN AVAILABLE NO_LONGER_AVAILABLE TEMPORARILY_NOT_AVAILABLE "
    "APPROVED_FOR_MARKETING WITHHELD UNKNOWN"
)
_DATE_TYPE = "ACTUAL ESTIMATED"
_AGENCY = "NIH FED OTHER_GOV INDIV INDUSTRY NETWORK AMBIG OTHER UNKNOWN"

# the registry's enumerations (clinicaltrials.gov/data-api/about-api/study-data-structure);
# observational_model and time_perspective are not here: old records hold many words in them
KNOWN: Mapping[str, frozenset[str]] = {
    column: frozenset(codes.split())
    for column, codes in {
        "trials.study_type": "INTERVENTIONAL OBSERVATIONAL EXPANDED_ACCESS",
        "trials.overall_status": _STATUS,
        "trials.last_known_status": _STATUS,
        "trials.expanded_access_status_for_nctid": _STATUS,
        "trials.phase": ("NA EARLY_PHASE1 PHASE1 PHASE1/PHASE2 PHASE2 PHASE2/PHASE3 PHASE3 PHASE4"),
        "trials.enrollment_type": _DATE_TYPE,
        "trials.start_date_type": _DATE_TYPE,
        "trials.primary_completion_date_type": _DATE_TYPE,
        "trials.completion_date_type": _DATE_TYPE,
        "trials.study_first_posted_date_type": _DATE_TYPE,
        "trials.results_first_posted_date_type": _DATE_TYPE,
        "trials.disposition_first_posted_date_type": _DATE_TYPE,
        "trials.last_update_posted_date_type": _DATE_TYPE,
        "trials.source_class": _AGENCY,
        "trials.plan_to_share_ipd": "YES NO UNDECIDED",
        "trials.biospec_retention": "NONE_RETAINED SAMPLES_WITH_DNA SAMPLES_WITHOUT_DNA",
        "trials.allocation": "RANDOMIZED NON_RANDOMIZED NA",
        "trials.intervention_model": "SINGLE_GROUP PARALLEL CROSSOVER FACTORIAL SEQUENTIAL",
        "trials.primary_purpose": (
            "TREATMENT PREVENTION DIAGNOSTIC ECT EDUCATIONAL_COUNSELING_TRAINING SUPPORTIVE_CARE "
            "SCREENING HEALTH_SERVICES_RESEARCH BASIC_SCIENCE DEVICE_FEASIBILITY OTHER"
        ),
        "trials.masking": "NONE SINGLE DOUBLE TRIPLE QUADRUPLE",
        "trial_interventions.intervention_type": (
            "BEHAVIORAL BIOLOGICAL COMBINATION_PRODUCT DEVICE DIAGNOSTIC_TEST DIETARY_SUPPLEMENT "
            "DRUG GENETIC PROCEDURE RADIATION OTHER"
        ),
        "trial_design_groups.group_type": (
            "EXPERIMENTAL ACTIVE_COMPARATOR PLACEBO_COMPARATOR SHAM_COMPARATOR NO_INTERVENTION "
            "OTHER"
        ),
        "trial_sponsors.agency_class": _AGENCY,
        "trial_eligibilities.gender": "ALL FEMALE MALE",
        "trial_eligibilities.sampling_method": "PROBABILITY_SAMPLE NON_PROBABILITY_SAMPLE",
        "trial_references.reference_type": "BACKGROUND RESULT DERIVED",
        "trial_outcomes.outcome_type": "PRIMARY SECONDARY OTHER_PRE_SPECIFIED POST_HOC",
    }.items()
}

# today's code by the folded older spelling, where folding alone does not give it
_SPELLED: Mapping[str, Mapping[str, str]] = {
    "enrollment_type": {"ANTICIPATED": "ESTIMATED"},
    "phase": {
        "N/A": "NA",
        "EARLY_PHASE_1": "EARLY_PHASE1",
        "PHASE_0": "EARLY_PHASE1",
        "PHASE0": "EARLY_PHASE1",
        "PHASE_1": "PHASE1",
        "PHASE_1/PHASE_2": "PHASE1/PHASE2",
        "PHASE_2": "PHASE2",
        "PHASE_2/PHASE_3": "PHASE2/PHASE3",
        "PHASE_3": "PHASE3",
        "PHASE_4": "PHASE4",
    },
    "study_type": {
        "OBSERVATIONAL_PATIENT_REGISTRY": "OBSERVATIONAL",
        "EXPANDED_ACCESS_INDIVIDUAL_PATIENTS": "EXPANDED_ACCESS",
    },
    "overall_status": {"UNKNOWN_STATUS": "UNKNOWN"},
    "last_known_status": {"UNKNOWN_STATUS": "UNKNOWN"},
    "agency_class": {"U_S_FED": "FED", "INDIVIDUAL": "INDIV"},
    "source_class": {"U_S_FED": "FED", "INDIVIDUAL": "INDIV"},
    "allocation": {"N/A": "NA", "RANDOMIZED_CONTROLLED_TRIAL": "RANDOMIZED"},
    "intervention_model": {
        "SINGLE_GROUP_ASSIGNMENT": "SINGLE_GROUP",
        "PARALLEL_ASSIGNMENT": "PARALLEL",
        "CROSSOVER_ASSIGNMENT": "CROSSOVER",
        "CROSS_OVER_ASSIGNMENT": "CROSSOVER",
        "FACTORIAL_ASSIGNMENT": "FACTORIAL",
        "SEQUENTIAL_ASSIGNMENT": "SEQUENTIAL",
    },
    "masking": {
        "NONE_OPEN_LABEL": "NONE",
        "OPEN_LABEL": "NONE",
        "NO_MASKING": "NONE",
        "SINGLE_BLIND": "SINGLE",
        "DOUBLE_BLIND": "DOUBLE",
    },
    "primary_purpose": {"EDUCATIONAL/COUNSELING/TRAINING": "ECT"},
    "gender": {"BOTH": "ALL"},
    "reference_type": {
        "REFERENCE": "BACKGROUND",
        "RESULTS_REFERENCE": "RESULT",
        "RESULTS": "RESULT",
    },
}
_DATE_TYPES = {"ANTICIPATED": "ESTIMATED", "ESTIMATE": "ESTIMATED"}


def folded(value: str) -> str:
    """Upper case, and one underscore for each run of blanks and signs (a slash stays)."""
    return re.sub(r"[^A-Z0-9/]+", "_", value.upper()).strip("_")


def code(table: str, column: str, value: str) -> str | None:
    """Today's code for ``value``; None when it is none that we know."""
    known = KNOWN[f"{table}.{column}"]
    if value in known:
        return value
    plain = folded(value)
    spelled = _DATE_TYPES if column.endswith("_date_type") else _SPELLED.get(column, {})
    found = spelled.get(plain, plain)
    if column == "masking" and found not in known:
        found = found.split("_")[0]  # Double (Participant, Investigator)
    return found if found in known else None


def today(table: str, column: str, values: pa.ChunkedArray, notices: Notices) -> pa.ChunkedArray:
    """``values`` with today's codes; reports those that are not known and leaves them."""
    met = [v for v in pc.unique(values).to_pylist() if v]
    wanted = {value: code(table, column, value) for value in met}
    for value, found in wanted.items():
        if found is None:
            notices.add(f"{table}.{column}: {value!r} is no known code; loaded as delivered")
    changed = {value: found for value, found in wanted.items() if found not in (None, value)}
    return _replaced(values, changed) if changed else values


def _replaced(values: pa.ChunkedArray, changed: Mapping[str, str | None]) -> pa.ChunkedArray:
    at = pc.index_in(values, value_set=pa.array(changed, pa.string()))
    return pc.coalesce(pc.take(pa.array(changed.values(), pa.string()), at), values)
