"""One study of ClinicalTrials.gov's API as rows of the AACT tables.

AACT is made from the same records, so each column says what AACT's says: month dates end with
the month, two phases are joined by a slash, MeSH ancestors follow the terms. Row numbers that
AACT gives out (``intervention_id`` ...) are counted within the study here: they join the tables
of one answer and nothing else.
"""

import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

Json = Mapping[str, Any]
Row = dict[str, Any]

_DAY = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?")
_AGE = re.compile(r"(\d{1,6})\s+([A-Za-z]+?)s?")
_MASKED = {
    "subject_masked": "PARTICIPANT",
    "caregiver_masked": "CARE_PROVIDER",
    "investigator_masked": "INVESTIGATOR",
    "outcomes_assessor_masked": "OUTCOMES_ASSESSOR",
}


class Node:
    """A JSON object that answers with nothing where the record says nothing."""

    def __init__(self, data: object) -> None:
        self._data: Json = data if isinstance(data, Mapping) else {}

    def node(self, *path: str) -> "Node":
        """The object at ``path``, an empty one where there is none."""
        here: object = self._data
        for name in path:
            here = here.get(name) if isinstance(here, Mapping) else None
        return Node(here)

    def nodes(self, name: str) -> list["Node"]:
        """The objects of a list."""
        found = self._data.get(name)
        return [Node(one) for one in found] if isinstance(found, list) else []

    def text(self, name: str) -> str | None:
        """Text as it stands; None for anything else and for nothing but space."""
        value = self._data.get(name)
        return value if isinstance(value, str) and value.strip() else None

    def texts(self, name: str) -> list[str]:
        """The texts of a list."""
        found = self._data.get(name)
        return [t for t in found if isinstance(t, str) and t] if isinstance(found, list) else []

    def number(self, name: str) -> int | None:
        """A whole number that fits 32 bits."""
        value = self._data.get(name)
        fits = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31
        return value if fits else None

    def real(self, name: str) -> float | None:
        """A number, also one that stands as text."""
        value = self._data.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            return None
        try:
            return float(value)
        except ValueError:
            return None

    def flag(self, name: str) -> bool | None:
        """Yes or no; None when not said."""
        value = self._data.get(name)
        return value if isinstance(value, bool) else None

    def day(self, name: str) -> date | None:
        """A day; a month without a day is its last one."""
        return day(self.text(name))


def day(text: str | None) -> date | None:
    """The day of ``2026-05-03`` or the last one of ``2026-05``; None for anything else."""
    found = _DAY.fullmatch(text or "")
    if not found:
        return None
    year, month = int(found[1]), int(found[2])
    try:
        return date(year, month, int(found[3] or monthrange(year, month)[1]))
    except ValueError:
        return None


def nct_id(study: object) -> str | None:
    """The NCT number of a study; None when there is none."""
    found = Node(study).node("protocolSection", "identificationModule").text("nctId")
    return found if found and re.fullmatch(r"NCT\d{8}", found) else None


def trial(study: Json) -> Row:
    """The row of ``trials``."""
    protocol = Node(study).node("protocolSection")
    return {
        "nct_id": nct_id(study),
        **_names(protocol),
        **_status(protocol.node("statusModule")),
        **_oversight(protocol),
        **_design(protocol.node("designModule")),
        **_arms(protocol),
        **_sites(protocol),
        **_counts(protocol),
        **_results(Node(study).node("resultsSection")),
        "were_results_reported": bool(Node(study).flag("hasResults")),
    }


def _names(protocol: Node) -> Row:
    names = protocol.node("identificationModule")
    return {
        "acronym": names.text("acronym"),
        "brief_title": names.text("briefTitle"),
        "official_title": names.text("officialTitle"),
        "source": names.node("organization").text("fullName"),
        "source_class": names.node("organization").text("class"),
    }


# column stem -> name of the date's object
_STRUCTS = {
    "start": "startDateStruct",
    "primary_completion": "primaryCompletionDateStruct",
    "completion": "completionDateStruct",
}
_POSTED = {
    "study_first_posted": "studyFirstPostDateStruct",
    "results_first_posted": "resultsFirstPostDateStruct",
    "disposition_first_posted": "dispFirstPostDateStruct",
    "last_update_posted": "lastUpdatePostDateStruct",
}
_SUBMITTED = {
    "study_first_submitted_date": "studyFirstSubmitDate",
    "study_first_submitted_qc_date": "studyFirstSubmitQcDate",
    "results_first_submitted_date": "resultsFirstSubmitDate",
    "results_first_submitted_qc_date": "resultsFirstSubmitQcDate",
    "disposition_first_submitted_date": "dispFirstSubmitDate",
    "disposition_first_submitted_qc_date": "dispFirstSubmitQcDate",
    "last_update_submitted_date": "lastUpdateSubmitDate",
    "last_update_submitted_qc_date": "lastUpdateSubmitDate",
}


def _status(status: Node) -> Row:
    row: Row = {
        "overall_status": status.text("overallStatus"),
        "last_known_status": status.text("lastKnownStatus"),
        "why_stopped": status.text("whyStopped"),
        "verification_date": status.day("statusVerifiedDate"),
        "verification_month_year": status.text("statusVerifiedDate"),
        "delayed_posting": status.flag("delayedPosting"),
        "has_expanded_access": status.node("expandedAccessInfo").flag("hasExpandedAccess"),
        "expanded_access_nctid": status.node("expandedAccessInfo").text("nctId"),
        "expanded_access_status_for_nctid": status.node("expandedAccessInfo").text(
            "statusForNctId"
        ),
    }
    for stem, name in _STRUCTS.items():
        struct = status.node(name)
        row |= {
            f"{stem}_date": struct.day("date"),
            f"{stem}_month_year": struct.text("date"),
            f"{stem}_date_type": struct.text("type"),
        }
    for stem, name in _POSTED.items():
        struct = status.node(name)
        row |= {f"{stem}_date": struct.day("date"), f"{stem}_date_type": struct.text("type")}
    row |= {column: status.day(name) for column, name in _SUBMITTED.items()}
    first = status.day("studyFirstSubmitDate")
    row["registered_in_calendar_year"] = first.year if first else None
    over = row["primary_completion_date_type"] == "ACTUAL"
    row["actual_duration"] = (
        _months(row["start_date"], row["primary_completion_date"]) if over else None
    )
    row["months_to_report_results"] = _months(
        row["primary_completion_date"], row["results_first_submitted_date"]
    )
    return row


