"""Writes invented citations in the shape of NLM's PubMed XML (DTD pubmed_250101).

A citation is a mapping as the TOML files of ``content/`` give it. Every element is made from its
plain fields; ``xml`` may hold an element's text as it is to stand in the file, for shapes that
plain fields cannot say (inline markup, MathML, free-text dates, identifiers in odd spellings).
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any
from xml.sax.saxutils import escape, quoteattr

HEAD = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
    "<PubmedArticleSet>\n"
)
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
DOI_PREFIX = "10.99999"  # for invented records: no article is registered under it

Citation = Mapping[str, Any]
Vocabulary = Mapping[str, Any]


def article_set(articles: Sequence[str], deleted: Sequence[int]) -> bytes:
    """The bytes of one file: articles in order, then one DeleteCitation when there are deletes."""
    pmids = "".join(f'<PMID Version="1">{pmid}</PMID>\n' for pmid in deleted)
    tail = f"<DeleteCitation>\n{pmids}</DeleteCitation>\n" if deleted else ""
    return (HEAD + "".join(articles) + tail + "</PubmedArticleSet>\n").encode()


def article(citation: Citation, vocabulary: Vocabulary) -> str:
    """One PubmedArticle, or what ``whole_xml`` says where the citation is written by hand."""
    if "whole_xml" in citation:
        return f"{citation['whole_xml'].strip()}\n"
    rng = Random(f"{citation['pmid']}.{citation.get('version', 1)}")  # noqa: S311 - invented names
    body = _medline_citation(citation, vocabulary, rng)
    data = "" if citation.get("no_pubmed_data") else _pubmed_data(citation)
    return f"<PubmedArticle>\n{body}\n{data}</PubmedArticle>\n"


def _slot(citation: Citation, name: str, made: str) -> str:
    """The element as the citation spells it out, else the one made from plain fields."""
    return str(citation.get("xml", {}).get(name, made))


def _medline_citation(citation: Citation, vocabulary: Vocabulary, rng: Random) -> str:
    status = citation.get("status", "MEDLINE" if citation.get("mesh") else "Publisher")
    year = citation["year"]
    parts = [
        f'<MedlineCitation Status="{status}" Owner="NLM"{citation.get("attributes", "")}>',
        f'<PMID Version="{citation.get("version", 1)}">{citation["pmid"]}</PMID>',
        _ymd("DateCompleted", year, 11, 5) if status == "MEDLINE" else "",
        _ymd("DateRevised", citation.get("revised", max(year, 2025)), 12, 1),
        _article(citation, vocabulary, rng),
        _journal_info(vocabulary["journals"][citation["journal"]]),
        _slot(citation, "chemicals", ""),
        _slot(citation, "supplementary", ""),
        "<CitationSubset>IM</CitationSubset>" if status == "MEDLINE" else "",
        _corrections(citation.get("links", [])),
        _slot(citation, "gene_symbols", ""),
        _headings(citation.get("mesh", []), vocabulary),
        _slot(citation, "other_abstract", ""),
        _slot(citation, "keywords", ""),
        _coi(citation),
        _slot(citation, "investigators", ""),
        "</MedlineCitation>",
    ]
    return "\n".join(part for part in parts if part)


def _article(citation: Citation, vocabulary: Vocabulary, rng: Random) -> str:
    model = citation.get("model", "Print-Electronic")
    parts = [
        f'<Article PubModel="{model}">',
        _journal(citation, vocabulary["journals"][citation["journal"]], rng),
        f"<ArticleTitle>{_slot(citation, 'title', escape(citation.get('title', '')))}"
        "</ArticleTitle>",
        _slot(citation, "pagination", _pages(rng)),
        _slot(citation, "elocation", f'<ELocationID EIdType="doi">{_doi(citation)}</ELocationID>'),
        _slot(citation, "abstract", _abstract(citation.get("abstract", ""))),
        _slot(citation, "authors", _authors(citation.get("authors", 3), vocabulary, rng)),
        *(f"<Language>{code}</Language>" for code in citation.get("languages", ["eng"])),
        _slot(citation, "data_banks", _registrations(citation.get("nct", []))),
        _slot(citation, "grants", ""),
        _slot(citation, "publication_types", _types(citation["types"], vocabulary)),
        _vernacular(citation.get("vernacular", "")),
        _slot(citation, "article_date", ""),
        "</Article>",
    ]
    return "\n".join(part for part in parts if part)


def _journal(citation: Citation, journal: Sequence[str], rng: Random) -> str:
    title, abbreviation, _, issn, _ = journal
    made = f"<Year>{citation['year']}</Year><Month>{rng.choice(MONTHS)}</Month>"
    issue = (
        ""
        if not issn
        else f"<Volume>{rng.randint(1, 90)}</Volume><Issue>{rng.randint(1, 12)}</Issue>"
    )
    return (
        "<Journal>"
        + (f'<ISSN IssnType="Print">{issn}</ISSN>' if issn else "")
        + f'<JournalIssue CitedMedium="Print">{issue}'
        f"<PubDate>{_slot(citation, 'pub_date', made)}</PubDate></JournalIssue>"
        f"<Title>{escape(title)}</Title><ISOAbbreviation>{escape(abbreviation)}</ISOAbbreviation>"
        "</Journal>"
    )


def _journal_info(journal: Sequence[str]) -> str:
    _, abbreviation, nlm_id, issn, country = journal
    linking = f"<ISSNLinking>{issn}</ISSNLinking>" if issn else ""
    return (
        f"<MedlineJournalInfo><Country>{country}</Country>"
        f"<MedlineTA>{escape(abbreviation)}</MedlineTA><NlmUniqueID>{nlm_id}</NlmUniqueID>"
        f"{linking}</MedlineJournalInfo>"
    )


def _pages(rng: Random) -> str:
    start = rng.randint(1, 900)
    pages = f"{start}-{start + rng.randint(1, 14)}"
    return f"<Pagination><MedlinePgn>{pages}</MedlinePgn></Pagination>"


def _doi(citation: Citation) -> str:
    return f"{DOI_PREFIX}/sample.{citation['pmid']}"


def _abstract(abstract: str | Sequence[Sequence[str]]) -> str:
    """A plain abstract, or sections given as label, NLM category and text."""
    if not abstract:
        return ""
    if isinstance(abstract, str):
        return f"<Abstract><AbstractText>{escape(abstract)}</AbstractText></Abstract>"
    sections = "\n".join(
        f'<AbstractText Label={quoteattr(label)} NlmCategory="{category}">{escape(text)}'
        "</AbstractText>"
        for label, category, text in abstract
    )
    return f"<Abstract>\n{sections}\n</Abstract>"


def _authors(count: int, vocabulary: Vocabulary, rng: Random) -> str:
    if not count:
        return ""
    people = vocabulary["people"]
    authors = "\n".join(_author(people, rng) for _ in range(count))
    return f'<AuthorList CompleteYN="Y">\n{authors}\n</AuthorList>'


def _author(people: Mapping[str, Sequence[str]], rng: Random) -> str:
    first, second = rng.choice(people["fore"]), rng.choice(people["fore"])
    where = f"{rng.choice(people['unit'])}, University of {rng.choice(people['place'])}."
    return (
        f'<Author ValidYN="Y"><LastName>{escape(rng.choice(people["last"]))}</LastName>'
        f"<ForeName>{first} {second[0]}</ForeName><Initials>{first[0]}{second[0]}</Initials>"
        f"<AffiliationInfo><Affiliation>{where}</Affiliation></AffiliationInfo></Author>"
    )


def _registrations(numbers: Sequence[str]) -> str:
    if not numbers:
        return ""
    listed = "".join(f"<AccessionNumber>{number}</AccessionNumber>" for number in numbers)
    return (
        '<DataBankList CompleteYN="Y"><DataBank><DataBankName>ClinicalTrials.gov</DataBankName>'
        f"<AccessionNumberList>{listed}</AccessionNumberList></DataBank></DataBankList>"
    )


def _types(types: Sequence[str], vocabulary: Vocabulary) -> str:
    listed = "\n".join(_type(name, vocabulary["types"][name]) for name in types)
    return f"<PublicationTypeList>\n{listed}\n</PublicationTypeList>"


def _type(name: str, ui: str) -> str:
    attribute = f' UI="{ui}"' if ui else ""
    return f"<PublicationType{attribute}>{escape(name)}</PublicationType>"


def _headings(mesh: Sequence[str], vocabulary: Vocabulary) -> str:
    if not mesh:
        return ""
    listed = "\n".join(_heading(term, vocabulary) for term in mesh)
    return f"<MeshHeadingList>\n{listed}\n</MeshHeadingList>"


def _heading(term: str, vocabulary: Vocabulary) -> str:
    """``Name``, ``Name*`` for a major topic, ``Name/qualifier`` or ``Name/qualifier*``."""
    name, _, qualifier = term.partition("/")
    made = _mesh_name("DescriptorName", name, vocabulary["headings"])
    if qualifier:
        made += _mesh_name("QualifierName", qualifier, vocabulary["qualifiers"])
    return f"<MeshHeading>{made}</MeshHeading>"


def _mesh_name(element: str, term: str, uis: Mapping[str, str]) -> str:
    name = term.removesuffix("*")
    major = "Y" if term.endswith("*") else "N"
    return f'<{element} UI="{uis[name]}" MajorTopicYN="{major}">{escape(name)}</{element}>'


def _vernacular(title: str) -> str:
    return f"<VernacularTitle>{escape(title)}</VernacularTitle>" if title else ""


def _corrections(links: Sequence[Sequence[Any]]) -> str:
    if not links:
        return ""
    listed = "\n".join(_correction(kind, pmid, source) for kind, pmid, source in links)
    return f"<CommentsCorrectionsList>\n{listed}\n</CommentsCorrectionsList>"


def _correction(kind: str, pmid: int, source: str) -> str:
    number = f'<PMID Version="1">{pmid}</PMID>' if pmid else ""
    return (
        f'<CommentsCorrections RefType="{kind}"><RefSource>{escape(source)}</RefSource>{number}'
        "</CommentsCorrections>"
    )


def _coi(citation: Citation) -> str:
    statement = citation.get("coi", "")
    return f"<CoiStatement>{escape(statement)}</CoiStatement>" if statement else ""


def _pubmed_data(citation: Citation) -> str:
    year, pmid = citation["year"], citation["pmid"]
    made = (
        f'<ArticleIdList><ArticleId IdType="pubmed">{pmid}</ArticleId>'
        f'<ArticleId IdType="doi">{_doi(citation)}</ArticleId></ArticleIdList>'
    )
    clock = "<Hour>6</Hour><Minute>0</Minute>"
    history = "\n".join(
        f'<PubMedPubDate PubStatus="{what}"><Year>{year}</Year><Month>{month}</Month>'
        f"<Day>{day}</Day>{clock}</PubMedPubDate>"
        for what, month, day in (("entrez", 3, 14), ("pubmed", 3, 15), ("medline", 11, 5))
    )
    return (
        f"<PubmedData>\n<History>\n{history}\n</History>\n"
        "<PublicationStatus>ppublish</PublicationStatus>\n"
        f"{_slot(citation, 'ids', made)}\n"
        f"{_slot(citation, 'references', _references(citation.get('cites', [])))}"
        "</PubmedData>\n"
    )


def _references(pmids: Sequence[int]) -> str:
    """A reference list; each reference has an ArticleIdList of its own, with a DOI not ours."""
    listed = "\n".join(
        f"<Reference><Citation>Invented reference {place}.</Citation><ArticleIdList>"
        f'<ArticleId IdType="pubmed">{pmid}</ArticleId>'
        f'<ArticleId IdType="doi">{DOI_PREFIX}/cited.{pmid}</ArticleId>'
        "</ArticleIdList></Reference>"
        for place, pmid in enumerate(pmids, 1)
    )
    return f"<ReferenceList>\n{listed}\n</ReferenceList>\n" if listed else ""


def _ymd(element: str, year: int, month: int, day: int) -> str:
    return f"<{element}><Year>{year}</Year><Month>{month:02}</Month><Day>{day:02}</Day></{element}>"
