"""What is worked out: signals from words, facts, grades, journal metrics; links are apart."""

import pyarrow as pa

from etl.store.schema import links
from etl.store.schema.declare import PMID, TEXT, TEXTS, Column, Layout, Table

DESIGNS = (
    "guideline", "consensus", "meta_analysis", "systematic_review", "rct", "phase_3",
    "prospective_multicenter", "cohort", "case_control", "cross_sectional", "phase_2",
    "trial_other", "observational", "case_report", "review", "phase_1", "protocol",
    "excluded_type", "none",
)  # fmt: skip

# What words alone can say (etl/text/design.py); the SQL rules map these to DESIGNS.
WORD_DESIGNS = (
    "guideline", "consensus", "meta_analysis", "systematic_review", "scoping_review", "review",
    "rct", "cluster_rct", "crossover_rct", "phase_1", "phase_2", "phase_3", "trial_other",
    "cohort_prospective", "cohort_retrospective", "cohort", "case_control", "nested_case_control",
    "case_cohort", "cross_sectional", "case_report", "case_series", "diagnostic_accuracy",
    "protocol", "secondary_analysis", "mendelian_randomisation", "economic_evaluation",
    "qualitative", "animal", "in_vitro", "commentary", "observational", "none",
)  # fmt: skip

SAMPLE_SIZE_SOURCES = ("fulltext", "abstract", "title", "registry", "none")
GRADES = ("A", "B", "C", "D", "excluded", "ungraded")

SPAN = pa.struct([("value", pa.int64()), ("sentence", TEXT), ("confidence", pa.float32())])
SAID = pa.struct([("signal", TEXT), ("sentence", TEXT)])

SIGNALS = Table(
    name="citation_signals",
    grain="what the words of one citation say: sample size, design, quality signals",
    layout=Layout.KEYED,
    sort=("pmid",),
    columns=(
        PMID,
        Column(
            "sample_size",
            pa.int64(),
            "People enrolled or randomised in total, this study's own; null when not stated",
        ),
        Column(
            "sample_size_source",
            TEXT,
            "Where it stands",
            nullable=False,
            codes=("abstract", "title", "none"),
        ),
        Column("sample_size_evidence", TEXT, "The sentence it was read from; null when none"),
        Column(
            "sample_size_start",
            pa.int32(),
            "Offset of the evidence sentence in its source text (characters)",
        ),
        Column("sample_size_end", pa.int32(), "End offset of the evidence sentence, exclusive"),
        Column("sample_size_confidence", pa.float32(), "0..1; null when no sample size was found"),
        Column(
            "sample_size_analysed",
            pa.int64(),
            "People analysed after exclusions, when stated apart",
        ),
        Column(
            "sample_size_alternatives",
            pa.list_(SPAN),
            "Other candidate totals, best first",
            nullable=False,
        ),
        Column(
            "arms",
            pa.list_(pa.int32()),
            "People by arm in the order of the text; empty when not stated",
            nullable=False,
        ),
        Column("n_studies", pa.int32(), "Studies included in a review or meta-analysis"),
        Column(
            "n_participants",
            pa.int64(),
            "Participants over all studies of a review or meta-analysis",
        ),
        Column("n_clusters", pa.int32(), "Units of randomisation when they are not people"),
        Column(
            "design_inferred",
            TEXT,
            "Design that the words state, in docs/grading.md's classes or finer; none when unclear",
            nullable=False,
            codes=WORD_DESIGNS,
        ),
        Column(
            "design_probability",
            pa.float32(),
            "Calibrated probability of design_inferred, 0..1; null for none",
        ),
        Column("design_evidence", TEXT, "The sentence or title part that decided"),
        Column(
            "rct_probability",
            pa.float32(),
            "Probability that the record reports a randomised trial, 0..1; null without words",
        ),
        Column("says_prospective", pa.bool_(), "Words say prospective", nullable=False),
        Column("says_retrospective", pa.bool_(), "Words say retrospective", nullable=False),
        Column("says_multicentre", pa.bool_(), "Words say multicentre", nullable=False),
        Column("says_single_centre", pa.bool_(), "Words say single centre", nullable=False),
        Column(
            "says_prospective_data",
            pa.bool_(),
            "Words say that a database or registry was kept prospectively, whatever the study is",
            nullable=False,
        ),
        Column("says_registry", pa.bool_(), "Words name a registry of people", nullable=False),
        Column(
            "says_registry_data",
            pa.bool_(),
            "Words say that the people studied come from a registry",
            nullable=False,
        ),
        Column(
            "says_randomised", pa.bool_(), "Words say that this study randomised", nullable=False
        ),
        Column(
            "says_blinded",
            pa.bool_(),
            "Words say blinding (single, double, masked)",
            nullable=False,
        ),
        Column("says_concealed", pa.bool_(), "Words say allocation concealment", nullable=False),
        Column("says_itt", pa.bool_(), "Words say intention to treat", nullable=False),
        Column("says_coi", pa.bool_(), "Words of the abstract state interests", nullable=False),
        Column(
            "signal_sentences",
            pa.list_(SAID),
            "The sentence behind each signal that is true",
            nullable=False,
        ),
        Column("extractor_version", TEXT, "Version of the extractors", nullable=False),
        Column(
            "version",
            pa.int16(),
            "Version of the citation whose words these are",
            nullable=False,
        ),
        Column(
            "seq",
            pa.int64(),
            "Place of the delivered file that those words came from",
            nullable=False,
        ),
    ),
)


