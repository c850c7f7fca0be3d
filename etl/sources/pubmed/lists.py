"""The list elements of a record: headings, substances, grants, data banks, links, references."""

from lxml import etree

from etl.sources.pubmed.columns import SLOT, Columns
from etl.sources.pubmed.text import fold, text_of

_HEADING = frozenset({"MeshHeading", "MeshHeadingList"})
_REFERENCE_COUNT = SLOT["reference_count"]


def mesh_headings(element: etree._Element, columns: Columns) -> None:
    """MeshHeadingList: each descriptor with the qualifiers that follow it."""
    headings, qualifiers = columns.mesh_terms.items, columns.qualifiers.items
    ends = columns.qualifiers.ends
    begun = False
    for child in element.iter():  # flat: half the price of a loop in a loop
        tag = child.tag
        if tag == "DescriptorName":
            headings.append((child.get("UI"), child.text, child.get("MajorTopicYN") == "Y"))
            ends.append(len(qualifiers))
            begun = True
        elif tag == "QualifierName" and begun:
            qualifiers.append((child.get("UI"), child.text, child.get("MajorTopicYN") == "Y"))
            ends[-1] += 1
        elif tag not in _HEADING:
            columns.unknown[f"MeshHeading/{tag}"] += 1


def supplementary(element: etree._Element, columns: Columns) -> None:
    """SupplMeshList."""
    columns.supplementary_concepts.items.extend(
        (child.get("UI"), child.text, child.get("Type")) for child in element
    )


def chemicals(element: etree._Element, columns: Columns) -> None:
    """ChemicalList."""
    items = columns.chemicals.items
    for chemical in element:
        number = ui = name = None
        for child in chemical:
            if child.tag == "RegistryNumber":
                number = child.text
            elif child.tag == "NameOfSubstance":
                ui, name = child.get("UI"), child.text
        items.append((number, ui, name))


def publication_types(element: etree._Element, columns: Columns) -> None:
    """PublicationTypeList."""
    for child in element:
        publication_type(child, columns)


def publication_type(element: etree._Element, columns: Columns) -> None:
    """One PublicationType; records before 2012 have no UI."""
    if element.text:
        columns.publication_types.items.append(element.text)
        columns.publication_type_uis.items.append(element.get("UI"))


def gene_symbols(element: etree._Element, columns: Columns) -> None:
    """GeneSymbolList."""
    columns.gene_symbols.items.extend(child.text for child in element if child.text)


def keywords(element: etree._Element, columns: Columns) -> None:
    """KeywordList of any owner; keywords carry markup and MathML."""
    texts = (fold(text_of(child)) for child in element)
    columns.keywords.items.extend(text for text in texts if text)


def data_banks(element: etree._Element, columns: Columns) -> None:
    """DataBankList: each bank with its accession (trial) numbers."""
    numbers = columns.accessions.items
    for bank in element:
        name = None
        for child in bank:
            if child.tag == "DataBankName":
                name = child.text
            elif child.tag == "AccessionNumberList":
                numbers.extend(number.text for number in child if number.text)
        columns.data_banks.items.append((name,))
        columns.accessions.ends.append(len(numbers))


def grants(element: etree._Element, columns: Columns) -> None:
    """GrantList."""
    for grant in element:
        get = {child.tag: child.text for child in grant}.get
        columns.grants.items.append((get("GrantID"), get("Acronym"), get("Agency"), get("Country")))


def corrections(element: etree._Element, columns: Columns) -> None:
    """CommentsCorrectionsList. ``Cites`` is the reference list of records before 2019."""
    links = [_link(link, link.get("RefType"), columns) for link in element]
    cites = [pmid for kind, pmid in links if kind == "Cites"]
    if cites:
        _cite([pmid for pmid in cites if pmid is not None], len(cites), columns)


def old_corrections(element: etree._Element, columns: Columns) -> None:
    """CommentsCorrections of the DTDs before 2008: a child named as the kind of each link."""
    for link in element:
        _link(link, link.tag, columns)


def _link(
    link: etree._Element, kind: str | None, columns: Columns
) -> tuple[str | None, int | None]:
    parts = {child.tag: child.text for child in link}
    pmid = number(parts.get("PMID"))
    columns.comments_corrections.items.append(
        (kind, pmid, parts.get("RefSource"), parts.get("Note"))
    )
    return kind, pmid


def references(element: etree._Element, columns: Columns) -> None:
    """ReferenceList, with the lists inside it; only PMIDs are kept."""
    count = sum(1 for _ in element.iter("Reference"))
    pmids = (
        number(child.text)
        for child in element.iter("ArticleId")
        if child.get("IdType", "pubmed") == "pubmed"
    )
    _cite([pmid for pmid in pmids if pmid is not None], count, columns)


def _cite(cited: list[int], count: int, columns: Columns) -> None:
    """Adds what the record has not cited yet; a later list counts on from an earlier one."""
    family = columns.cited_pmids
    held = family.items
    seen = set(held[family.ends[-1] :])
    for pmid in cited:
        if pmid not in seen:
            seen.add(pmid)
            held.append(pmid)
    row = columns.row
    row[_REFERENCE_COUNT] = int(row[_REFERENCE_COUNT] or 0) + count


def number(text: str | None) -> int | None:
    """A PMID in digits; None for anything else."""
    word = text.strip() if text else ""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 19 else None
