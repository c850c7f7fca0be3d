"""Every hard shape of a record, in invented records: what comes out of which column."""

import datetime as dt
from typing import Any

import pytest

from etl.sources.pubmed.parse import parse_bytes
from etl.store.schema import TABLES, conform
from tests.pubmed.xml import article, article_set, ids, medline

MML = '<mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML">'


def row(record: str, root: str = "PubmedArticleSet") -> dict[str, Any]:
    table = conform(TABLES["citations"], parse_bytes(article_set(record, root=root)))
    table.validate(full=True)
    assert table.num_rows == 1
    return dict(table.to_pylist()[0])


def abstract_row(inside: str) -> dict[str, Any]:
    return row(article(inside=f"<Abstract>{inside}</Abstract>"))


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("The <i>BRCA1</i> gene.", "The BRCA1 gene."),
        ("<i>BRCA1</i>", "BRCA1"),
        ("CO<sub>2</sub> and <b>H<sup>+</sup></b> ions", "CO2 and H+ ions"),
        ("[A translated title.]", "[A translated title.]"),
        ("  A\n\t title \u00a0 folded\u2009. ", "A title folded ."),
        ("5 &lt; 6 &amp; &#945;", "5 < 6 & α"),
        ("<![CDATA[1 < 2]]> yes", "1 < 2 yes"),
        ("a<!-- not me -->b<?nor me?>c", "abc"),
        (f"The {MML}<mml:mi>β</mml:mi>\n  <mml:mn>2</mml:mn></mml:math> value", "The β 2 value"),
        ("", None),
        (" \n ", None),
    ],
)
def test_title(printed: str, expected: str | None) -> None:
    assert row(article(title=printed))["title"] == expected


def test_abstract_is_not_cut_at_markup_or_mathml() -> None:
    found = abstract_row(
        f"<AbstractText>Uptake of Cu<sub>2</sub>O ({MML}\n <mml:msub>\n <mml:mtext>Cu</mml:mtext>"
        "\n <mml:mn>2</mml:mn></mml:msub></mml:math>) rose, <i>P</i> &lt; 0.05.</AbstractText>"
    )
    assert found["abstract"] == "Uptake of Cu2O ( Cu 2) rose, P < 0.05."
    assert found["abstract_sections"] == [
        {"label": None, "category": None, "text": "Uptake of Cu2O ( Cu 2) rose, P < 0.05."}
    ]


def test_abstract_sections_are_joined_with_their_labels() -> None:
    found = abstract_row(
        '<AbstractText Label="AIM" NlmCategory="OBJECTIVE">To  see.</AbstractText>'
        '<AbstractText Label="NOTHING" NlmCategory="METHODS"> </AbstractText><AbstractText/>'
        "<AbstractText>More.</AbstractText><CopyrightInformation>(c) Us</CopyrightInformation>"
    )
    assert found["abstract"] == "AIM: To see. More."
    assert found["abstract_sections"] == [
        {"label": "AIM", "category": "OBJECTIVE", "text": "To see."},
        {"label": None, "category": None, "text": "More."},
    ]


def test_empty_abstract_is_null() -> None:
    found = abstract_row("<AbstractText/>")
    assert found["abstract"] is None
    assert found["abstract_sections"] == []


def test_other_abstracts_and_vernacular_title() -> None:
    other = (
        '<OtherAbstract Type="plain-language-summary"><AbstractText Label="WHY">Tea.</AbstractText>'
        "<AbstractText>Good.</AbstractText></OtherAbstract>"
        '<OtherAbstract Type="Publisher" Language="fre"><AbstractText>Le thé.</AbstractText>'
        "</OtherAbstract>"
    )
    title = "<VernacularTitle>Un essai du <i>thé</i>.</VernacularTitle>"
    found = row(article(inside=title, after=other))
    assert found["vernacular_title"] == "Un essai du thé."
    assert found["abstract"] is None
    assert found["other_abstracts"] == [
        {"type": "plain-language-summary", "language": "eng", "text": "WHY: Tea. Good."},
        {"type": "Publisher", "language": "fre", "text": "Le thé."},
    ]