def _flag(name: str, about: str) -> Column:
    return Column(name, pa.bool_(), about, nullable=False)


FACTS = Table(
    name="evidence_facts",
    grain="all that the grading rules look at for one citation, and nothing else",
    layout=Layout.KEYED,
    sort=("pmid",),
    columns=(
        PMID,
        Column("year", pa.int16(), "Year of publication; null when the record has none"),
        Column("journal_nlm_id", TEXT, "NLM unique id of the journal"),
        Column(
            "excluded_type",
            TEXT,
            "Publication type of rule X1 that the record carries; of several the first in sql/grade/types.csv, Letter last; null when none",
        ),
        _flag(
            "is_retracted",
            "Retracted Publication type, RetractionIn link or a corrected-and-republished original (X2)",
        ),
        _flag("is_guideline", "Practice Guideline or Guideline (A1)"),
        _flag(
            "is_consensus",
            "Consensus Development Conference (also NIH) or Consensus Statement (A2)",
        ),
        _flag("is_meta_analysis", "Meta-Analysis or Network Meta-Analysis (A3)"),
        _flag("is_systematic_review", "Systematic Review, or Review in the Cochrane Database (A4)"),
        _flag("is_rct", "Randomized Controlled Trial or a child of it (A5, B1)"),
        _flag("is_phase_1", "Clinical Trial, Phase I (D3)"),
        _flag("is_phase_2", "Clinical Trial, Phase II (C4)"),
        _flag("is_phase_3", "Clinical Trial, Phase III (B2)"),
        _flag(
            "is_trial_other",
            "Controlled Clinical Trial, Clinical Trial, Phase IV, Clinical Study, Adaptive Clinical Trial (C5)",
        ),
        _flag("is_multicenter", "Multicenter Study type"),
        _flag("is_observational", "Observational Study type (C6)"),
        _flag("is_comparative_effectiveness", "Comparative Effectiveness Research heading or type"),
        _flag("is_case_report", "Case Reports type (D1)"),
        _flag("is_review", "Review, Scoping Review or Narrative Review type (D2)"),
        _flag("is_preprint", "Preprint type or a preprint server as the source (D4)"),
        _flag(
            "is_protocol",
            "Clinical Trial Protocol type (U1; words that say so stand in design_inferred)",
        ),
        _flag(
            "is_animal_only",
            "Heading Animals without heading Humans: words and method headings say no clinical design",
        ),
        _flag("has_cohort_heading", "MeSH Cohort Studies or a child of it"),
        _flag("has_prospective_heading", "MeSH Prospective Studies"),
        _flag("has_retrospective_heading", "MeSH Retrospective Studies"),
        _flag(
            "has_case_control_heading",
            "MeSH Case-Control Studies or a child of it other than Retrospective Studies",
        ),
        _flag("has_cross_sectional_heading", "MeSH Cross-Sectional Studies"),
        _flag("types_silent", "The record's types say nothing about design: words may decide"),
        Column(
            "design_inferred",
            TEXT,
            "Design that the words state; used where types_silent, for protocol (U1) and between two method headings",
            nullable=False,
            codes=WORD_DESIGNS,
        ),
        Column("design_probability", pa.float32(), "Probability of design_inferred"),
        _flag("says_prospective", "Words say prospective and do not also say retrospective"),
        _flag(
            "says_prospective_data",
            "Words say that a database or registry was kept prospectively, whatever the study is",
        ),
        _flag("says_multicentre", "Words say multicentre"),
        _flag("says_single_centre", "Words say single centre"),
        _flag("has_registry_heading", "MeSH Registries"),
        _flag("says_registry_data", "Words say that the people studied come from a registry"),
        Column(
            "sample_size",
            pa.int64(),
            "People in this study; null when unknown, and for reviews, guidelines and protocols, which have none of their own",
        ),
        Column(
            "sample_size_source",
            TEXT,
            "Where sample_size comes from",
            nullable=False,
            codes=SAMPLE_SIZE_SOURCES,
        ),
        Column("sample_size_evidence", TEXT, "The sentence, or the registry entry, that says so"),
        Column(
            "registered_enrollment",
            pa.int64(),
            "ACTUAL enrolment of the one linked trial whose result the paper is; null otherwise",
        ),
        Column(
            "registered_facilities",
            pa.int32(),
            "Facilities of the one linked trial, whatever kind of link; null otherwise",
        ),
        Column("nct_ids", TEXTS, "Linked trials in order", nullable=False),
        _flag("is_rare_disease", "A heading is a rare disease"),
        _flag("has_coi_statement", "The record has a conflict of interest statement"),
        Column(
            "journal_coi_share",
            pa.float32(),
            "Share of that journal's records of that year with a statement; null when unknown",
        ),
        Column(
            "journal_cites_per_document", pa.float32(), "From journal_metrics; null when unknown"
        ),
        Column(
            "guideline_cites",
            pa.bool_(),
            "A guideline of the last ten years in the warehouse cites it; null when the warehouse holds none that has references",
        ),
        Column(
            "superseded_by", pa.int64(), "PMID of the journal version of a preprint; null when none"
        ),
    ),
)

