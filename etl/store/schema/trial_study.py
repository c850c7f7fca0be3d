"""``trials``: one row a registered study.

AACT's ``studies`` with ``designs`` and ``calculated_values`` joined (both have at most one row a
study and fewer rows than ``studies``). Codes are those of the registry's API v2; older spellings
are brought to them at loading and a value that is not known is kept and reported. Sources:
AACT's data dictionary and the registry's protocol and results definitions.
"""

from etl.store.schema.trial_columns import date, flag, registry_table, text, whole

PARTIAL = "a partial date is the last day of its month, see the month_year column"

_STUDY = (
    text("study_type", "INTERVENTIONAL, OBSERVATIONAL or EXPANDED_ACCESS"),
    text("acronym", "Acronym of the study's title"),
    text("brief_title", "Title in lay words"),
    text("official_title", "Title as in the protocol; null in old records"),
    text("overall_status", "Recruitment status (COMPLETED, RECRUITING, ACTIVE_NOT_RECRUITING, TERMINATED, WITHDRAWN, ...); UNKNOWN when not verified for two years"),
    text("last_known_status", "Status before it became UNKNOWN"),
    text("why_stopped", "Reason given for a study that stopped early"),
    text("phase", "EARLY_PHASE1, PHASE1, PHASE1/PHASE2, PHASE2, PHASE2/PHASE3, PHASE3, PHASE4; NA for trials without phases (devices, behaviour); null for studies that are no trials"),
    whole("enrollment", "Participants: number enrolled when enrollment_type is ACTUAL, planned when ESTIMATED; 0 in withdrawn studies; null when not given"),
    text("enrollment_type", "ACTUAL or ESTIMATED; null in old records: then it is not known which"),
    text("source", "Name of the organisation that is responsible for the record"),
    text("source_class", "Kind of that organisation (INDUSTRY, NIH, FED, OTHER_GOV, NETWORK, INDIV, OTHER)"),
    whole("number_of_arms", "Arms of an interventional study"),
    whole("number_of_groups", "Groups of an observational study"),
    flag("has_dmc", "Whether a data monitoring committee is appointed"),
    flag("patient_registry", "Whether an observational study is a patient registry"),
    text("target_duration", "Planned follow-up of each participant of a registry (5 Years)"),
    text("biospec_retention", "Whether samples are kept: NONE_RETAINED, SAMPLES_WITH_DNA, SAMPLES_WITHOUT_DNA"),
    text("biospec_description", "Which samples are kept"),
    text("baseline_population", "Who was analysed at baseline, when not all who enrolled"),
    text("baseline_type_units_analyzed", "Unit counted at baseline when it is not people"),
    text("limitations_and_caveats", "Limits of the results as the sponsor states them"),
)  # fmt: skip

_DATES = (
    date("start_date", f"Start of recruitment; {PARTIAL}"),
    text("start_month_year", "Start as given: 2020-03 or 2020-03-15"),
    text("start_date_type", "ACTUAL or ESTIMATED; null in old records"),
    date("primary_completion_date", f"Last data for the primary outcome; {PARTIAL}"),
    text("primary_completion_month_year", "The same as given"),
    text("primary_completion_date_type", "ACTUAL or ESTIMATED; null in old records"),
    date("completion_date", f"Last visit of the last participant; {PARTIAL}"),
    text("completion_month_year", "The same as given"),
    text("completion_date_type", "ACTUAL or ESTIMATED; null in old records"),
    date("verification_date", f"When the sponsor last checked the record; {PARTIAL}"),
    text("verification_month_year", "The same as given"),
    date("study_first_submitted_date", "Record first sent by the sponsor"),
    date("study_first_submitted_qc_date", "Record first sent in a form that passed review"),
    date("study_first_posted_date", "Record first public"),
    text("study_first_posted_date_type", "ACTUAL or ESTIMATED (posted before 2017)"),
    date("results_first_submitted_date", "Results first sent"),
    date("results_first_submitted_qc_date", "Results first sent in a form that passed review"),
    date("results_first_posted_date", "Results first public; null without posted results"),
    text("results_first_posted_date_type", "ACTUAL or ESTIMATED (posted before 2017)"),
    date("disposition_first_submitted_date", "Delay of results first asked or certified"),
    date("disposition_first_submitted_qc_date", "The same, in a form that passed review"),
    date("disposition_first_posted_date", "The same, first public"),
    text("disposition_first_posted_date_type", "ACTUAL or ESTIMATED (posted before 2017)"),
    date("last_update_submitted_date", "Last change sent"),
    date("last_update_submitted_qc_date", "Last change sent in a form that passed review"),
    date("last_update_posted_date", "Last change public"),
    text("last_update_posted_date_type", "ACTUAL or ESTIMATED (posted before 2017)"),
)  # fmt: skip

