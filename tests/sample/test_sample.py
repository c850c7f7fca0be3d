"""The bundled sample is what its generator makes, and has the shapes that it claims."""

import csv
import gzip
import hashlib
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

SAMPLE = Path(__file__).parents[2] / "sample"
PUBMED = sorted(SAMPLE.glob("pubmed26n*.xml.gz"))
AACT = SAMPLE / "20260101_export_ctgov.zip"
CLASSES = {"X": 2, "A": 5, "B": 4, "C": 6, "D": 4, "U": 2}
RULES = {f"{letter}{n}" for letter, last in CLASSES.items() for n in range(1, last + 1)}
EXCLUDED_TYPES = {
    "Editorial",
    "Letter",
    "Comment",
    "News",
    "Newspaper Article",
    "Biography",
    "Autobiography",
    "Portrait",
    "Interview",
    "Personal Narrative",
    "Address",
    "Lecture",
    "Congress",
    "Published Erratum",
    "Retraction of Publication",
    "Expression of Concern",
}
MOVING_SIGNALS = {"S-1", "S-2", "S-4", "S+1", "S+2"}  # S-3 and S-5 are off by default
BASES = {"A": "A", "B": "B", "C": "C", "D": "D", "X": "excluded", "U": "ungraded"}


@pytest.fixture(scope="module")
def remade(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two runs of the generator, each in its own process and folder."""
    folders = [tmp_path_factory.mktemp("sample") for _ in range(2)]
    for folder in folders:
        command = [sys.executable, str(SAMPLE / "make_sample.py"), "--out", str(folder)]
        subprocess.run(command, check=True, capture_output=True)
    return folders


@pytest.fixture(scope="module")
def expected() -> list[dict[str, str]]:
    with (SAMPLE / "expected.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def records() -> list[tuple[int, Any]]:
    """(number of the file, article element) in the order of delivery."""
    return [
        (number, article)
        for number, path in enumerate(PUBMED, 1)
        for article in etree.fromstring(gzip.decompress(path.read_bytes()))
        if article.tag != "DeleteCitation"
    ]


def _pmid(article: Any) -> int:
    return int(article.findtext("*/PMID"))


def test_two_runs_write_the_same_bytes(remade: list[Path]) -> None:
    first, second = ({p.name: p.read_bytes() for p in folder.iterdir()} for folder in remade)
    assert first == second


def _plain(path: Path) -> Any:
    """What a file holds; compressed bytes may differ between builds of zlib, contents may not."""
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return [(m.filename, m.date_time, archive.read(m)) for m in archive.infolist()]
    return path.read_bytes()


def test_remaking_gives_the_committed_sample(remade: list[Path]) -> None:
    for made in remade[0].iterdir():
        if made.suffix != ".md5":
            assert _plain(made) == _plain(SAMPLE / made.name), made.name
    assert sum(made.stat().st_size for made in remade[0].iterdir()) < 1_000_000


def test_checksums_beside_the_files_are_right_and_in_the_spelling_of_nlm() -> None:
    for path in PUBMED:
        digest = hashlib.md5(path.read_bytes()).hexdigest()
        assert Path(f"{path}.md5").read_text() == f"MD5({path.name})= {digest}\n"


def test_there_are_enough_citations(records: list[tuple[int, Any]]) -> None:
    assert len(PUBMED) == 3
    assert len({_pmid(article) for _, article in records}) >= 240


def test_numbers_are_out_of_the_range_of_real_ones(records: list[tuple[int, Any]]) -> None:
    assert all(_pmid(article) > 90_000_000 for _, article in records)
    text = b"".join(gzip.decompress(path.read_bytes()) for path in PUBMED).decode()
    assert all(number.startswith("9") for number in re.findall(r"(?i)NCT\W?(\d{8})", text))


def _replay(records: list[tuple[int, Any]]) -> set[int]:
    """PMIDs that survive the files in order: each file's records, then its deletes."""
    alive: set[int] = set()
    for number, path in enumerate(PUBMED, 1):
        alive |= {_pmid(article) for at, article in records if at == number}
        root = etree.fromstring(gzip.decompress(path.read_bytes()))
        alive -= {int(pmid.text) for pmid in root.iterfind("DeleteCitation/PMID")}
    return alive


def test_every_survivor_has_one_expectation(
    records: list[tuple[int, Any]], expected: list[dict[str, str]]
) -> None:
    pmids = [int(row["pmid"]) for row in expected]
    assert pmids == sorted(_replay(records))


def test_every_rule_and_every_moving_signal_is_expected_somewhere(
    expected: list[dict[str, str]],
) -> None:
    assert {row["rule"] for row in expected} == RULES
    assert {signal for row in expected for signal in row["signals"].split()} == MOVING_SIGNALS
    assert all(row["why"] for row in expected)


def test_expected_grades_follow_from_rule_and_signals(expected: list[dict[str, str]]) -> None:
    for row in expected:
        signals = row["signals"].split()
        up, down = (any(sign in s for s in signals) for sign in "+-")
        base = BASES[row["rule"][0]]
        moved = chr(ord(base) - up + down) if up != down else base
        assert row["grade"] == moved, row


def test_each_excluded_type_occurs(records: list[tuple[int, Any]]) -> None:
    types = {e.text for _, article in records for e in article.iter("PublicationType")}
    assert types >= EXCLUDED_TYPES


@pytest.mark.parametrize(
    "path",
    [
        "//MedlineDate",
        "//Season",
        "//ArticleTitle/i/sup",
        "//ArticleTitle//*[local-name()='math']",
        "//AbstractText//*[local-name()='math']",
        "//ArticleTitle[not(node())]",
        "//AbstractText[not(node())]",
        "//Abstract[not(*)]",
        "//AbstractText[@Label][@NlmCategory]",
        "//AbstractText[@Label][not(@NlmCategory)]",
        "//OtherAbstract[@Type='plain-language-summary']",
        "//OtherAbstract[@Language='fre']",
        "//VernacularTitle",
        "//CollectiveName",
        "//Author[@ValidYN='N']",
        "//Author[count(AffiliationInfo)>1]",
        "//Identifier[@Source='ORCID'][starts-with(.,'http')]",
        "//ELocationID[@ValidYN='N']",
        "//Reference/ArticleIdList/ArticleId[@IdType='doi']",
        "//ReferenceList/ReferenceList",
        "//PubmedArticle[not(PubmedData)]",
        "//PublicationType[not(@UI)]",
        "//DataBankList",
        "//GrantList",
        "//GeneSymbolList",
        "//InvestigatorList",
        "//ChemicalList",
        "//SupplMeshList",
        "//KeywordList",
        "//CoiStatement",
        "//PubmedBookArticle",
        "//PMID[@Version='2']",
        "//AuthorList[count(Author)>400]",
        "//PubmedArticle[not(.//AuthorList)]",
        "//ArticleTitle[contains(.,'DROP TABLE')][contains(.,'<script>')]",
        "//CommentsCorrections[@RefType='UpdateIn']",
        "//CommentsCorrections[@RefType='CorrectedandRepublishedIn']",
        "//CommentsCorrections[not(PMID)]",
    ],
)
def test_each_hard_shape_occurs(path: str, records: list[tuple[int, Any]]) -> None:
    roots = {id(a.getroottree().getroot()): a.getroottree() for _, a in records}
    assert any(tree.xpath(path) for tree in roots.values())


def _cases() -> Iterator[dict[str, Any]]:
    for name in ("rules.toml", "shapes.toml", "updates.toml"):
        yield from tomllib.loads((SAMPLE / "content" / name).read_text("utf-8"))["case"]


def _dtd(shared_data: Path, folder: Path) -> etree.DTD:
    """NLM's DTD with a stub for the MathML module, which is not beside it."""
    text = (shared_data / "pubmed" / "dtd" / "pubmed_250101.dtd").read_text("utf-8")
    stub = "".join(
        f'<!ELEMENT mml:{name} ANY><!ATTLIST mml:{name} xmlns:mml CDATA "">'
        for name in ("math", "mrow", "mi", "mo", "mn", "msup")
    )
    (folder / "pubmed.dtd").write_text(text.replace("%mathml-in-pubmed;", stub), "utf-8")
    return etree.DTD(str(folder / "pubmed.dtd"))


def test_modern_records_are_valid_against_the_dtd(
    shared_data: Path, tmp_path: Path, records: list[tuple[int, Any]]
) -> None:
    """Only the records that say so in their content (key ``dtd``) may break it, and they do."""
    dtd = _dtd(shared_data, tmp_path)
    invalid: dict[int, str] = {}
    for _, article in records:
        if not dtd.validate(article):
            invalid[_pmid(article)] = str(dtd.error_log)
    deliberate = {case["pmid"] for case in _cases() if "dtd" in case}
    assert invalid.keys() == deliberate, invalid


def _tables() -> dict[str, list[str]]:
    with zipfile.ZipFile(AACT) as archive:
        return {m: archive.read(m).decode().splitlines() for m in archive.namelist()}


def test_tables_and_columns_of_the_registry_file_are_those_of_the_real_one(
    shared_data: Path,
) -> None:
    with zipfile.ZipFile(shared_data / "aact" / "20261130_export_ctgov.zip") as archive:
        real = {m: archive.open(m).readline().decode().rstrip() for m in archive.namelist()}
    assert {member: lines[0] for member, lines in _tables().items()} == real


def test_trials_show_the_kinds_that_grading_must_tell_apart() -> None:
    names, *rows = (line.split("|") for line in _tables()["studies.txt"] if '"' not in line)
    studies = [dict(zip(names, row, strict=True)) for row in rows]
    assert len(_tables()["studies.txt"]) == 31
    assert {s["enrollment_type"] for s in studies} == {"ACTUAL", "ESTIMATED", ""}
    assert {"INTERVENTIONAL", "OBSERVATIONAL", "EXPANDED_ACCESS"} == {
        s["study_type"] for s in studies
    }
    assert {"PHASE1/PHASE2", "PHASE2/PHASE3", "EARLY_PHASE1", "NA", ""} <= {
        s["phase"] for s in studies
    }
    assert any(s["overall_status"] == "WITHDRAWN" and s["enrollment"] == "0" for s in studies)
    kinds = {line.split("|")[3] for line in _tables()["study_references.txt"][1:]}
    assert kinds == {"RESULT", "DERIVED", "BACKGROUND"}
