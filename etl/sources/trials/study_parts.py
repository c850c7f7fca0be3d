"""The protocol of one study as rows of the ``trial_*`` tables."""

import re
from collections.abc import Iterator
from typing import Any

from etl.sources.trials.shape import PMID_TEXT
from etl.sources.trials.study import Json, Node, Row, nct_id, numbered


def rows(study: Json) -> Iterator[tuple[str, Row]]:
    """Table and row of everything that the protocol lists."""
    protocol, derived = Node(study).node("protocolSection"), Node(study).node("derivedSection")
    name = nct_id(study)
    for part in (_conditions, _arms, _outcomes, _people, _sites, _numbers, _references):
        for table, row in part(protocol):
            yield table, {"nct_id": name, **row}
    for table, module in (
        ("trial_browse_conditions", "conditionBrowseModule"),
        ("trial_browse_interventions", "interventionBrowseModule"),
    ):
        for row in _mesh(derived.node(module)):
            yield table, {"nct_id": name, **row}
    for country in derived.node("miscInfoModule").texts("removedCountries"):
        yield "trial_countries", {"nct_id": name, "name": country, "removed": True}


Parts = Iterator[tuple[str, dict[str, Any]]]


def _conditions(protocol: Node) -> Parts:
    module = protocol.node("conditionsModule")
    for table, name in (("trial_conditions", "conditions"), ("trial_keywords", "keywords")):
        for text in module.texts(name):
            yield table, {"name": text, "downcase_name": text.lower()}
    summary = protocol.node("descriptionModule").text("briefSummary")
    if summary:
        yield "trial_brief_summaries", {"description": summary}


def _mesh(module: Node) -> Iterator[Row]:
    for name, kind in (("meshes", "mesh-list"), ("ancestors", "mesh-ancestor")):
        for one in module.nodes(name):
            if one.text("term"):
                yield {"mesh_term": one.text("term"), "mesh_type": kind}


def _arms(protocol: Node) -> Parts:
    module = protocol.node("armsInterventionsModule")
    groups = numbered(module.nodes("armGroups"))
    places = {group.text("label"): number for number, group in groups}
    for number, group in groups:
        yield (
            "trial_design_groups",
            {
                "design_group_id": number,
                "group_type": group.text("type"),
                "title": group.text("label"),
                "description": group.text("description"),
            },
        )
    for number, one in numbered(module.nodes("interventions")):
        yield (
            "trial_interventions",
            {
                "intervention_id": number,
                "intervention_type": one.text("type"),
                "name": one.text("name"),
                "description": one.text("description"),
            },
        )
        for other in one.texts("otherNames"):
            yield "trial_intervention_other_names", {"intervention_id": number, "name": other}
        for label in one.texts("armGroupLabels"):
            if label in places:
                yield (
                    "trial_design_group_interventions",
                    {"design_group_id": places[label], "intervention_id": number},
                )


def _outcomes(protocol: Node) -> Parts:
    module = protocol.node("outcomesModule")
    for kind in ("primary", "secondary", "other"):
        for one in module.nodes(f"{kind}Outcomes"):
            yield (
                "trial_design_outcomes",
                {
                    "outcome_type": kind,
                    "measure": one.text("measure"),
                    "time_frame": one.text("timeFrame"),
                    "description": one.text("description"),
                },
            )


def _people(protocol: Node) -> Parts:
    module = protocol.node("sponsorCollaboratorsModule")
    leads = [module.node("leadSponsor")] if module.node("leadSponsor").text("name") else []
    for role, sponsors in (("lead", leads), ("collaborator", module.nodes("collaborators"))):
        for one in sponsors:
            yield (
                "trial_sponsors",
                {
                    "lead_or_collaborator": role,
                    "agency_class": one.text("class"),
                    "name": one.text("name"),
                },
            )
    who = protocol.node("eligibilityModule")
    ages = who.texts("stdAges")
    yield (
        "trial_eligibilities",
        {
            "gender": who.text("sex"),
            "gender_based": who.flag("genderBased"),
            "gender_description": who.text("genderDescription"),
            "minimum_age": who.text("minimumAge") or "N/A",
            "maximum_age": who.text("maximumAge") or "N/A",
            "healthy_volunteers": who.flag("healthyVolunteers"),
            "adult": "ADULT" in ages,
            "child": "CHILD" in ages,
            "older_adult": "OLDER_ADULT" in ages,
            "sampling_method": who.text("samplingMethod"),
            "population": who.text("studyPopulation"),
            "criteria": who.text("eligibilityCriteria"),
        },
    )


def _sites(protocol: Node) -> Parts:
    sites = protocol.node("contactsLocationsModule").nodes("locations")
    for one in sites:
        yield (
            "trial_facilities",
            {
                "status": one.text("status"),
                "name": one.text("facility"),
                "city": one.text("city"),
                "state": one.text("state"),
                "zip": one.text("zip"),
                "country": one.text("country"),
                "latitude": one.node("geoPoint").real("lat"),
                "longitude": one.node("geoPoint").real("lon"),
            },
        )
    for country in dict.fromkeys(c for s in sites if (c := s.text("country"))):
        yield "trial_countries", {"name": country, "removed": False}


def _numbers(protocol: Node) -> Parts:
    module = protocol.node("identificationModule")
    own = module.node("orgStudyIdInfo")
    for source, one in [
        *([("org_study_id", own)] if own.text("id") else []),
        *(("secondary_id", second) for second in module.nodes("secondaryIdInfos")),
    ]:
        yield (
            "trial_id_information",
            {
                "id_source": source,
                "id_type": one.text("type"),
                "id_type_description": one.text("domain"),
                "id_value": one.text("id"),
                "id_link": one.text("link"),
            },
        )
    for alias in module.texts("nctIdAliases"):
        yield "trial_id_information", {"id_source": "nct_alias", "id_value": alias}


def _pmid(text: str | None) -> int | None:
    found = re.match(PMID_TEXT, text) if text else None
    return int(found["pmid"]) if found else None


def _references(protocol: Node) -> Parts:
    for number, one in numbered(protocol.node("referencesModule").nodes("references")):
        text = one.text("pmid")
        yield (
            "trial_references",
            {
                "reference_id": number,
                "pmid": _pmid(text),
                "pmid_text": text,
                "reference_type": one.text("type"),
                "citation": one.text("citation"),
            },
        )
        for retraction in one.nodes("retractions"):
            said = retraction.text("pmid")
            yield (
                "trial_retractions",
                {
                    "reference_id": number,
                    "pmid": _pmid(said),
                    "pmid_text": said,
                    "source": retraction.text("source"),
                },
            )
