"""The eight rows of the strategy table."""

from pathlib import Path

import pytest

from etl.errors import QueryError, UsageError
from tests.run import evidence
from warehouse import evidence_search, recommend_search_strategy
from warehouse.query.parse import parse
from warehouse.strategy import TYPES, shares

SEED_KEYS = {
    "clinical_queries_filter", "pubmed_query_template", "europepmc_query_template",
    "expected_grade_distribution", "recommended_skill", "tips",
}  # fmt: skip
# the seed's table, word for word
TABLE = {
    "therapy": ("therapy/narrow", "randomized controlled trial[pt]", "A-B"),
    "diagnosis": ("diagnosis/narrow", "(sensitivity[ti] OR specificity[ti])", "A-C"),
    "etiology": ("etiology/narrow", "(cohort studies[mh] OR risk[ti])", "B-C"),
    "prognosis": ("prognosis/narrow", "(prognosis[mh] OR survival[ti])", "B-C"),
    "harm": ("etiology/broad", "adverse effects[sh]", "A-C"),
    "prediction": ("clinical_prediction_guides/narrow", "decision rule[tw]", "A-B"),
    "guideline": ("n/a", "practice guideline[pt]", "A only"),
    "sr": ("n/a", "systematic[sb]", "A only"),
}


@pytest.fixture
def nowhere(tmp_path: Path) -> Path:
    return tmp_path / "none"


@pytest.mark.parametrize("name", TYPES)
def test_the_rows_are_the_seeds(name: str, nowhere: Path) -> None:
    found = recommend_search_strategy(name, home=nowhere)
    clinical, pubmed, grades = TABLE[name]
    assert set(found) >= SEED_KEYS and found["clinical_queries_filter"] == clinical
    assert found["pubmed_query_template"] == f"({{user_query}}) AND {pubmed}"
    assert found["preferred_grades"] == grades and found["recommended_skill"] == "pubmed-eutils"
    assert found["tips"] and found["pubmed_query"] is None
    basis = "table" if name in {"therapy", "guideline", "sr"} else "none"
    assert found["expected_grade_distribution_basis"] == basis
    assert found["expected_grade_distribution_records"] == 0
    assert found["expected_grade_distribution_source"].startswith(f"{basis}: no warehouse")


def test_the_example_of_the_seed(nowhere: Path) -> None:
    found = recommend_search_strategy("therapy", home=nowhere)
    assert found["europepmc_query_template"] == (
        '({user_query}) AND PUB_TYPE:"Randomized Controlled Trial"'
    )
    assert found["expected_grade_distribution"] == {"A": "30%", "B": "50%", "C": "20%"}
    # no figure is invented for rows that have none
    assert recommend_search_strategy("etiology", home=nowhere)["expected_grade_distribution"] == {
        "B": "preferred", "C": "preferred",
    }  # fmt: skip


@pytest.mark.parametrize("name", TYPES)
def test_every_query_is_one_that_can_be_searched(name: str, sample_home: Path) -> None:
    found = recommend_search_strategy(name, "asthma OR copd", home=sample_home)
    for key in ("pubmed_query", "pubmed_clinical_query", "local_query"):
        assert found[key].startswith("(asthma OR copd) AND ")
        parse(found[key])
    local = evidence_search(found["local_query"], date_range="all", include_preprints=True,
                            include_trials=False, home=sample_home)  # fmt: skip
    if found["expected_grade_counts"] is not None:
        assert local["by_grade"] == found["expected_grade_counts"]
    for key in ("europepmc_query", "europepmc_sensitive_query"):
        assert found[key].count("(") == found[key].count(")")


def test_the_expansion_is_the_validated_one(nowhere: Path) -> None:
    text = recommend_search_strategy("harm", home=nowhere)["local_query_template"]
    assert "risk*[Title/Abstract] OR risk*[MeSH:noexp]" in text and "grouped [Text Word]" in text
    assert (
        "Cochrane Database Syst Rev[ta]"
        in recommend_search_strategy("sr", home=nowhere)["local_query_template"]
    )


def test_measured_where_there_is_a_warehouse(sample_home: Path) -> None:
    found = recommend_search_strategy("therapy", home=sample_home)
    count = found["expected_grade_distribution_records"]
    assert found["expected_grade_distribution_basis"] == "measured" and count > 0
    assert found["expected_grade_distribution_source"].startswith(f"measured: {count} graded")
    assert count == sum(found["expected_grade_counts"][grade] for grade in "ABCD")
    total = sum(int(share[:-1]) for share in found["expected_grade_distribution"].values())
    assert total == 100
    nothing = recommend_search_strategy("therapy", "zzzyx", home=sample_home)
    assert nothing["expected_grade_distribution_basis"] == "table"
    assert nothing["expected_grade_distribution_records"] == 0
    assert nothing["expected_grade_distribution_source"].startswith("table: nothing graded")
    assert "nothing was measured" in nothing["expected_grade_distribution_source"]


@pytest.mark.parametrize(
    ("written", "name"),
    [("Therapy", "therapy"), ("疗效", "therapy"), ("不良反应", "harm"), ("系统综述", "sr"),
     ("clinical_prediction_guides", "prediction"), (" Systematic  Review ", "sr")],
)  # fmt: skip
def test_names(written: str, name: str, nowhere: Path) -> None:
    assert recommend_search_strategy(written, home=nowhere)["question_type"] == name


def test_other_places_get_no_pubmed_tags(nowhere: Path) -> None:
    found = recommend_search_strategy("therapy", "asthma[mh], x|y", home=nowhere, lang="en")
    assert found["europepmc_query"].startswith("(asthma, x|y) AND")
    assert "search:(asthma%20x%20y)" in found["openalex_query"]
    assert any("field tags" in tip for tip in found["tips"])


def test_bad_input(nowhere: Path) -> None:
    with pytest.raises(UsageError, match="'surgery' is none of therapy, diagnosis"):
        recommend_search_strategy("surgery", home=nowhere)
    with pytest.raises(QueryError):
        recommend_search_strategy("therapy", "(asthma", home=nowhere)
    with pytest.raises(UsageError, match="language 'fr'"):
        recommend_search_strategy("therapy", home=nowhere, lang="fr")


def test_a_query_with_braces_stays_as_it_is(nowhere: Path) -> None:
    found = recommend_search_strategy("therapy", "a {user_query} {0}", home=nowhere)
    assert found["pubmed_query"].startswith("(a {user_query} {0}) AND ")


def test_shares_add_up() -> None:
    assert shares({"A": 1, "B": 1, "C": 1, "D": 0}) == {"A": "34%", "B": "33%", "C": "33%"}


def test_the_command(sample_home: Path) -> None:
    outcome = evidence("strategy", "therapy", "asthma", "--home", sample_home, "--lang", "en")
    assert outcome.code == 0 and "(asthma) AND randomized controlled trial[pt]" in outcome.out
    outcome = evidence("strategy", "therapy", "zzzyx", "--home", sample_home)
    assert "grades (not measured): A 30%" in outcome.out and "nothing graded" in outcome.out
    assert evidence("strategy", "x", "--home", sample_home).code == 2
