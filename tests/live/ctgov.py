"""Invented studies of ClinicalTrials.gov in the API's shape."""

import json
from typing import Any

STUDIES = "/ctgov/studies"


def study(number: int, **more: Any) -> dict[str, Any]:
    """A study with the parts that most have; ``more`` are modules of its protocol."""
    name = f"NCT{number:08d}"
    return {
        "protocolSection": {
            "identificationModule": {
                "nctId": name, "briefTitle": f"Drops in children {number}",
                "orgStudyIdInfo": {"id": f"X{number}"},
                "organization": {"fullName": "Drops Institute", "class": "OTHER"},
            },
            "statusModule": {
                "overallStatus": "COMPLETED", "startDateStruct": {"date": "2024-02"},
                "primaryCompletionDateStruct": {"date": "2025-02-10", "type": "ACTUAL"},
            },
            "conditionsModule": {"conditions": ["Asthma"], "keywords": ["Drops"]},
            "designModule": {
                "studyType": "INTERVENTIONAL", "phases": ["PHASE2", "PHASE3"],
                "designInfo": {
                    "allocation": "RANDOMIZED",
                    "maskingInfo": {"masking": "SINGLE", "whoMasked": ["INVESTIGATOR"]},
                },
                "enrollmentInfo": {"count": 248, "type": "ACTUAL"},
            },
            "armsInterventionsModule": {
                "armGroups": [{"label": "A", "type": "EXPERIMENTAL"}],
                "interventions": [
                    {"type": "DRUG", "name": "Drops", "armGroupLabels": ["A", "gone"],
                     "otherNames": ["Tropfen"]}
                ],
            },
            "referencesModule": {"references": [
                {"pmid": "123", "type": "RESULT", "citation": "Lee"}, {"pmid": "PMC1"}]},
            **more,
        },
        "hasResults": False,
    }  # fmt: skip


def page(studies: list[Any], token: str | None = None) -> bytes:
    """One page of an answer."""
    body: dict[str, Any] = {"studies": studies}
    if token:
        body["nextPageToken"] = token
    return json.dumps(body).encode()
