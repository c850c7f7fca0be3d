"""PubmedBookArticle -> one row."""

from collections.abc import Iterable

from lxml import etree

from etl.sources.pubmed import article, lists, people
from etl.sources.pubmed.article import Handlers, item, leaf, mixed, nested
from etl.sources.pubmed.columns import SLOT, Columns

_TITLE, _BOOK_TITLE = SLOT["title"], SLOT["book_title"]

_BOOK: Handlers = {
    "BookTitle": mixed("book_title"),
    "PubDate": article.pub_date,
    "Volume": leaf("volume"),
    "ELocationID": article.location_id,
    "InvestigatorList": people.investigators,
    **dict.fromkeys(
        ("AuthorList", "Publisher", "BeginningDate", "EndingDate", "VolumeTitle", "Edition",
         "CollectionTitle", "Isbn", "Medium", "ReportNumber"),
        article.skip,
    ),
}  # fmt: skip
_DOCUMENT: Handlers = {
    "PMID": article.read_pmid,
    "ArticleIdList": article.article_ids,
    "Book": nested(_BOOK),
    "ArticleTitle": mixed("title"),
    "VernacularTitle": mixed("vernacular_title"),
    "Pagination": article.pagination,
    "Language": item("languages"),
    "InvestigatorList": people.investigators,
    "PublicationType": lists.publication_type,
    "Abstract": article.abstract,
    "KeywordList": lists.keywords,
    "DateRevised": article.day("revised_date"),
    "GrantList": lists.grants,
    "ReferenceList": lists.references,
    **dict.fromkeys(
        ("AuthorList", "LocationLabel", "Sections", "ContributionDate", "ItemList"), article.skip
    ),
}
_DATA: Handlers = {
    "History": article.history,
    "PublicationStatus": leaf("publication_status"),
    "ArticleIdList": article.article_ids,
    "ObjectList": article.skip,
}
_RECORD: Handlers = {"BookDocument": nested(_DOCUMENT), "PubmedBookData": nested(_DATA)}


def read_book(element: etree._Element, columns: Columns) -> None:
    """PubmedBookArticle into the open record.

    A record of a whole book has no ArticleTitle: the book's title is its title. The authors
    are those of the chapter, else those of the book, else its editors.
    """
    article.walk(element, _RECORD, columns)
    row = columns.row
    if row[_TITLE] is None:
        row[_TITLE] = row[_BOOK_TITLE]
    document = element.find("BookDocument")
    if document is not None:
        _authors(document, columns)


def _authors(document: etree._Element, columns: Columns) -> None:
    own, of_book = document.findall("AuthorList"), document.findall("Book/AuthorList")
    choices = (
        [group for group in own if not _editors(group)],
        [group for group in of_book if not _editors(group)],
        own + of_book,
    )
    groups: Iterable[etree._Element] = next((c for c in choices if c), [])
    for group in groups:
        people.author_list(group, columns)


def _editors(group: etree._Element) -> bool:
    return group.get("Type") == "editors"
