"""Links: papers with their trials and with other papers, and the keys by which they are found."""

import pyarrow as pa

from etl.store.schema.declare import Column, Layout, Table

TEXT = pa.string()
TEXTS = pa.list_(pa.string())
PMID = Column("pmid", pa.int64(), "PubMed identifier", nullable=False)

CITATION_TRIALS = Table(
    name="citation_trials",
    grain="one way in which a citation is tied to a registered trial",
    layout=Layout.KEYED,
    sort=("pmid", "nct_id"),
    columns=(
        PMID,
        Column(
            "nct_id", TEXT, "ClinicalTrials.gov identifier (NCT and eight digits)", nullable=False
        ),
        Column(
            "source",
            TEXT,
            "databank (the record's DataBankList), abstract or title (its words), registry_result or registry_derived (AACT study_references); background references are left out: they are not the trial's own papers",
            nullable=False,
            codes=("databank", "abstract", "title", "registry_result", "registry_derived"),
        ),
    ),
)

CITATION_LINKS = Table(
    name="citation_links",
    grain="one stated relation of a citation to another",
    layout=Layout.KEYED,
    sort=("pmid", "link_type"),
    columns=(
        PMID,
        Column(
            "link_type",
            TEXT,
            "Relation in snake case, as PubMed's RefType says it (retraction_in, retraction_of, erratum_in, erratum_for, expression_of_concern_in, expression_of_concern_for, comment_in, comment_on, update_in, update_of, republished_in, republished_from, corrected_and_republished_in, corrected_and_republished_from, ...) plus preprint_of and has_preprint",
            nullable=False,
        ),
        Column("related_pmid", pa.int64(), "The other citation; null when the record names none"),
        Column(
            "certainty",
            TEXT,
            "stated by a record, or probable (same first author, near-equal title, years within 3)",
            nullable=False,
            codes=("stated", "probable"),
        ),
        Column("source_text", TEXT, "RefSource as printed"),
    ),
)

TITLE_KEYS = Table(
    name="title_keys",
    grain="one preprint, or one citation whose title and first author may make it the journal version of one",
    layout=Layout.KEYED,
    sort=("pmid",),
    columns=(
        PMID,
        Column(
            "is_preprint", pa.bool_(), "Preprint type or a preprint server as the source", False
        ),
        Column("year", pa.int16(), "Year of publication; null for a preprint without keys"),
        Column(
            "key_1",
            pa.int32(),
            "Hash of the first author (surname and first initial) and the longest word of the title; null when the record cannot be paired by its words",
        ),
        Column("key_2", pa.int32(), "The same with the second longest word"),
        Column("key_3", pa.int32(), "The same with the third longest word"),
    ),
)

GUIDELINE_REFERENCES = Table(
    name="guideline_references",
    grain="one citation in the reference list of a guideline or consensus statement",
    layout=Layout.KEYED,
    sort=("pmid", "cited_pmid"),
    columns=(
        Column("pmid", pa.int64(), "PMID of the guideline", nullable=False),
        Column("year", pa.int16(), "Its year of publication; null when the record has none"),
        Column("cited_pmid", pa.int64(), "PMID that it cites", nullable=False),
    ),
)

TABLES = (CITATION_TRIALS, CITATION_LINKS, TITLE_KEYS, GUIDELINE_REFERENCES)
