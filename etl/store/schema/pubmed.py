"""``citations``: all that PubMed's XML says that anyone needs, nothing interpreted.

Source of every column: NLM's PubMed DTD (pubmed_250101) and its element descriptions.
"""

import pyarrow as pa

from etl.store.schema.declare import PMID, TEXT, TEXTS, Column, Layout, Table

SECTION = pa.struct([("label", TEXT), ("category", TEXT), ("text", TEXT)])
OTHER_ABSTRACT = pa.struct([("type", TEXT), ("language", TEXT), ("text", TEXT)])
QUALIFIER = pa.struct([("ui", TEXT), ("name", TEXT), ("major", pa.bool_())])
HEADING = pa.struct(
    [("ui", TEXT), ("name", TEXT), ("major", pa.bool_()), ("qualifiers", pa.list_(QUALIFIER))]
)
SUBSTANCE = pa.struct([("registry_number", TEXT), ("ui", TEXT), ("name", TEXT)])
SUPPLEMENTARY = pa.struct([("ui", TEXT), ("name", TEXT), ("type", TEXT)])
AUTHOR = pa.struct(
    [
        ("last_name", TEXT),
        ("fore_name", TEXT),
        ("initials", TEXT),
        ("suffix", TEXT),
        ("collective_name", TEXT),
        ("orcid", TEXT),
        ("valid", pa.bool_()),
        ("equal_contribution", pa.bool_()),
        ("affiliations", TEXTS),
    ]
)
DATA_BANK = pa.struct([("name", TEXT), ("accession_numbers", TEXTS)])
CORRECTION = pa.struct([("ref_type", TEXT), ("pmid", pa.int64()), ("source", TEXT), ("note", TEXT)])
GRANT = pa.struct([("id", TEXT), ("acronym", TEXT), ("agency", TEXT), ("country", TEXT)])

DATE_PRECISION = ("day", "month", "season", "year", "range", "unknown")