GRADED = Table(
    name="graded",
    grain="the evidence grade of one citation under the default profile, with its reasons",
    layout=Layout.KEYED,
    sort=("pmid",),
    columns=(
        PMID,
        Column("year", pa.int16(), "Year of publication"),
        Column(
            "design", TEXT, "Study design that the grade rests on", nullable=False, codes=DESIGNS
        ),
        Column("sample_size", pa.int64(), "People in this study; null when unknown"),
        Column(
            "sample_size_source",
            TEXT,
            "Where sample_size comes from",
            nullable=False,
            codes=SAMPLE_SIZE_SOURCES,
        ),
        Column("sample_size_evidence", TEXT, "The sentence, or the registry entry, that says so"),
        Column(
            "registered_enrollment",
            pa.int64(),
            "Registered enrolment, shown beside when it differs from the text by more than 10 %",
        ),
        Column("grade", TEXT, "A, B, C, D, excluded or ungraded", nullable=False, codes=GRADES),
        Column(
            "grade_label",
            TEXT,
            "grade, D- for a preprint, with _inferred when words decided the design",
            nullable=False,
        ),
        Column("grade_base", TEXT, "Grade before signals", nullable=False, codes=GRADES),
        Column("grade_rationale", TEXT, "One short line that says why", nullable=False),
        Column(
            "rules", TEXTS, "Ids of the rules that fired, the deciding one first", nullable=False
        ),
        Column("signals_up", TEXTS, "Signals that spoke for a step up", nullable=False),
        Column("signals_down", TEXTS, "Signals that spoke for a step down", nullable=False),
        Column("inferred", pa.bool_(), "The design was inferred from words", nullable=False),
        Column("is_preprint", pa.bool_(), "Preprint", nullable=False),
        Column("is_retracted", pa.bool_(), "Retracted", nullable=False),
        Column("superseded_by", pa.int64(), "PMID of the journal version of a preprint"),
        Column("nct_ids", TEXTS, "Linked trials", nullable=False),
        Column("rule_version", TEXT, "Version of the rules", nullable=False),
    ),
)

JOURNAL_METRICS = Table(
    name="journal_metrics",
    grain="one journal in one year",
    layout=Layout.WHOLE,
    sort=("journal_nlm_id", "year"),
    columns=(
        Column("journal_nlm_id", TEXT, "NLM unique id of the journal", nullable=False),
        Column("year", pa.int16(), "Year of publication", nullable=False),
        Column(
            "documents",
            pa.int32(),
            "Records of that journal and year in the warehouse",
            nullable=False,
        ),
        Column(
            "coi_share",
            pa.float32(),
            "Share of them with a conflict of interest statement",
            nullable=False,
        ),
        Column(
            "cites_per_document",
            pa.float32(),
            "Citations in that year to the two years before, by document of those years, from the corpus's own reference lists; null without documents",
        ),
    ),
)

TABLES = (
    SIGNALS,
    *links.TABLES,
    FACTS,
    GRADED,
    JOURNAL_METRICS,
)
