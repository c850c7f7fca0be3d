"""PubmedArticle and bare MedlineCitation -> one row.

Each level of the record has a table tag -> handler; one pass over the children, nothing is
looked up by path. A tag that no table names is counted: the format has changed.
"""

from collections.abc import Callable, Mapping

from lxml import etree

from etl.sources.pubmed import lists, people
from etl.sources.pubmed.columns import SLOT, Columns
from etl.sources.pubmed.dates import PublicationDate, day_count, publication_date, stated
from etl.sources.pubmed.text import doi, pmcid, text_of

Handler = Callable[[etree._Element, Columns], None]
Handlers = Mapping[str, Handler]


def walk(element: etree._Element, handlers: Handlers, columns: Columns) -> None:
    """Gives each child to its handler."""
    for child in element:
        handler = handlers.get(child.tag)
        if handler is None:
            columns.unknown[f"{element.tag}/{child.tag}"] += 1
        else:
            handler(child, columns)


def skip(element: etree._Element, columns: Columns) -> None:
    """A known element that no column takes."""


def nested(handlers: Handlers) -> Handler:
    """Handler of an element whose children have handlers of their own."""

    def handler(element: etree._Element, columns: Columns) -> None:
        walk(element, handlers, columns)

    return handler


def leaf(column: str) -> Handler:
    """Text of an element that the DTD gives no children."""
    slot = SLOT[column]

    def handler(element: etree._Element, columns: Columns) -> None:
        columns.row[slot] = element.text

    return handler


def mixed(column: str) -> Handler:
    """Text of an element that may hold markup or MathML."""
    slot = SLOT[column]

    def handler(element: etree._Element, columns: Columns) -> None:
        columns.row[slot] = text_of(element)

    return handler


def item(column: str) -> Handler:
    """Text of an element that repeats, into a list column."""

    def handler(element: etree._Element, columns: Columns) -> None:
        if element.text:
            getattr(columns, column).items.append(element.text)

    return handler


def day(column: str) -> Handler:
    """A full date (Year, Month, Day)."""
    slot = SLOT[column]

    def handler(element: etree._Element, columns: Columns) -> None:
        parts = {child.tag: child.text for child in element}
        columns.row[slot] = day_count(parts.get("Year"), parts.get("Month"), parts.get("Day"))

    return handler


_PMID, _VERSION = SLOT["pmid"], SLOT["version"]
_STATUS, _OWNER, _METHOD = SLOT["status"], SLOT["owner"], SLOT["indexing_method"]
_MODEL, _ABSTRACT, _PAGES = SLOT["publication_model"], SLOT["abstract"], SLOT["pages"]
_YEAR, _ELECTRONIC = SLOT["year"], SLOT["electronic_date"]
_DATE, _PRECISION = SLOT["publication_date"], SLOT["publication_date_precision"]
_DATE_TEXT = SLOT["publication_date_text"]
_DOI, _PII, _PMCID = SLOT["doi"], SLOT["pii"], SLOT["pmcid"]
_ISSN = {"Print": SLOT["issn_print"], "Electronic": SLOT["issn_electronic"]}
_ABBREVIATION = SLOT["journal_abbreviation"]
_HISTORY = {
    "entrez": SLOT["entrez_date"],
    "pubmed": SLOT["pubmed_date"],
    "medline": SLOT["medline_date"],
}


def read_pmid(element: etree._Element, columns: Columns) -> None:
    """PMID and its version; the DTDs before 2011 have no version."""
    columns.row[_PMID] = lists.number(element.text)
    columns.row[_VERSION] = lists.number(element.get("Version")) or 1


def _citation(element: etree._Element, columns: Columns) -> None:
    row = columns.row
    row[_STATUS] = element.get("Status")
    row[_OWNER] = element.get("Owner")
    row[_METHOD] = element.get("IndexingMethod")
    walk(element, _CITATION, columns)


def _article(element: etree._Element, columns: Columns) -> None:
    columns.row[_MODEL] = element.get("PubModel")
    walk(element, _ARTICLE, columns)


def _issn(element: etree._Element, columns: Columns) -> None:
    slot = _ISSN.get(element.get("IssnType", ""))
    if slot is not None:
        columns.row[slot] = element.text


def _medline_ta(element: etree._Element, columns: Columns) -> None:
    columns.row[_ABBREVIATION] = element.text or columns.row[_ABBREVIATION]


def set_date(date: PublicationDate, columns: Columns) -> None:
    """Year and publication date of the open record."""
    row = columns.row
    row[_YEAR], row[_DATE], row[_PRECISION], row[_DATE_TEXT] = date


def pub_date(element: etree._Element, columns: Columns) -> None:
    """PubDate of a journal issue or a book."""
    set_date(publication_date({child.tag: child.text for child in element}), columns)


def _article_date(element: etree._Element, columns: Columns) -> None:
    parts = {child.tag: child.text for child in element}
    date = stated(parts.get("Year"), parts.get("Month"), parts.get("Day"))
    row = columns.row
    row[_ELECTRONIC] = date.date
    if row[_YEAR] is None:  # Journal stands before ArticleDate
        row[_YEAR] = date.year


def pagination(element: etree._Element, columns: Columns) -> None:
    """MedlinePgn, else start and end page."""
    parts = {child.tag: child.text for child in element}
    start, end = parts.get("StartPage"), parts.get("EndPage")
    both = f"{start}-{end}" if start and end else start
    columns.row[_PAGES] = parts.get("MedlinePgn") or both


def location_id(element: etree._Element, columns: Columns) -> None:
    """ELocationID: stands in until the record's own ArticleIdList says otherwise."""
    if element.get("ValidYN") == "N":
        return
    slot = _PII if element.get("EIdType") == "pii" else _DOI
    if columns.row[slot] is None:
        columns.row[slot] = doi(element.text) if slot == _DOI else element.text


