"""Writes invented trials in the shape of AACT's pipe-delimited delivery.

Names and order of tables and columns are AACT's own (``content/aact_columns.txt``). The text loses
what AACT's loses: values with a bar, quote or newline are quoted, then every ``""`` is deleted (an
empty string becomes NULL, inner quotes vanish) and every newline within a value becomes ``~``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Row = dict[str, Any]
Trial = Mapping[str, Any]
STAMP = "2026-01-01 04:12:07.123456"


def columns(text: str) -> dict[str, list[str]]:
    """Table name to its columns, from lines of ``table|column|column...``."""
    lines = (line.split("|") for line in text.splitlines() if line and not line.startswith("#"))
    return {table: names for table, *names in lines}


def members(trials: Sequence[Trial], tables: Mapping[str, Sequence[str]]) -> dict[str, bytes]:
    """File name to bytes for every table; a table without rows is its header line alone."""
    rows: dict[str, list[Row]] = {table: [] for table in tables}
    for trial in trials:
        for table, row in _rows(trial):
            rows[table].append(row)
    return {f"{table}.txt": _text(rows[table], names) for table, names in tables.items()}


def _text(rows: Sequence[Row], names: Sequence[str]) -> bytes:
    lines = ["|".join(names)]
    for number, row in enumerate(rows, 1):
        unknown = set(row) - set(names)
        if unknown:
            raise ValueError(f"AACT has no column {sorted(unknown)}; see content/aact_columns.txt")
        numbered = {"id": number} | row
        lines.append("|".join(_cell(numbered.get(name)) for name in names))
    return ("\n".join(lines) + "\n").encode()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "t" if value else "f"
    text = str(value)
    if text and not set(text) & set('|"\n'):
        return text
    quoted = text.replace('"', '""')
    return f'"{quoted}"'.replace('""', "").replace("\n", "~")


def _rows(trial: Trial) -> Iterator[tuple[str, Row]]:
    """Every table row of one trial, without surrogate ids (these are the row's place)."""
    yield "studies", _study(trial)
    yield "designs", {"nct_id": trial["nct"]} | trial.get("design", {})
    yield "calculated_values", _calculated(trial)
    yield "brief_summaries", _keyed(trial, description=trial["summary"])
    yield "eligibilities", _eligibility(trial)
    yield "sponsors", _sponsor(trial)
    yield from _lists(trial)


def _keyed(trial: Trial, **fields: Any) -> Row:
    return {"nct_id": trial["nct"], **fields}


def _study(trial: Trial) -> Row:
    start, end = trial.get("start", "2019-03-01"), trial.get("end", "2022-06-30")
    done = "ESTIMATED" if trial.get("enrollment_type") == "ESTIMATED" else "ACTUAL"
    return _keyed(
        trial,
        study_first_submitted_date=start,
        study_first_posted_date=start,
        study_first_posted_date_type="ACTUAL",
        last_update_submitted_date="2025-11-20",
        last_update_posted_date="2025-11-21",
        last_update_posted_date_type="ACTUAL",
        start_month_year=start[:7],
        start_date_type="ACTUAL",
        start_date=start,
        completion_month_year=end[:7],
        completion_date_type=done,
        completion_date=end,
        primary_completion_month_year=end[:7],
        primary_completion_date_type=done,
        primary_completion_date=end,
        study_type=trial.get("type", "INTERVENTIONAL"),
        acronym=trial.get("acronym"),
        brief_title=trial["title"],
        official_title=trial.get("official", trial["title"]),
        overall_status=trial.get("status", "COMPLETED"),
        phase=trial.get("phase"),
        enrollment=trial.get("enrollment"),
        enrollment_type=trial.get("enrollment_type"),
        source=trial.get("sponsor", "University of Klow"),
        number_of_arms=trial.get("arms"),
        why_stopped=trial.get("why_stopped"),
        has_expanded_access=trial.get("type") == "EXPANDED_ACCESS",
        has_dmc=True,
        created_at=STAMP,
        updated_at=STAMP,
        source_class="OTHER",
        patient_registry=trial.get("registry", False),
    )


def _calculated(trial: Trial) -> Row:
    sites = trial.get("sites", [])
    return _keyed(
        trial,
        number_of_facilities=len(sites) or None,
        registered_in_calendar_year=int(trial.get("start", "2019")[:4]),
        were_results_reported=bool(trial.get("analysis")),
        has_us_facility=False,
        has_single_facility=len(sites) == 1,
        minimum_age_num=18,
        minimum_age_unit="year",
        maximum_age_unit="n/a",
        number_of_primary_outcomes_to_measure=1,
    )


def _eligibility(trial: Trial) -> Row:
    return _keyed(
        trial,
        gender=trial.get("gender", "ALL"),
        minimum_age="18 Years",
        maximum_age="N/A",
        healthy_volunteers=False,
        criteria=f"Inclusion Criteria:\n* Adults with {trial['condition']}\n* Written consent",
        adult=True,
        child=False,
        older_adult=True,
    )


def _sponsor(trial: Trial) -> Row:
    return _keyed(
        trial,
        agency_class="OTHER",
        lead_or_collaborator="lead",
        name=trial.get("sponsor", "University of Klow"),
    )


def _lists(trial: Trial) -> Iterator[tuple[str, Row]]:
    condition = trial["condition"]
    yield "conditions", _keyed(trial, name=condition, downcase_name=condition.lower())
    if heading := trial.get("heading"):
        yield (
            "browse_conditions",
            _keyed(
                trial, mesh_term=heading, downcase_mesh_term=heading.lower(), mesh_type="mesh-list"
            ),
        )
    for kind, name in trial.get("interventions", []):
        yield "interventions", _keyed(trial, intervention_type=kind, name=name)
    for site in trial.get("sites", []):
        city, country = site.split("/")
        yield "facilities", _keyed(trial, name=f"{city} Hospital", city=city, country=country)
    for country in sorted({site.split("/")[1] for site in trial.get("sites", [])}):
        yield "countries", _keyed(trial, name=country, removed=False)
    yield (
        "id_information",
        _keyed(trial, id_source="org_study_id", id_value=f"INV-{trial['nct'][-4:]}"),
    )
    yield from _results(trial)
    yield from _references(trial)


def _results(trial: Trial) -> Iterator[tuple[str, Row]]:
    outcome = trial.get("outcome")
    if outcome:
        yield (
            "design_outcomes",
            _keyed(trial, outcome_type="primary", measure=outcome, time_frame="12 months"),
        )
    if analysis := trial.get("analysis"):
        place = int(trial["nct"][-4:])
        yield (
            "outcomes",
            _keyed(trial, id=place, outcome_type="PRIMARY", title=outcome, time_frame="12 months"),
        )
        yield "outcome_analyses", _keyed(trial, outcome_id=place, **analysis)


def _references(trial: Trial) -> Iterator[tuple[str, Row]]:
    for kind, pmid in trial.get("references", []):
        yield (
            "study_references",
            _keyed(
                trial, pmid=pmid, reference_type=kind, citation=f"Invented citation of PMID {pmid}."
            ),
        )
