"""Trial numbers in every spelling; relations as PubMed states them; preprint and article."""

import pytest

from tests.grade.build import citation, correction, warehouse


def trials_of(**given: object) -> list[tuple[str, str]]:
    con = warehouse([citation(1, **given)])
    found = con.sql("SELECT nct_id, source FROM citation_trials ORDER BY ALL").fetchall()
    return [(nct, source) for nct, source in found]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("ClinicalTrials.gov NCT01234567.", ["NCT01234567"]),
        ("NCT 01234567", ["NCT01234567"]),
        ("NCT-01234567", ["NCT01234567"]),
        ("nct01234567", ["NCT01234567"]),
        ("NCT0123 4567", ["NCT01234567"]),
        ("NCT0123-4567", ["NCT01234567"]),
        ("NCT: 01234567", ["NCT01234567"]),
        ("NCT No. 01234567", ["NCT01234567"]),
        ("NCT number 01234567", ["NCT01234567"]),
        ("NCT#01234567", ["NCT01234567"]),
        ("NCT–01234567", ["NCT01234567"]),
        ("NCT\u00a001234567", ["NCT01234567"]),
        ("NCT\u201101234567", ["NCT01234567"]),
        ("(NCT01234567)", ["NCT01234567"]),
        ("ClinicalTrials.govNCT01234567", ["NCT01234567"]),
        ("NCT01234567,NCT07654321;NCT00000123", ["NCT00000123", "NCT01234567", "NCT07654321"]),
        ("NCT01234567 and again NCT 01234567", ["NCT01234567"]),
        ("NCT01234567-01", ["NCT01234567"]),
        ("NCT0123456", []),
        ("NCT012345678", []),
        ("NCT0123 45678", []),
        ("NCT0123456 7 centres", []),
        ("NCT00000000", []),
        ("NCT is a registry prefix", []),
        ("01234567", []),
        ("function 01234567", []),
        ("", []),
    ],
)
def test_numbers_in_words(words: str, found: list[str]) -> None:
    assert trials_of(abstract=words) == [(nct, "abstract") for nct in found]


def test_every_place_is_told_apart() -> None:
    bank = {"name": "GENBANKClinicalTrials.gov", "accession_numbers": ["NCT00000002", "AF123456"]}
    empty = {"name": "ISRCTN", "accession_numbers": None}
    found = trials_of(title="x (NCT00000001)", abstract="NCT00000001", data_banks=[bank, empty])
    assert found == [
        ("NCT00000001", "abstract"),
        ("NCT00000001", "title"),
        ("NCT00000002", "databank"),
    ]


def test_result_over_derived_never_background() -> None:
    pairs = [
        (1, "NCT00000001", "DERIVED"),
        (1, "NCT00000001", "RESULT"),
        (1, "NCT00000002", "DERIVED"),
        (1, "NCT00000003", "BACKGROUND"),
        (2, "NCT00000001", "RESULT"),
        (None, "NCT00000001", "RESULT"),
    ]
    keys = ("pmid", "nct_id", "reference_type")
    con = warehouse([citation(1)], references=[dict(zip(keys, p, strict=True)) for p in pairs])
    found = con.sql("FROM citation_trials ORDER BY ALL").fetchall()
    assert found == [
        (1, "NCT00000001", "registry_result"),
        (1, "NCT00000002", "registry_derived"),
    ]


@pytest.mark.parametrize(
    ("ref_type", "link_type"),
    [
        ("RetractionIn", "retraction_in"),
        ("RetractionOf", "retraction_of"),
        ("ErratumFor", "erratum_for"),
        ("ExpressionOfConcernIn", "expression_of_concern_in"),
        ("CorrectedandRepublishedFrom", "corrected_and_republished_from"),
        ("RetractedandRepublishedIn", "retracted_and_republished_in"),
        ("SummaryForPatientsIn", "summary_for_patients_in"),
        ("AssociatedDataset", "associated_dataset"),
        ("CommentOn", "comment_on"),
        ("UpdateOf", "update_of"),
    ],
)
def test_relation_names(ref_type: str, link_type: str) -> None:
    con = warehouse([citation(1, comments_corrections=[correction(ref_type, 7)])])
    assert con.sql("SELECT link_type, related_pmid, certainty FROM citation_links").fetchall() == [
        (link_type, 7, "stated")
    ]