_REGULATION = (
    flag("has_expanded_access", "Whether the product is available outside the trial"),
    flag("expanded_access_type_individual", "Expanded access for single patients"),
    flag("expanded_access_type_intermediate", "Expanded access for an intermediate-size population"),
    flag("expanded_access_type_treatment", "Expanded access under a treatment protocol"),
    text("expanded_access_nctid", "Identifier of the expanded access record of this trial"),
    text("expanded_access_status_for_nctid", "Status of that record"),
    flag("is_fda_regulated_drug", "Whether the study is of a drug that FDA regulates"),
    flag("is_fda_regulated_device", "Whether the study is of a device that FDA regulates"),
    flag("is_unapproved_device", "Whether the device is neither approved nor cleared"),
    flag("is_ppsd", "Whether it is a paediatric post-market surveillance of a device"),
    flag("is_us_export", "Whether the product is made in and exported from the USA"),
    flag("fdaaa801_violation", "Whether FDA issued a notice of non-compliance"),
    flag("delayed_posting", "Whether posting of device details is delayed"),
    text("plan_to_share_ipd", "Plan to share data of single participants: YES, NO, UNDECIDED"),
    text("plan_to_share_ipd_description", "What is shared, or why not"),
    text("ipd_time_frame", "When it is shared"),
    text("ipd_access_criteria", "Who may have it"),
    text("ipd_url", "Where to ask for it"),
)  # fmt: skip

# one-to-one with studies, but absent for studies whose record has no design section
DESIGN_COLUMNS = (
    text("allocation", "RANDOMIZED, NON_RANDOMIZED, or NA for a single arm; null when the record does not say"),
    text("intervention_model", "SINGLE_GROUP, PARALLEL, CROSSOVER, FACTORIAL or SEQUENTIAL; null for studies that are no trials"),
    text("intervention_model_description", "The model in words"),
    text("observational_model", "COHORT, CASE_CONTROL, CASE_ONLY, CASE_CROSSOVER, ECOLOGIC_OR_COMMUNITY, FAMILY_BASED, ...; null for trials"),
    text("primary_purpose", "TREATMENT, PREVENTION, DIAGNOSTIC, SUPPORTIVE_CARE, SCREENING, HEALTH_SERVICES_RESEARCH, BASIC_SCIENCE, DEVICE_FEASIBILITY, ECT, OTHER"),
    text("time_perspective", "PROSPECTIVE, RETROSPECTIVE, CROSS_SECTIONAL, OTHER; null for trials"),
    text("masking", "NONE (open label), SINGLE, DOUBLE, TRIPLE or QUADRUPLE"),
    text("masking_description", "Masking in words"),
    flag("subject_masked", "Whether participants do not know the arm"),
    flag("caregiver_masked", "Whether those who give care do not know the arm"),
    flag("investigator_masked", "Whether the investigator does not know the arm"),
    flag("outcomes_assessor_masked", "Whether those who assess outcomes do not know the arm"),
)  # fmt: skip

# computed by AACT from the record
CALCULATED_COLUMNS = (
    whole("number_of_facilities", "Sites listed in the record; null when it has no row of computed values"),
    flag("has_single_facility", "Whether exactly one site is listed"),
    flag("has_us_facility", "Whether a site lies in the USA"),
    flag("were_results_reported", "Whether results are posted in the registry"),
    whole("months_to_report_results", "Months from primary completion to the first results"),
    whole("actual_duration", "Months from start to primary completion"),
    whole("registered_in_calendar_year", "Year of registration"),
    whole("number_of_sae_subjects", "Participants with a serious adverse event, summed over groups"),
    whole("number_of_nsae_subjects", "Participants with another adverse event, summed over groups"),
    whole("minimum_age_num", "Lowest age in minimum_age_unit; 0 with the unit n/a means no limit"),
    text("minimum_age_unit", "year, month, week, day, hour, minute, or n/a without a limit"),
    whole("maximum_age_num", "Highest age in maximum_age_unit; 0 with the unit n/a means no limit"),
    text("maximum_age_unit", "year, month, week, day, hour, minute, or n/a without a limit"),
    whole("number_of_primary_outcomes_to_measure", "Primary outcomes in the protocol"),
    whole("number_of_secondary_outcomes_to_measure", "Secondary outcomes in the protocol"),
    whole("number_of_other_outcomes_to_measure", "Other outcomes in the protocol"),
)  # fmt: skip

STUDY_COLUMNS = (*_STUDY, *_DATES, *_REGULATION)

TRIALS = registry_table(
    "trials",
    "one registered study",
    *STUDY_COLUMNS,
    *DESIGN_COLUMNS,
    *CALCULATED_COLUMNS,
)