REFERENCES = (
    "<ReferenceList><Title>Ours</Title>"
    "<Reference><Citation>One</Citation>"
    + ids({"pubmed": "77", "doi": "10.9/other", "pmc": "PMC9"})
    + "</Reference>"
    + "<Reference><Citation>Two <i>b</i></Citation></Reference>"
    + "<ReferenceList><Reference><Citation>Three</Citation>"
    + ids({"pubmed": "78"})
    + "</Reference><Reference><Citation>Again</Citation>"
    + ids({"pubmed": "77"})
    + "</Reference></ReferenceList></ReferenceList>"
)


def test_ids_are_the_records_own_and_never_a_references() -> None:
    own = ids({"pubmed": "1", "doi": " 10.1/ABC ", "pii": "S1", "pmc": "PMC12"})
    for data in (own + REFERENCES, REFERENCES + own):
        found = row(article(data=data))
        assert (found["doi"], found["pii"], found["pmcid"]) == ("10.1/abc", "S1", "PMC12")
        assert found["cited_pmids"] == [77, 78]
        assert found["reference_count"] == 4
    bare = row(article(data=REFERENCES))
    assert (bare["pmid"], bare["doi"], bare["pmcid"]) == (1, None, None)


def test_cites_of_older_records_are_references() -> None:
    links = "".join(
        f'<CommentsCorrections RefType="{kind}"><RefSource>S {pmid}</RefSource>{pmid}'
        "</CommentsCorrections>"
        for kind, pmid in (
            ("Cites", '<PMID Version="1">5</PMID>'),
            ("Cites", "<PMID>5</PMID>"),
            ("Cites", ""),
            ("RetractionIn", "<PMID>6</PMID><Note>because</Note>"),
        )
    )
    found = row(article(after=f"<CommentsCorrectionsList>{links}</CommentsCorrectionsList>"))
    assert found["cited_pmids"] == [5]
    assert found["reference_count"] == 3
    assert [(c["ref_type"], c["pmid"], c["note"]) for c in found["comments_corrections"]] == [
        ("Cites", 5, None),
        ("Cites", 5, None),
        ("Cites", None, None),
        ("RetractionIn", 6, "because"),
    ]


def test_corrections_of_the_old_dtd() -> None:
    after = (
        "<CommentsCorrections><CommentIn><RefSource>J 1</RefSource><PMID>8</PMID></CommentIn>"
        "<RetractionOf><RefSource>J 2</RefSource></RetractionOf></CommentsCorrections>"
    )
    assert [
        (c["ref_type"], c["pmid"], c["source"])
        for c in row(article(after=after))["comments_corrections"]
    ] == [("CommentIn", 8, "J 1"), ("RetractionOf", None, "J 2")]


@pytest.mark.parametrize(
    ("locations", "expected"),
    [
        ('<ELocationID EIdType="doi" ValidYN="Y">10.5/X</ELocationID>', "10.5/x"),
        (
            '<ELocationID EIdType="doi" ValidYN="Y">10.5/right</ELocationID>'
            '<ELocationID EIdType="pii" ValidYN="Y">S99</ELocationID>',
            "10.5/right",
        ),
        (
            '<ELocationID EIdType="doi" ValidYN="N">10.5/wrong</ELocationID>'
            '<ELocationID EIdType="doi">10.5/right</ELocationID>',
            "10.5/right",
        ),
        ('<ELocationID EIdType="doi" ValidYN="N">10.5/wrong</ELocationID>', None),
        ('<ELocationID EIdType="doi">https://doi.org/10.5/P</ELocationID>', "10.5/p"),
        ('<ELocationID EIdType="pii">S99</ELocationID>', None),
    ],
)
def test_doi_from_elocation(locations: str, expected: str | None) -> None:
    assert row(article(inside=locations))["doi"] == expected
    own = row(article(inside=locations, data=ids({"doi": "10.1/own"})))
    assert own["doi"] == "10.1/own"


