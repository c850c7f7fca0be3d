"""Posted results of one study: groups, flow, baseline, events; its outcomes stand apart."""

from collections.abc import Iterator

from etl.sources.trials import study_outcomes
from etl.sources.trials.study import Json, Node, Row, nct_id
from etl.sources.trials.study_outcomes import Groups, Parts

_EVENTS = {
    "deaths": "Total, all-cause mortality",
    "serious": "Total, serious adverse events",
    "other": "Total, other adverse events",
}


def rows(study: Json) -> Iterator[tuple[str, Row]]:
    """Table and row of everything that the results say; nothing without results."""
    results, name, groups = Node(study).node("resultsSection"), nct_id(study), Groups()
    for part in (_flow, _baseline, _events, study_outcomes.rows):
        for table, row in part(results, groups):
            yield table, {"nct_id": name, **row}
    documents = Node(study).node("documentSection", "largeDocumentModule").nodes("largeDocs")
    for document in documents:
        yield "trial_provided_documents", {"nct_id": name, **_document(document, name or "")}


def _listed(groups: Groups, module: Node, name: str, kind: str) -> Parts:
    for row in groups.rows(module.nodes(name), kind):
        yield "trial_result_groups", row


def _flow(results: Node, groups: Groups) -> Parts:
    module = results.node("participantFlowModule")
    yield from _listed(groups, module, "groups", "Participant Flow")
    for period in module.nodes("periods"):
        title = period.text("title")
        for milestone in period.nodes("milestones"):
            for one in milestone.nodes("achievements"):
                yield (
                    "trial_milestones",
                    {
                        **groups.of(one.text("groupId")),
                        "period": title,
                        "title": milestone.text("type"),
                        "count": _whole(one.text("numSubjects")),
                        "count_units": one.text("numUnits"),
                        "description": one.text("comment"),
                        "milestone_description": milestone.text("comment"),
                    },
                )
        for withdrawal in period.nodes("dropWithdraws"):
            for one in withdrawal.nodes("reasons"):
                yield (
                    "trial_drop_withdrawals",
                    {
                        **groups.of(one.text("groupId")),
                        "period": title,
                        "reason": withdrawal.text("type"),
                        "count": _whole(one.text("numSubjects")),
                        "count_units": _whole(one.text("numUnits")),
                        "drop_withdraw_comment": withdrawal.text("comment"),
                        "reason_comment": one.text("comment"),
                    },
                )


def _baseline(results: Node, groups: Groups) -> Parts:
    module = results.node("baselineCharacteristicsModule")
    yield from _listed(groups, module, "groups", "Baseline")
    for denominator in module.nodes("denoms"):
        for one in denominator.nodes("counts"):
            yield (
                "trial_baseline_counts",
                {
                    **groups.of(one.text("groupId")),
                    "units": denominator.text("units"),
                    "scope": "overall",
                    "count": _whole(one.text("value")),
                },
            )


def _events(results: Node, groups: Groups) -> Parts:
    module = results.node("adverseEventsModule")
    yield from _listed(groups, module, "eventGroups", "Reported Event")
    for group in module.nodes("eventGroups"):
        for kind, words in _EVENTS.items():
            yield (
                "trial_reported_event_totals",
                {
                    "ctgov_group_code": group.text("id"),
                    "event_type": kind,
                    "classification": words,
                    "subjects_affected": group.number(f"{kind}NumAffected"),
                    "subjects_at_risk": group.number(f"{kind}NumAtRisk"),
                },
            )


def _document(document: Node, name: str) -> Row:
    file = document.text("filename")
    return {
        "document_type": document.text("label"),
        "has_protocol": document.flag("hasProtocol"),
        "has_sap": document.flag("hasSap"),
        "has_icf": document.flag("hasIcf"),
        "document_date": document.day("date"),
        "url": f"https://ClinicalTrials.gov/ProvidedDocs/{name[-2:]}/{name}/{file}"
        if file
        else None,
    }


def _whole(text: str | None) -> int | None:
    bare = (text or "").replace(",", "").strip()
    return int(bare) if bare.isascii() and bare.isdecimal() and len(bare) < 10 else None
