"""What a study set out to do: the tables of a record's protocol section."""

import pyarrow as pa

from etl.store.schema.declare import Column
from etl.store.schema.trial_columns import flag, number, registry_table, surrogate, text

INTERVENTION_ID = surrogate("intervention_id", "AACT's number of the intervention")
DESIGN_GROUP_ID = surrogate("design_group_id", "AACT's number of the arm")
REFERENCE_ID = surrogate("reference_id", "AACT's number of the reference")
MESH = (
    text("mesh_term", "MeSH heading, found by the registry's algorithm"),
    text("mesh_type", "mesh-list (the term itself) or mesh-ancestor (a wider term of it)"),
)
NAME = text("name", "As the sponsor wrote it")
LOWER_NAME = text("downcase_name", "The same in lower case")

DESIGN_TABLES = (
    registry_table(
        "trial_conditions",
        "one condition that a study is about",
        NAME,
        LOWER_NAME,
        sort=("downcase_name", "name"),
    ),
    registry_table(
        "trial_browse_conditions",
        "one MeSH heading of a study's conditions",
        *MESH,
        sort=("mesh_type", "mesh_term"),
    ),
    registry_table(
        "trial_keywords",
        "one keyword of a study",
        NAME,
        LOWER_NAME,
        sort=("downcase_name", "name"),
    ),
    registry_table(
        "trial_interventions",
        "one intervention of a study",
        INTERVENTION_ID,
        text("intervention_type", "DRUG, DEVICE, BIOLOGICAL, PROCEDURE, RADIATION, BEHAVIORAL, GENETIC, DIETARY_SUPPLEMENT, COMBINATION_PRODUCT, DIAGNOSTIC_TEST, OTHER"),
        text("name", "Name of the intervention"),
        text("description", "Dose, route, schedule in words"),
        sort=("intervention_type", "name", "description"),
    ),
    registry_table(
        "trial_intervention_other_names",
        "one other name of an intervention",
        INTERVENTION_ID,
        text("name", "Brand, code or synonym"),
        sort=("name", "intervention_id"),
    ),
    registry_table(
        "trial_browse_interventions",
        "one MeSH heading of a study's interventions",
        *MESH,
        sort=("mesh_type", "mesh_term"),
    ),
    registry_table(
        "trial_design_groups",
        "one arm or group of a study's protocol",
        DESIGN_GROUP_ID,
        text("group_type", "EXPERIMENTAL, ACTIVE_COMPARATOR, PLACEBO_COMPARATOR, SHAM_COMPARATOR, NO_INTERVENTION, OTHER; null for groups of observational studies"),
        text("title", "Label of the arm"),
        text("description", "What happens in it"),
        sort=("title", "group_type", "description"),
    ),
    registry_table(
        "trial_design_group_interventions",
        "one intervention given in one arm",
        DESIGN_GROUP_ID,
        INTERVENTION_ID,
        sort=("design_group_id", "intervention_id"),
    ),
    registry_table(
        "trial_design_outcomes",
        "one outcome that the protocol plans to measure",
        text("outcome_type", "primary, secondary or other"),
        text("measure", "What is measured"),
        text("time_frame", "When"),
        text("population", "In whom, where given"),
        text("description", "How it is measured, in the words of the sponsor"),
        sort=("outcome_type", "measure", "time_frame", "description"),
    ),
    registry_table(
        "trial_sponsors",
        "one sponsor or collaborator of a study",
        text("lead_or_collaborator", "lead (exactly one a study) or collaborator"),
        text("agency_class", "INDUSTRY, NIH, FED, OTHER_GOV, NETWORK, INDIV, OTHER, UNKNOWN"),
        text("name", "Name of the organisation"),
        sort=("lead_or_collaborator", "name"),
    ),
    registry_table(
        "trial_eligibilities",
        "the eligibility criteria of a study",
        text("gender", "ALL, FEMALE or MALE"),
        flag("gender_based", "Whether eligibility goes by gender identity"),
        text("gender_description", "The same in words"),
        text("minimum_age", "Lowest age in words (18 Years); N/A is no limit"),
        text("maximum_age", "Highest age in words; N/A is no limit"),
        flag("healthy_volunteers", "Whether healthy people may take part"),
        flag("adult", "Whether people of 18 to 64 years may take part"),
        flag("child", "Whether people under 18 may take part"),
        flag("older_adult", "Whether people of 65 and over may take part"),
        text("sampling_method", "PROBABILITY_SAMPLE or NON_PROBABILITY_SAMPLE, observational only"),
        text("population", "From whom an observational study takes its sample"),
        text("criteria", "Inclusion and exclusion criteria in words"),
    ),
    registry_table(
        "trial_brief_summaries",
        "the short description of a study",
        text("description", "Purpose and hypothesis in lay words"),
    ),
    registry_table(
        "trial_facilities",
        "one site of a study",
        text("status", "Recruitment status of the site; null once the study no longer recruits"),
        text("name", "Name of the site"),
        text("city", "City"),
        text("state", "State or province"),
        text("zip", "Postal code"),
        text("country", "Country"),
        number("latitude", "Degrees north"),
        number("longitude", "Degrees east"),
        sort=("country", "city", "name", "zip"),
    ),
    registry_table(
        "trial_countries",
        "one country of a study",
        text("name", "Country"),
        flag("removed", "Whether it had sites once and has none now"),
        sort=("name", "removed"),
    ),
    registry_table(
        "trial_id_information",
        "one other identifier of a study",
        text("id_source", "org_study_id, secondary_id or nct_alias (an older number of the same study)"),
        text("id_type", "Kind of a secondary identifier (NIH, EUDRACT_NUMBER, REGISTRY_IDENTIFIER, ...)"),
        text("id_type_description", "Who gave it"),
        text("id_value", "The identifier"),
        text("id_link", "Address of the record it names"),
        sort=("id_source", "id_value", "id_type"),
    ),
    registry_table(
        "trial_references",
        "one paper listed in a study's record",
        REFERENCE_ID,
        Column("pmid", pa.int64(), "PubMed identifier, read from pmid_text; null when that is none"),
        text("pmid_text", "The identifier as delivered (12345 or PMID: 12345)"),
        text("reference_type", "RESULT (the sponsor says it reports this study), DERIVED (PubMed's record names the study) or BACKGROUND (most: says nothing about this study's results)"),
        text("citation", "The reference in words"),
        sort=("pmid", "reference_type", "citation"),
    ),
    registry_table(
        "trial_retractions",
        "one retraction of a paper listed in a study's record",
        REFERENCE_ID,
        Column("pmid", pa.int64(), "PMID of the retraction notice, read from pmid_text"),
        text("pmid_text", "The same as delivered"),
        text("source", "Citation of the notice"),
        sort=("pmid", "source"),
    ),
    registry_table(
        "trial_provided_documents",
        "one document that the sponsor posted with a study",
        text("document_type", "Study Protocol, Statistical Analysis Plan, Informed Consent Form, or several"),
        flag("has_protocol", "Whether it holds the protocol"),
        flag("has_sap", "Whether it holds the statistical analysis plan"),
        flag("has_icf", "Whether it holds the informed consent form"),
        Column("document_date", pa.date32(), "Date on the document"),
        text("url", "Address of the document"),
        sort=("document_type", "document_date", "url"),
    ),
)  # fmt: skip