def test_pmcid_of_records_without_pubmed_data() -> None:
    after = '<OtherID Source="NLM">PMC468 [Available on 12/22/16]</OtherID>'
    found = row(article(after=after, data=None))
    assert found["pmcid"] == "PMC468"
    assert found["publication_status"] is None
    assert found["entrez_date"] is None


AUTHORS = """<AuthorList CompleteYN="N">
<Author ValidYN="Y" EqualContrib="Y"><LastName>García</LastName><ForeName>Ana M</ForeName>
<Initials>AM</Initials><Suffix>2<sup>nd</sup></Suffix>
<Identifier Source="ORCID">http://orcid.org/000000012345678x</Identifier>
<AffiliationInfo><Affiliation>Tea Lab,  York.</Affiliation></AffiliationInfo>
<AffiliationInfo><Affiliation>Pot Lab, <i>Ham</i>.</Affiliation></AffiliationInfo></Author>
<Author ValidYN="N"><LastName>Garcia</LastName><Initials>AM</Initials></Author>
<Author ValidYN="Y"><CollectiveName>The <b>TEA</b> Group</CollectiveName>
<AffiliationInfo><Affiliation>Tea Lab, York.</Affiliation></AffiliationInfo></Author>
<Author ValidYN="Y"><LastName>Plato</LastName></Author>
<Author ValidYN="Y"><LastName>Kant</LastName><Initials>I</Initials>
<AffiliationInfo><Affiliation>Tea Lab, York.</Affiliation></AffiliationInfo></Author>
</AuthorList>"""


def test_authors() -> None:
    found = row(article(inside=AUTHORS))
    assert found["authors"] == ["García AM", "The TEA Group", "Plato", "Kant I"]
    assert found["authors_complete"] is False
    assert found["affiliations"] == ["Tea Lab, York.", "Pot Lab, Ham."]
    first, second, third, fourth, fifth = found["author_details"]
    assert first == {
        "last_name": "García",
        "fore_name": "Ana M",
        "initials": "AM",
        "suffix": "2nd",
        "collective_name": None,
        "orcid": "0000-0001-2345-678X",
        "valid": True,
        "equal_contribution": True,
        "affiliations": ["Tea Lab, York.", "Pot Lab, Ham."],
    }
    assert (second["last_name"], second["valid"], second["affiliations"]) == ("Garcia", False, [])
    assert (third["collective_name"], third["last_name"]) == ("The TEA Group", None)
    assert fourth["last_name"] == "Plato"
    assert fifth["affiliations"] == ["Tea Lab, York."]


def test_no_author_list() -> None:
    found = row(article())
    assert found["authors"] == found["author_details"] == []
    assert found["authors_complete"] is None


def test_affiliations_of_older_records() -> None:
    inside = (
        "<Affiliation>Dept of Pots.</Affiliation><AuthorList><Author><LastName>Lee</LastName>"
        "<FirstName>Bo</FirstName><Affiliation>Lee Lab</Affiliation></Author></AuthorList>"
    )
    found = row(article(inside=inside))
    assert found["affiliations"] == ["Dept of Pots.", "Lee Lab"]
    assert found["authors"] == ["Lee Bo"]


