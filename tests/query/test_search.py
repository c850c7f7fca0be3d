"""``evidence_search`` end to end over invented rows."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from etl.errors import NoSnapshotError, QueryError, UsageError
from etl.store.home import open_home, prepare
from etl.store.index import update
from etl.store.snapshot import EMPTY, commit
from tests.query.rows import citation, connection, descriptor, grade, heading, places, table
from warehouse.query.explain import explain, nearest
from warehouse.search import evidence_search, open_search, search_pmids
from warehouse.span import years

NOW = datetime.now(UTC).year
SEED_KEYS = [
    "evidence_id", "pmid", "pmcid", "doi", "title", "authors", "journal", "year",
    "publication_types",
    "sample_size", "is_preprint", "grade", "grade_rationale", "abstract",
]  # fmt: skip
ASTHMA = heading("Asthma", "D001249", drug_therapy=True)
CITATIONS = [
    citation(1, "Asthma guideline", "Care of asthma.", year=NOW, mesh_terms=[ASTHMA]),
    citation(2, "Budesonide in asthma: a trial", "Asthma trial.", year=NOW, doi="10.1/x"),
    citation(3, "Cohort of asthma", "Asthma cohort.", year=NOW - 7),
    citation(4, "Asthma preprint", "Asthma early.", year=NOW, publication_types=["Preprint"]),
    citation(5, "Asthma editorial", None, year=NOW, publication_types=["Editorial"]),
    citation(6, "Asthma in mice", "Airway cells.", year=NOW),
    citation(7, "Old asthma trial", "Asthma.", year=1990),
    citation(8, "Bronchospasm of exercise", "Sport.", year=NOW, mesh_terms=[
        heading("Asthma, Exercise-Induced", "D001250")
    ]),
    citation(10, "Bronchospasm of sport", "Swimmers.", year=NOW),
    citation(9, "Copd trial", "Copd only.", year=NOW, authors=["Smith JA", "O'Brien K"]),
]  # fmt: skip
GRADED = [
    grade(1, "A", "guideline"),
    grade(2, "B", "rct", sample_size=431, sample_size_source="abstract", nct_ids=["NCT00000001"]),
    grade(3, "C", "cohort"),
    grade(4, "D", "rct", is_preprint=True, grade_label="D-"),
    grade(5, "excluded", "excluded_type"),
    grade(6, "ungraded"),
    grade(7, "B", "rct"),
    grade(8, "D", "case_report"),
    grade(9, "B", "rct"),
]
TRIALS = [
    {"nct_id": "NCT00000001", "brief_title": "Budesonide for asthma", "enrollment": 440},
    {"nct_id": "NCT00000002", "brief_title": "Inhaler use", "enrollment": 20},
]  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("warehouse")
    place = open_home(root)
    prepare(place)
    con = connection(
        citations=table("citations", CITATIONS),
        graded=table("graded", GRADED),
        mesh_descriptors=[
            descriptor("D001249", "Asthma", "Bronchial Asthma"),
            descriptor("D001250", "Asthma, Exercise-Induced"),
        ],
        mesh_tree=places(D001249=["C08.127.108"], D001250=["C08.127.108.110"]),
        trials=[{"study_first_posted_date": None, **row} for row in TRIALS],
        trial_conditions=[{"nct_id": "NCT00000002", "name": "Asthma"}],
        trial_brief_summaries=[{"nct_id": "NCT00000001", "description": "A study of asthma."}],
        trial_browse_conditions=[{"nct_id": "NCT00000001", "mesh_term": "Asthma"}],
    )
    update(place, con, commit(place, EMPTY).id, None, None)
    con.close()
    yield root


def ids(answer: dict[str, Any]) -> list[str]:
    return [result["evidence_id"] for result in answer["results"]]


def test_best_grade_first_then_relevance(home: Path) -> None:
    answer = evidence_search("asthma", home=home, include_trials=False)
    grades = [result["grade"] for result in answer["results"]]
    assert grades == ["A", "B", "C", "D", "ungraded"]
    assert answer["by_grade"] == {"A": 1, "B": 1, "C": 1, "D": 1, "excluded": 1, "ungraded": 1}
    assert answer["total"] == 5


def test_the_shape_is_the_seeds(home: Path) -> None:
    answer = evidence_search("budesonide", home=home, include_trials=False)
    assert {
        "total",
        "by_grade",
        "fast_path_used",
        "cache_hit",
        "elapsed_seconds",
        "results",
    } <= set(answer)
    assert answer["fast_path_used"] is False and answer["cache_hit"] is False
    (result,) = answer["results"]
    assert list(result)[: len(SEED_KEYS)] == SEED_KEYS
    assert result["pmid"] == "2" and result["evidence_id"] == "PMID:2"
    assert result["sample_size"] == 431 and result["source"] == "pubmed"
    assert result["doi"] == "10.1/x" and result["nct_ids"] == ["NCT00000001"]
    json.dumps(answer)


def test_counts_are_over_all_matches(home: Path) -> None:
    answer = evidence_search("asthma", home=home, max_results=1, include_trials=False)
    assert len(answer["results"]) == 1 and answer["total"] == 5
    assert evidence_search("asthma", home=home, max_results=0)["total"] == 5


def test_excluded_ones_are_shown_when_asked(home: Path) -> None:
    answer = evidence_search("asthma", home=home, include_excluded=True, include_trials=False)
    assert ids(answer)[-1] == "PMID:5" and answer["total"] == 5


def test_preprints_only_when_asked(home: Path) -> None:
    assert "PMID:4" not in ids(evidence_search("asthma", home=home))
    answer = evidence_search("asthma", home=home, include_preprints=True)
    assert "PMID:4" in ids(answer) and answer["by_grade"]["D"] == 2


@pytest.mark.parametrize(
    ("date_range", "inside", "outside"),
    [
        ("all", ["PMID:7", "PMID:3"], []),
        ("10years", ["PMID:3"], ["PMID:7"]),
        ("5years", ["PMID:1"], ["PMID:3", "PMID:7"]),
        ("1980:2000", ["PMID:7"], ["PMID:1"]),
        (f"{NOW}:", ["PMID:1"], ["PMID:3"]),
    ],
)
def test_date_ranges(home: Path, date_range: str, inside: list[str], outside: list[str]) -> None:
    found = set(ids(evidence_search("asthma", home=home, date_range=date_range)))
    assert found >= set(inside) and not found & set(outside)


@pytest.mark.parametrize(
    "date_range", ["", "ten years", "2020-2025", "2025:2020", "20:25", ":", "years", "9999years"]
)
def test_a_bad_date_range_is_named(date_range: str) -> None:
    with pytest.raises(UsageError, match="none of all, 5years"):
        years(date_range)


def test_bad_values_are_named(home: Path) -> None:
    with pytest.raises(UsageError, match="none of all, rct_or_above, guideline_only"):
        evidence_search("asthma", "best", home=home)
    with pytest.raises(UsageError, match="max results -1"):
        evidence_search("asthma", max_results=-1, home=home)
    with pytest.raises(QueryError, match=r"unknown field tag \[foo\]"):
        evidence_search("asthma[foo]", home=home)


def test_targets(home: Path) -> None:
    assert ids(evidence_search("asthma", "guideline_only", home=home)) == ["PMID:1"]
    above = evidence_search("asthma", "rct_or_above", home=home, include_trials=False)
    assert ids(above) == ["PMID:1", "PMID:2"]


def test_no_guideline_falls_back_and_says_so(home: Path) -> None:
    answer = evidence_search("copd", "guideline_only", home=home)
    assert ids(answer) == ["PMID:9"] and answer["target_grade"] == "rct_or_above"
    assert any("no guideline matches" in notice for notice in answer["notices"])


def test_trials_come_after_citations_and_are_counted_apart(home: Path) -> None:
    answer = evidence_search("asthma", home=home, date_range="all")
    assert set(ids(answer)[-2:]) == {"NCT00000001", "NCT00000002"}
    trial = answer["results"][-1]
    assert trial["source"] == "clinicaltrials" and trial["grade"] is None and trial["pmid"] is None
    assert answer["trials_total"] == 2 and sum(answer["by_grade"].values()) == 7
    assert evidence_search("asthma", home=home, include_trials=False)["trials_total"] == 0
    few = evidence_search("asthma", home=home, date_range="all", max_results=2)
    assert few["trials_total"] == 2 and len(few["results"]) == 2
    assert any("0 of 2 registered trials" in notice for notice in few["notices"])


def test_headings_are_exploded_and_entry_terms_mapped(home: Path) -> None:
    def found(query: str) -> list[str]:
        return sorted(ids(evidence_search(query, home=home, include_trials=False)))

    assert found("asthma[mh]") == ["PMID:1", "PMID:8"]
    assert found("asthma[mh:noexp]") == ["PMID:1"]
    assert found("bronchial asthma[mh]") == ["PMID:1", "PMID:8"]
    assert found("asthma/drug therapy[mh]") == ["PMID:1"]
    assert found("asthma/therapy[mh]") == ["PMID:1"]
    assert found("asthma[majr]") == ["PMID:1"]
    assert "PMID:8" in found("bronchial asthma")
    assert found("nothing such[mh]") == []


def test_authors(home: Path) -> None:
    for query, hit in [
        ("smith[au]", True), ("smith j[au]", True), ('"smith j"[au]', False),
        ('"smith ja"[au]', True), ("smith[1au]", True), ("smith[lastau]", False),
        ("o'brien k[lastau]", True), ("smi*[au]", True),
        ("smit*[au]", True), ("smith k[au]", False),
    ]:  # fmt: skip
        try:
            found = bool(ids(evidence_search(query, home=home, include_trials=False)))
        except QueryError:
            found = False
        assert found is hit, query


def test_a_plain_question(home: Path) -> None:
    assert "PMID:2" in ids(evidence_search("Does budesonide help in asthma?", home=home))


def test_a_question_that_nothing_answers_in_full_is_loosened(home: Path) -> None:
    answer = evidence_search("Does budesonide help asthma in penguins?", home=home)
    assert ids(answer)[0] == "PMID:2"
    assert any("no citation holds all these words" in notice for notice in answer["notices"])
    assert answer["without_match"] == ['"penguins"']
    # a strategy stays what it says
    assert evidence_search("budesonide AND asthma AND penguins", home=home)["total"] == 0
    assert evidence_search("budesonide penguins", home=home)["total"] == 0


def test_a_sentence_with_brackets_is_a_question_too(home: Path) -> None:
    answer = evidence_search("Budesonide (a steroid) helps asthmatic penguins", home=home)
    assert ids(answer)[0] == "PMID:2" and any("nearest" in line for line in answer["notices"])
    for strategy in ("budesonide AND (asthmas helps penguins)", '"budesonide" (asthma) penguins'):
        assert evidence_search(strategy, home=home)["total"] == 0


def test_a_question_is_answered_by_stems(home: Path) -> None:
    answer = evidence_search("which trials tried budesonides on asthmas", home=home)
    assert ids(answer)[0] == "PMID:2"
    # the words as typed are in no citation, and a strategy is not stemmed
    assert evidence_search("budesonides[tiab]", home=home)["total"] == 0


def test_an_entry_term_in_a_question_brings_its_heading(home: Path) -> None:
    plan, context = nearest(open_search(home), "penguins with bronchial asthma")
    assert plan is not None and plan.typed == ("penguins", "bronchial", "asthma")
    assert context.mapped == [("bronchial asthma", "Asthma")]


def test_a_long_question_with_few_full_answers_gets_the_nearest_too(home: Path) -> None:
    answer = evidence_search("care of asthma in guideline asthma care", home=home)
    assert ids(answer) == ["PMID:1"]  # four words: what holds them all is the answer
    long = "sport exercise bronchospasm of exercise induced asthma"
    answer = evidence_search(long, home=home, include_trials=False)
    assert "PMID:8" in ids(answer) and len(ids(answer)) > 1
    assert any("only one holds all these words" in notice for notice in answer["notices"])
    assert answer["total"] + answer["by_grade"]["excluded"] == sum(answer["by_grade"].values())


def test_nearest_records_keep_to_what_was_asked(home: Path) -> None:
    question = "old or early asthma penguins in asthma care"
    found = evidence_search(question, home=home, date_range="all", include_preprints=True)
    assert {"PMID:1", "PMID:4", "PMID:7"} <= set(ids(found))
    found = evidence_search(question, home=home)
    assert not {"PMID:4", "PMID:5", "PMID:7"} & set(ids(found))
    found = evidence_search(question, home=home, target_grade="guideline_only")
    assert ids(found) == ["PMID:1"]
    found = evidence_search(question, home=home, max_results=1, include_trials=False)
    assert len(found["results"]) == 1 and found["total"] > 1


def test_any_word_of_a_claim(home: Path) -> None:
    found = search_pmids("Budesonide cures penguins of asthma", home=home, any_word=True)
    assert {1, 2, 3} <= {pmid for pmid, _ in found} and len(found) >= 7


def test_terms_that_nothing_holds_are_said(home: Path) -> None:
    answer = evidence_search("asthma AND zzzyx[tiab]", home=home)
    assert answer["total"] == 0 and answer["without_match"] == ['"zzzyx"[Title/Abstract]']


def test_explain(home: Path) -> None:
    said = explain(open_search(home), "bronchial asthma[mh] AND zzzyx[ti] NOT stanford[ad]")
    assert said["query_translation"] == '"asthma"[MeSH Terms] AND "zzzyx"[Title]'
    assert said["operands"][0] == {"term": '"asthma"[MeSH Terms]', "count": 2}
    assert said["without_match"] == ['"zzzyx"[Title]']
    assert said["mapped"] == [{"typed": "bronchial asthma", "heading": "Asthma"}]
    assert said["ignored"] == ["stanford[ad]"]
    assert any("carry no headings" in notice for notice in said["notices"])


def test_search_pmids(home: Path) -> None:
    found = search_pmids("asthma", home=home)
    assert {pmid for pmid, _ in found} == {1, 2, 3, 4, 5, 6, 7, 8}
    assert [score for _, score in found] == sorted((s for _, s in found), reverse=True)


def test_an_empty_home(tmp_path: Path) -> None:
    with pytest.raises(NoSnapshotError, match="run evidence refresh"):
        evidence_search("asthma", home=tmp_path / "none")


def test_a_lost_index_is_rebuilt_from_the_snapshot(tmp_path: Path) -> None:
    place = open_home(tmp_path)
    prepare(place)
    commit(place, EMPTY)
    answer = evidence_search("asthma", home=tmp_path)
    assert answer["total"] == 0 and "rebuilt" in answer["notices"][0]
