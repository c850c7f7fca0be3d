"""Invented PubMed records in the real shapes."""

from collections.abc import Mapping

DOCTYPE = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
)


def article_set(*records: str, root: str = "PubmedArticleSet", head: str = DOCTYPE) -> bytes:
    return f"{head}<{root}>\n{''.join(records)}</{root}>\n".encode()


def article(pmid: int = 1, version: int = 1, data: str | None = "", **parts: str) -> str:
    """A PubmedArticle; ``data`` None leaves PubmedData out."""
    pubmed_data = (
        ""
        if data is None
        else f"<PubmedData>{data}<PublicationStatus>ppublish</PublicationStatus></PubmedData>"
    )
    citation = medline(pmid, version, **parts)
    return f"<PubmedArticle>{citation}{pubmed_data}</PubmedArticle>\n"


def medline(
    pmid: int = 1,
    version: int = 1,
    *,
    title: str = "A trial of tea.",
    pub_date: str = "<Year>2020</Year>",
    inside: str = "",
    after: str = "",
) -> str:
    """A MedlineCitation; ``inside`` goes into Article after the title, ``after`` behind it."""
    return (
        f'<MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="{version}">{pmid}</PMID>'
        '<Article PubModel="Print"><Journal><ISSN IssnType="Print">1234-5678</ISSN>'
        '<JournalIssue CitedMedium="Print"><Volume>7</Volume><Issue>2</Issue>'
        f"<PubDate>{pub_date}</PubDate></JournalIssue><Title>Annals of Tea</Title>"
        "<ISOAbbreviation>Ann. Tea</ISOAbbreviation></Journal>"
        f"<ArticleTitle>{title}</ArticleTitle>{inside}</Article>"
        "<MedlineJournalInfo><Country>England</Country><MedlineTA>Ann Tea</MedlineTA>"
        "<NlmUniqueID>9900001</NlmUniqueID><ISSNLinking>1234-5678</ISSNLinking>"
        f"</MedlineJournalInfo>{after}</MedlineCitation>"
    )


def delete(*pmids: int) -> str:
    inside = "".join(f'<PMID Version="1">{pmid}</PMID>' for pmid in pmids)
    return f"<DeleteCitation>{inside}</DeleteCitation>\n"


def ids(values: Mapping[str, str]) -> str:
    inside = "".join(f'<ArticleId IdType="{k}">{v}</ArticleId>' for k, v in values.items())
    return f"<ArticleIdList>{inside}</ArticleIdList>"