LISTS = """<ChemicalList><Chemical><RegistryNumber>0</RegistryNumber>
<NameOfSubstance UI="D1">Tannins</NameOfSubstance></Chemical></ChemicalList>
<SupplMeshList><SupplMeshName Type="Disease" UI="C1">Tea gout</SupplMeshName></SupplMeshList>
<CitationSubset>IM</CitationSubset><CitationSubset>S</CitationSubset>
<GeneSymbolList><GeneSymbol>TEA1</GeneSymbol></GeneSymbolList>
<MeshHeadingList><MeshHeading><DescriptorName UI="D013662" MajorTopicYN="N">Tea</DescriptorName>
<QualifierName UI="Q000009" MajorTopicYN="Y">adverse  effects</QualifierName>
<QualifierName UI="Q000378" MajorTopicYN="N">metabolism</QualifierName></MeshHeading>
<MeshHeading><DescriptorName UI="D006801" MajorTopicYN="Y">Humans</DescriptorName></MeshHeading>
</MeshHeadingList>
<KeywordList Owner="NOTNLM"><Keyword MajorTopicYN="N">green <i>tea</i></Keyword><Keyword/>
</KeywordList><KeywordList Owner="NASA"><Keyword>space</Keyword></KeywordList>
<CoiStatement>None.</CoiStatement>
<InvestigatorList><Investigator ValidYN="Y"><LastName>Ito</LastName><Initials>K</Initials>
</Investigator></InvestigatorList>"""

ARTICLE_LISTS = """<Language>eng</Language><Language>jpn</Language>
<DataBankList CompleteYN="Y"><DataBank><DataBankName>ClinicalTrials.gov</DataBankName>
<AccessionNumberList><AccessionNumber>NCT00000001</AccessionNumber>
<AccessionNumber>NCT00000002</AccessionNumber></AccessionNumberList></DataBank>
<DataBank><DataBankName>GEO</DataBankName></DataBank></DataBankList>
<GrantList CompleteYN="Y"><Grant><GrantID>T1</GrantID><Agency>Tea Trust</Agency></Grant></GrantList>
<PublicationTypeList><PublicationType UI="D016449">Randomized Controlled Trial</PublicationType>
<PublicationType>Journal Article</PublicationType></PublicationTypeList>"""


def test_lists() -> None:
    found = row(article(inside=ARTICLE_LISTS, after=LISTS))
    assert found["languages"] == ["eng", "jpn"]
    assert found["data_banks"] == [
        {"name": "ClinicalTrials.gov", "accession_numbers": ["NCT00000001", "NCT00000002"]},
        {"name": "GEO", "accession_numbers": []},
    ]
    assert found["grants"] == [
        {"id": "T1", "acronym": None, "agency": "Tea Trust", "country": None}
    ]
    assert found["publication_types"] == ["Randomized Controlled Trial", "Journal Article"]
    assert found["publication_type_uis"] == ["D016449", None]
    assert found["mesh_headings"] == ["Tea", "Humans"]
    assert found["mesh_uis"] == ["D013662", "D006801"]
    assert found["mesh_terms"][0]["qualifiers"] == [
        {"ui": "Q000009", "name": "adverse effects", "major": True},
        {"ui": "Q000378", "name": "metabolism", "major": False},
    ]
    assert [t["major"] for t in found["mesh_terms"]] == [False, True]
    assert found["supplementary_concepts"] == [{"ui": "C1", "name": "Tea gout", "type": "Disease"}]
    assert found["chemicals"] == [{"registry_number": "0", "ui": "D1", "name": "Tannins"}]
    assert found["gene_symbols"] == ["TEA1"]
    assert found["keywords"] == ["green tea", "space"]
    assert found["citation_subsets"] == ["IM", "S"]
    assert found["coi_statement"] == "None."
    assert found["investigators"] == ["Ito K"]


def test_journal_and_dates() -> None:
    history = "".join(
        f'<PubMedPubDate PubStatus="{state}"><Year>2020</Year><Month>{month}</Month><Day>9</Day>'
        "<Hour>6</Hour></PubMedPubDate>"
        for state, month in (("received", 1), ("entrez", 2), ("pubmed", 3), ("medline", 4))
    )
    inside = (
        "<Pagination><StartPage>10</StartPage><EndPage>19</EndPage></Pagination>"
        '<ArticleDate DateType="Electronic"><Year>2019</Year><Month>12</Month><Day>31</Day>'
        "</ArticleDate>"
    )
    found = row(article(inside=inside, data=f"<History>{history}</History>"))
    assert found["journal"] == "Annals of Tea"
    assert found["journal_abbreviation"] == "Ann Tea"
    assert (found["journal_nlm_id"], found["country"]) == ("9900001", "England")
    assert (found["issn_print"], found["issn_electronic"]) == ("1234-5678", None)
    assert (found["volume"], found["issue"], found["pages"]) == ("7", "2", "10-19")
    assert found["electronic_date"] == "2019-12-31"
    assert found["entrez_date"] == dt.date(2020, 2, 9)
    assert found["pubmed_date"] == dt.date(2020, 3, 9)
    assert found["medline_date"] == dt.date(2020, 4, 9)
    assert (found["status"], found["publication_model"]) == ("MEDLINE", "Print")