def article_ids(element: etree._Element, columns: Columns) -> None:
    """The record's own ArticleIdList; never the one of a reference."""
    row = columns.row
    for child in element:
        kind = child.get("IdType", "pubmed")
        if kind == "doi":
            row[_DOI] = doi(child.text) or row[_DOI]
        elif kind == "pii":
            row[_PII] = child.text or row[_PII]
        elif kind in {"pmc", "pmcid"}:
            row[_PMCID] = pmcid(child.text) or row[_PMCID]
        elif kind == "pubmed" and row[_PMID] is None:
            row[_PMID], row[_VERSION] = lists.number(child.text), 1


def _other_id(element: etree._Element, columns: Columns) -> None:
    """``PMC4688250 [Available on 12/22/16]``: the PMCID of records without PubmedData."""
    text = (element.text or "").strip()
    if element.get("Source") == "NLM" and text.startswith("PMC"):
        columns.row[_PMCID] = pmcid(text)


def sections(element: etree._Element) -> list[tuple[str | None, str | None, str]]:
    """(Label, NlmCategory, text) of each AbstractText that is not empty; text not folded."""
    found = []
    for child in element:
        if child.tag == "AbstractText":
            text = text_of(child)
            if text and not text.isspace():
                found.append((child.get("Label"), child.get("NlmCategory"), text))
    return found


def joined(parts: list[tuple[str | None, str | None, str]]) -> str | None:
    """Sections in order, a label as ``LABEL: `` before its text; None when there are none."""
    return " ".join(f"{label}: {text}" if label else text for label, _, text in parts) or None


def abstract(element: etree._Element, columns: Columns) -> None:
    """Abstract, whole and by section."""
    parts = sections(element)
    columns.abstract_sections.items.extend(parts)
    columns.row[_ABSTRACT] = joined(parts)


def _other_abstract(element: etree._Element, columns: Columns) -> None:
    text = joined(sections(element))
    if text:
        language = element.get("Language", "eng")  # the DTD's default
        columns.other_abstracts.items.append((element.get("Type"), language, text))


def history(element: etree._Element, columns: Columns) -> None:
    """PubMedPubDate of the three states that have a column."""
    for child in element:
        slot = _HISTORY.get(child.get("PubStatus", ""))
        if slot is not None:
            parts = {part.tag: part.text for part in child}
            columns.row[slot] = day_count(parts.get("Year"), parts.get("Month"), parts.get("Day"))


def _skipped(*tags: str) -> dict[str, Handler]:
    return dict.fromkeys(tags, skip)


_ISSUE: Handlers = {"Volume": leaf("volume"), "Issue": leaf("issue"), "PubDate": pub_date}
_JOURNAL: Handlers = {
    "ISSN": _issn,
    "JournalIssue": nested(_ISSUE),
    "Title": leaf("journal"),
    "ISOAbbreviation": leaf("journal_abbreviation"),
    **_skipped("Coden"),
}
_JOURNAL_INFO: Handlers = {
    "Country": leaf("country"),
    "MedlineTA": _medline_ta,
    "NlmUniqueID": leaf("journal_nlm_id"),
    "ISSNLinking": leaf("issn_linking"),
    **_skipped("MedlineCode"),
}
_ARTICLE: Handlers = {
    "Journal": nested(_JOURNAL),
    "ArticleTitle": mixed("title"),
    "Pagination": pagination,
    "ELocationID": location_id,
    "Abstract": abstract,
    "Affiliation": people.first_affiliation,
    "AuthorList": people.author_list,
    "Language": item("languages"),
    "DataBankList": lists.data_banks,
    "GrantList": lists.grants,
    "PublicationTypeList": lists.publication_types,
    "VernacularTitle": mixed("vernacular_title"),
    "ArticleDate": _article_date,
}
_CITATION: Handlers = {
    "PMID": read_pmid,
    "DateCompleted": day("completed_date"),
    "DateRevised": day("revised_date"),
    "Article": _article,
    "MedlineJournalInfo": nested(_JOURNAL_INFO),
    "ChemicalList": lists.chemicals,
    "SupplMeshList": lists.supplementary,
    "CitationSubset": item("citation_subsets"),
    "CommentsCorrectionsList": lists.corrections,
    "CommentsCorrections": lists.old_corrections,
    "DataBankList": lists.data_banks,  # its place before 2008
    "GeneSymbolList": lists.gene_symbols,
    "MeshHeadingList": lists.mesh_headings,
    "OtherID": _other_id,
    "OtherAbstract": _other_abstract,
    "KeywordList": lists.keywords,
    "CoiStatement": mixed("coi_statement"),
    "InvestigatorList": people.investigators,
    **_skipped("DateCreated", "NumberOfReferences", "PersonalNameSubjectList"),
    **_skipped("SpaceFlightMission", "GeneralNote", "MedlineID"),
}
_DATA: Handlers = {
    "History": history,
    "PublicationStatus": leaf("publication_status"),
    "ArticleIdList": article_ids,
    "ReferenceList": lists.references,
    **_skipped("ObjectList", "ProviderId", "URL"),
}
_RECORD: Handlers = {
    "MedlineCitation": _citation,
    "NCBIArticle": _citation,  # of 2001
    "PubmedData": nested(_DATA),
}


def read_article(element: etree._Element, columns: Columns) -> None:
    """PubmedArticle or MedlineCitation into the open record."""
    if element.tag == "MedlineCitation":
        _citation(element, columns)
    else:
        walk(element, _RECORD, columns)