def test_references_are_no_relations() -> None:
    cites = [correction("Cites", 7), {**correction("Cites", 8), "ref_type": None}]
    con = warehouse([citation(1, comments_corrections=cites)])
    assert con.sql("FROM citation_links").fetchall() == []


PAIRS = """
    SELECT pmid, link_type, related_pmid, certainty FROM citation_links
    WHERE link_type IN ('preprint_of', 'has_preprint') ORDER BY ALL
"""


@pytest.mark.parametrize("half", ["preprint", "article", "both"])
def test_preprint_and_article_from_either_half(half: str) -> None:
    on_preprint = [correction("UpdateIn", 2)] if half in ("preprint", "both") else []
    on_article = [correction("UpdateOf", 1)] if half in ("article", "both") else []
    con = warehouse(
        [
            citation(1, ["Preprint"], comments_corrections=on_preprint),
            citation(2, comments_corrections=on_article),
        ]
    )
    assert con.sql(PAIRS).fetchall() == [
        (1, "preprint_of", 2, "stated"),
        (2, "has_preprint", 1, "stated"),
    ]


def test_update_of_a_review_is_no_preprint() -> None:
    con = warehouse(
        [
            citation(1, ["Review"], comments_corrections=[correction("UpdateIn", 2)]),
            citation(2, ["Review"], comments_corrections=[correction("UpdateOf", 1)]),
            citation(3, ["Preprint"], comments_corrections=[correction("UpdateIn", 4)]),
            citation(4, ["Preprint"], comments_corrections=[correction("UpdateOf", 3)]),
        ]
    )
    assert con.sql(PAIRS).fetchall() == []


TITLE = "Effect of early mobilisation on delirium after cardiac surgery: a randomised trial"


@pytest.mark.parametrize(
    ("title", "author", "year", "types", "paired"),
    [
        (TITLE, "Okafor J", 2023, ["Journal Article"], True),
        (TITLE.upper() + ".", "Okafor JB", 2024, ["Journal Article"], True),
        (TITLE.replace("mobilisation", "mobilization"), "Okafor J", 2025, ["Review"], True),
        (TITLE, "Okafor J", 2026, ["Journal Article"], False),
        (TITLE, "Okafor K", 2023, ["Journal Article"], False),
        (TITLE, "Lindqvist J", 2023, ["Journal Article"], False),
        ("Early mobilisation after hip surgery", "Okafor J", 2023, ["Journal Article"], False),
        (TITLE, "Okafor J", 2023, ["Published Erratum"], False),
        (TITLE, "Okafor J", 2023, ["Preprint"], False),
    ],
)
def test_probable_pair(title: str, author: str, year: int, types: list[str], paired: bool) -> None:
    con = warehouse(
        [
            citation(1, ["Preprint"], title=TITLE, authors=["Okafor J", "Li X"], year=2022),
            citation(2, types, title=title, authors=[author], year=year),
        ]
    )
    expected = [(1, "preprint_of", 2, "probable"), (2, "has_preprint", 1, "probable")]
    assert con.sql(PAIRS).fetchall() == (expected if paired else [])


def test_a_day_gives_only_the_changed_rows() -> None:
    citations = [
        citation(1, ["Preprint"], title=TITLE, authors=["Okafor J"], year=2022),
        citation(2, title=TITLE, authors=["Okafor J"], year=2023, abstract="NCT01234567"),
        citation(3, abstract="NCT01234567"),
    ]
    con = warehouse(citations, changed=[2])
    assert con.sql(PAIRS).fetchall() == [(2, "has_preprint", 1, "probable")]
    assert con.sql("SELECT pmid FROM citation_trials").fetchall() == [(2,)]