def test_bare_citations_of_a_medline_citation_set() -> None:
    found = row(medline(5, version=3), root="MedlineCitationSet")
    assert (found["pmid"], found["version"], found["record_type"]) == (5, 3, "article")


def test_one_citation_without_a_set() -> None:
    table = parse_bytes(medline(5).encode())
    assert table.column("pmid").to_pylist() == [5]


def test_one_long_citation_without_a_set() -> None:
    inside = f"<Abstract><AbstractText>{'tea ' * 100_000}</AbstractText></Abstract>"
    table = parse_bytes(medline(5, inside=inside, after=LISTS).encode())
    assert table.column("pmid").to_pylist() == [5]
    assert len(table.column("abstract")[0].as_py()) == 399_999
    assert table.column("mesh_headings").to_pylist() == [["Tea", "Humans"]]


BOOK = """<PubmedBookArticle><BookDocument><PMID Version="1">900</PMID>
<ArticleIdList><ArticleId IdType="bookaccession">NBK1</ArticleId>
<ArticleId IdType="doi">10.7/BK</ArticleId></ArticleIdList>
<Book><Publisher><PublisherName>Pot Press</PublisherName></Publisher>
<BookTitle book="tea">The <i>Tea</i> Book</BookTitle>
<PubDate><Year>2012</Year><Month>05</Month></PubDate>
<AuthorList Type="editors"><Author><LastName>Editor</LastName><Initials>E</Initials></Author>
</AuthorList><Isbn>123</Isbn></Book>{inside}<Language>eng</Language>
<PublicationType UI="D016454">Review</PublicationType>
<Abstract><AbstractText>All of tea.</AbstractText></Abstract>
<Sections><Section><SectionTitle>Leaves</SectionTitle></Section></Sections></BookDocument>
<PubmedBookData><History><PubMedPubDate PubStatus="entrez"><Year>2013</Year><Month>1</Month>
<Day>2</Day></PubMedPubDate></History><PublicationStatus>ppublish</PublicationStatus>
<ArticleIdList><ArticleId IdType="pubmed">900</ArticleId></ArticleIdList></PubmedBookData>
</PubmedBookArticle>"""
CHAPTER = (
    "<ArticleTitle>Green <sub>tea</sub></ArticleTitle>"
    '<AuthorList Type="authors"><Author><LastName>Writer</LastName><Initials>W</Initials></Author>'
    "</AuthorList>"
)


@pytest.mark.parametrize(
    ("inside", "title", "authors"),
    [(CHAPTER, "Green tea", ["Writer W"]), ("", "The Tea Book", ["Editor E"])],
)
def test_books(inside: str, title: str, authors: list[str]) -> None:
    for root in ("PubmedArticleSet", "PubmedBookArticleSet"):
        found = row(BOOK.format(inside=inside), root=root)
        assert (found["pmid"], found["record_type"]) == (900, "book")
        assert (found["title"], found["book_title"]) == (title, "The Tea Book")
        assert found["authors"] == authors
        assert found["abstract"] == "All of tea."
        assert (found["year"], found["publication_date"]) == (2012, "2012-05")
        assert found["publication_types"] == ["Review"]
        assert (found["doi"], found["entrez_date"]) == ("10.7/bk", dt.date(2013, 1, 2))
        assert (found["journal"], found["status"]) == (None, None)
