"""Small invented PubMed files for tests: only what a test varies has to be said."""

import gzip
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape


def article(
    pmid: int,
    title: str = "An invented study",
    *,
    version: int = 1,
    types: Iterable[tuple[str, str]] = (("D016428", "Journal Article"),),
    headings: Iterable[tuple[str, str]] = (),
    abstract: str = "",
    year: int = 2024,
    corrections: str = "",
    cites: Iterable[int] = (),
    nlm_id: str = "0000001",
    authors: Iterable[str] = (),
) -> str:
    """One PubmedArticle element."""
    kinds = "".join(
        f'<PublicationType UI="{ui}">{escape(name)}</PublicationType>' for ui, name in types
    )
    mesh = "".join(
        f'<MeshHeading><DescriptorName UI="{ui}" MajorTopicYN="N">{escape(name)}'
        "</DescriptorName></MeshHeading>"
        for ui, name in headings
    )
    words = f"<Abstract><AbstractText>{escape(abstract)}</AbstractText></Abstract>"
    references = "".join(
        f'<Reference><ArticleIdList><ArticleId IdType="pubmed">{cited}</ArticleId>'
        "</ArticleIdList></Reference>"
        for cited in cites
    )
    people = "".join(
        f"<Author><LastName>{escape(name)}</LastName><Initials>J</Initials></Author>"
        for name in authors
    )
    listed = f"<AuthorList>{people}</AuthorList>" if people else ""
    return f"""<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM">
<PMID Version="{version}">{pmid}</PMID><Article PubModel="Print"><Journal><JournalIssue
CitedMedium="Internet"><PubDate><Year>{year}</Year></PubDate></JournalIssue>
<Title>Invented Journal</Title></Journal><ArticleTitle>{escape(title)}</ArticleTitle>
{words if abstract else ""}{listed}<Language>eng</Language>
<PublicationTypeList>{kinds}</PublicationTypeList></Article>
<MedlineJournalInfo><MedlineTA>Inv J</MedlineTA><NlmUniqueID>{nlm_id}</NlmUniqueID>
</MedlineJournalInfo>{corrections}<MeshHeadingList>{mesh}</MeshHeadingList></MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType="pubmed">{pmid}</ArticleId></ArticleIdList>
<ReferenceList>{references}</ReferenceList></PubmedData></PubmedArticle>"""


def deletes(*pmids: int) -> str:
    """One DeleteCitation element."""
    return "<DeleteCitation>" + "".join(f"<PMID>{p}</PMID>" for p in pmids) + "</DeleteCitation>"


def write(path: Path, *elements: str) -> Path:
    """A PubmedArticleSet of these elements, gzipped when the name says so."""
    text = (
        '<?xml version="1.0" encoding="utf-8"?>\n<PubmedArticleSet>'
        + "\n".join(elements)
        + "</PubmedArticleSet>\n"
    )
    data = text.encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    return path


RCT = ("D016449", "Randomized Controlled Trial")
GUIDELINE = ("D017065", "Practice Guideline")
REVIEW = ("D016454", "Review")