CITATIONS = Table(
    name="citations",
    grain="one PubMed citation (article or book record) in its winning version",
    layout=Layout.KEYED,
    sort=("pmid",),
    columns=(
        PMID,
        Column("version", pa.int16(), "PMID/@Version; 1 when not given", nullable=False),
        Column(
            "record_type",
            TEXT,
            "article (PubmedArticle, MedlineCitation) or book (PubmedBookArticle)",
            nullable=False,
            codes=("article", "book"),
        ),
        Column(
            "status",
            TEXT,
            "MedlineCitation/@Status (MEDLINE, PubMed-not-MEDLINE, ...); null for books",
        ),
        Column("indexing_method", TEXT, "MedlineCitation/@IndexingMethod; null is human indexing"),
        Column("owner", TEXT, "MedlineCitation/@Owner"),
        Column(
            "title",
            TEXT,
            "Article title (a book record's own title), plain text, white space folded; null when empty",
        ),
        Column("vernacular_title", TEXT, "Title in the original language"),
        Column("book_title", TEXT, "Title of the book of a book record"),
        Column(
            "abstract",
            TEXT,
            "All abstract sections in order, each label as 'LABEL: ' before its text; null when none",
        ),
        Column(
            "abstract_sections",
            pa.list_(SECTION),
            "The same by section: Label, NlmCategory, text; empty when none",
            nullable=False,
        ),
        Column(
            "other_abstracts",
            pa.list_(OTHER_ABSTRACT),
            "OtherAbstract: @Type, @Language, text; empty when none",
            nullable=False,
        ),
        Column("journal", TEXT, "Journal title in full"),
        Column("journal_abbreviation", TEXT, "MedlineTA, else the ISO abbreviation"),
        Column("journal_nlm_id", TEXT, "NLM unique id of the journal"),
        Column("issn_linking", TEXT, "Linking ISSN"),
        Column("issn_print", TEXT, "ISSN of the print edition"),
        Column("issn_electronic", TEXT, "ISSN of the electronic edition"),
        Column("country", TEXT, "Country of publication (MedlineJournalInfo)"),
        Column("volume", TEXT, "Volume as printed"),
        Column("issue", TEXT, "Issue as printed"),
        Column("pages", TEXT, "Pagination as printed (MedlinePgn, else start-end)"),
        Column(
            "year",
            pa.int16(),
            "Year of publication: PubDate year, else the first year in MedlineDate, else ArticleDate",
        ),
        Column(
            "publication_date",
            TEXT,
            "PubDate as YYYY, YYYY-MM or YYYY-MM-DD: only what the record says",
        ),
        Column(
            "publication_date_precision",
            TEXT,
            "How much of publication_date is stated; season and range keep their words in publication_date_text",
            nullable=False,
            codes=DATE_PRECISION,
        ),
        Column(
            "publication_date_text",
            TEXT,
            "MedlineDate or Season as printed; null for ordinary dates",
        ),
        Column("electronic_date", TEXT, "ArticleDate (electronic) as YYYY, YYYY-MM or YYYY-MM-DD"),
        Column("entrez_date", pa.date32(), "History date 'entrez': when the record entered PubMed"),
        Column("pubmed_date", pa.date32(), "History date 'pubmed'"),
        Column("medline_date", pa.date32(), "History date 'medline': when it was indexed"),
        Column("completed_date", pa.date32(), "DateCompleted"),
        Column("revised_date", pa.date32(), "DateRevised"),
        Column("publication_types", TEXTS, "Publication type names in order", nullable=False),
        Column(
            "publication_type_uis",
            TEXTS,
            "Their MeSH UIs, same order; null items in records without UIs",
            nullable=False,
        ),
        Column("mesh_headings", TEXTS, "MeSH descriptor names in order", nullable=False),
        Column("mesh_uis", TEXTS, "Their MeSH UIs, same order", nullable=False),
        Column(
            "mesh_terms",
            pa.list_(HEADING),
            "Headings with major flags and qualifiers, same order",
            nullable=False,
        ),
        Column(
            "supplementary_concepts",
            pa.list_(SUPPLEMENTARY),
            "SupplMeshList: ui, name, @Type",
            nullable=False,
        ),
        Column(
            "chemicals",
            pa.list_(SUBSTANCE),
            "ChemicalList: registry number, substance UI and name",
            nullable=False,
        ),
        Column("gene_symbols", TEXTS, "GeneSymbolList", nullable=False),
        Column("keywords", TEXTS, "Keywords of all owners in order", nullable=False),
        Column(
            "authors",
            TEXTS,
            "Authors in order as 'Last Initials' or the collective name; corrected ones (ValidYN=N) left out",
            nullable=False,
        ),
        Column(
            "author_details",
            pa.list_(AUTHOR),
            "Every author as given, with ORCID (bare 16 digits with dashes), validity and affiliations",
            nullable=False,
        ),
        Column(
            "authors_complete",
            pa.bool_(),
            "AuthorList/@CompleteYN; null when there is no author list",
        ),
        Column("investigators", TEXTS, "InvestigatorList as 'Last Initials'", nullable=False),
        Column(
            "affiliations", TEXTS, "Distinct affiliations of all authors, in order", nullable=False
        ),
        Column("languages", TEXTS, "MARC language codes (eng, fre, ...)", nullable=False),
        Column(
            "data_banks",
            pa.list_(DATA_BANK),
            "DataBankList: bank name and accession (trial) numbers",
            nullable=False,
        ),
        Column(
            "comments_corrections",
            pa.list_(CORRECTION),
            "CommentsCorrectionsList: RefType, PMID (null when none), RefSource, Note",
            nullable=False,
        ),
        Column(
            "cited_pmids",
            pa.list_(pa.int64()),
            "PMIDs in the record's reference list, in order, distinct",
            nullable=False,
        ),
        Column(
            "reference_count",
            pa.int32(),
            "References in the list, with or without PMID",
            nullable=False,
        ),
        Column("coi_statement", TEXT, "Conflict of interest statement; null when none was given"),
        Column("grants", pa.list_(GRANT), "GrantList", nullable=False),
        Column(
            "doi",
            TEXT,
            "DOI in lower case: the record's own ArticleIdList, else a valid ELocationID",
        ),
        Column("pmcid", TEXT, "PubMed Central id (PMC...)"),
        Column("pii", TEXT, "Publisher item identifier"),
        Column(
            "publication_status", TEXT, "PublicationStatus (ppublish, epublish, aheadofprint, ...)"
        ),
        Column("publication_model", TEXT, "Article/@PubModel"),
        Column("citation_subsets", TEXTS, "CitationSubset codes", nullable=False),
        Column(
            "source_file",
            TEXT,
            "Name of the delivered file that the record came from",
            nullable=False,
        ),
        Column("seq", pa.int64(), "Place of that file in the order of application", nullable=False),
    ),
)

TABLES = (CITATIONS,)