def _months(first: date | None, last: date | None) -> int | None:
    """Thirty-day months between two days, as AACT counts them."""
    return None if first is None or last is None else (last - first).days // 30


def _oversight(protocol: Node) -> Row:
    oversight, sharing = (
        protocol.node("oversightModule"),
        protocol.node("ipdSharingStatementModule"),
    )
    access = protocol.node("designModule", "expandedAccessTypes")
    return {
        "has_dmc": oversight.flag("oversightHasDmc"),
        "is_fda_regulated_drug": oversight.flag("isFdaRegulatedDrug"),
        "is_fda_regulated_device": oversight.flag("isFdaRegulatedDevice"),
        "is_unapproved_device": oversight.flag("isUnapprovedDevice"),
        "is_ppsd": oversight.flag("isPpsd"),
        "is_us_export": oversight.flag("isUsExport"),
        "fdaaa801_violation": oversight.flag("fdaaa801Violation"),
        "expanded_access_type_individual": access.flag("individual"),
        "expanded_access_type_intermediate": access.flag("intermediate"),
        "expanded_access_type_treatment": access.flag("treatment"),
        "plan_to_share_ipd": sharing.text("ipdSharing"),
        "plan_to_share_ipd_description": sharing.text("description"),
        "ipd_time_frame": sharing.text("timeFrame"),
        "ipd_access_criteria": sharing.text("accessCriteria"),
        "ipd_url": sharing.text("url"),
    }


def _design(design: Node) -> Row:
    info, masking = design.node("designInfo"), design.node("designInfo", "maskingInfo")
    masked = masking.texts("whoMasked")
    return {
        "study_type": design.text("studyType"),
        "phase": "/".join(design.texts("phases")) or None,
        "enrollment": design.node("enrollmentInfo").number("count"),
        "enrollment_type": design.node("enrollmentInfo").text("type"),
        "patient_registry": design.flag("patientRegistry"),
        "target_duration": design.text("targetDuration"),
        "biospec_retention": design.node("bioSpec").text("retention"),
        "biospec_description": design.node("bioSpec").text("description"),
        "allocation": info.text("allocation"),
        "intervention_model": info.text("interventionModel"),
        "intervention_model_description": info.text("interventionModelDescription"),
        "observational_model": info.text("observationalModel"),
        "primary_purpose": info.text("primaryPurpose"),
        "time_perspective": info.text("timePerspective"),
        "masking": masking.text("masking"),
        "masking_description": masking.text("maskingDescription"),
        **{column: who in masked if masked else None for column, who in _MASKED.items()},
    }


def _arms(protocol: Node) -> Row:
    arms = len(protocol.node("armsInterventionsModule").nodes("armGroups")) or None
    observed = protocol.node("designModule").text("studyType") == "OBSERVATIONAL"
    return {
        "number_of_arms": None if observed else arms,
        "number_of_groups": arms if observed else None,
    }


def _sites(protocol: Node) -> Row:
    sites = protocol.node("contactsLocationsModule").nodes("locations")
    return {
        "number_of_facilities": len(sites) or None,
        "has_single_facility": len(sites) == 1,
        "has_us_facility": any(s.text("country") == "United States" for s in sites)
        if sites
        else None,
    }


def _counts(protocol: Node) -> Row:
    outcomes, ages = protocol.node("outcomesModule"), protocol.node("eligibilityModule")
    row: Row = {
        f"number_of_{kind}_outcomes_to_measure": len(outcomes.nodes(f"{kind}Outcomes")) or None
        for kind in ("primary", "secondary", "other")
    }
    for side in ("minimum", "maximum"):
        number, unit = age(ages.text(f"{side}Age"))
        row |= {f"{side}_age_num": number, f"{side}_age_unit": unit}
    return row


def _results(results: Node) -> Row:
    baseline = results.node("baselineCharacteristicsModule")
    groups = results.node("adverseEventsModule").nodes("eventGroups")
    return {
        "baseline_population": baseline.text("populationDescription"),
        "baseline_type_units_analyzed": baseline.text("typeUnitsAnalyzed"),
        "limitations_and_caveats": results.node("moreInfoModule", "limitationsAndCaveats").text(
            "description"
        ),
        # AACT leaves the sum empty when it is 0
        "number_of_sae_subjects": sum(g.number("seriousNumAffected") or 0 for g in groups) or None,
        "number_of_nsae_subjects": sum(g.number("otherNumAffected") or 0 for g in groups) or None,
    }


def age(text: str | None) -> tuple[int | None, str | None]:
    """Number and unit in the singular of ``18 Years``; AACT says 0 and n/a where none is set."""
    found = _AGE.fullmatch(text or "")
    return (int(found[1]), found[2].lower()) if found else (0, "n/a")


def numbered(items: Sequence[Node]) -> list[tuple[int, Node]]:
    """Each item with its number within the study, from 1."""
    return list(enumerate(items, 1))
