"""What holds for every record, whatever its types, headings, words and numbers are."""

from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from etl.jobs import shipped
from etl.jobs.grade import grade_rows, load_profile
from etl.store.schema import TABLES, conform
from etl.store.schema.evidence import DESIGNS, WORD_DESIGNS
from tests.grade.build import YEAR, Row, citation, facts_table, grades_of, row, table, warehouse

TYPES = [t["name"] for t in shipped.rows("grade/types.csv")]
EXCLUDED = [t["name"] for t in shipped.rows("grade/types.csv") if t["flag"] == "excluded"]
FLAGS = [c.name for c in TABLES["evidence_facts"].columns if pa.types.is_boolean(c.type)]
PROFILES = ["default", "strict", "rare_disease", "device"]
ORDER = "ABCD"
FEW = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))

any_facts = st.fixed_dictionaries(
    {
        **{flag: st.booleans() for flag in FLAGS},
        "excluded_type": st.sampled_from([None, None, None, "Letter", "Editorial"]),
        "design_inferred": st.sampled_from(WORD_DESIGNS),
        "design_probability": st.none() | st.floats(0, 1, width=32),
        "sample_size": st.none() | st.integers(0, 20_000) | st.sampled_from([99, 100, 500, 1000]),
        "year": st.none() | st.integers(1800, 2027),
        "registered_enrollment": st.none() | st.integers(1, 20_000),
        "registered_facilities": st.none() | st.integers(0, 3),
        "journal_nlm_id": st.sampled_from([None, "0255562", "J1"]),
        "journal_coi_share": st.none() | st.floats(0, 1, width=32),
        "journal_cites_per_document": st.none() | st.floats(0, 9, width=32),
    }
)


def _table(rows: list[Row]) -> pa.Table:
    return table("evidence_facts", [row("evidence_facts", pmid=i, **r) for i, r in enumerate(rows)])


def _graded(rows: list[Row], profile: str, **keep: bool) -> list[Row]:
    found = grade_rows(_table(rows), load_profile(profile).keeping(**keep), YEAR)
    return conform(TABLES["graded"], found).to_pylist()


@FEW
@given(st.lists(any_facts, min_size=1, max_size=60), st.sampled_from(PROFILES))
def test_every_grade_is_possible_and_explained(rows: list[dict[str, Any]], profile: str) -> None:
    for facts, got in zip(rows, _graded(rows, profile), strict=True):
        assert got["design"] in DESIGNS
        assert got["rules"] and len(set(got["rules"])) == len(got["rules"])
        assert got["grade_rationale"].strip()
        if got["grade_base"] in ORDER:
            assert got["grade"] in ORDER
            assert abs(ORDER.index(got["grade"]) - ORDER.index(got["grade_base"])) <= 1
            assert got["rules"][0][0] == got["grade_base"]
        else:
            assert got["grade"] == got["grade_base"]
            assert not got["signals_up"] and not got["signals_down"]
        both = bool(got["signals_up"]) == bool(got["signals_down"])
        assert not both or got["grade"] == got["grade_base"]
        assert [*got["signals_down"], *got["signals_up"]] == [
            r for r in got["rules"] if r.startswith("S")
        ]
        if facts["excluded_type"] or facts["is_retracted"]:
            assert got["grade"] == "excluded"
        elif facts["is_preprint"]:
            assert (got["grade"], got["grade_label"][:2]) == ("D", "D-")


@FEW
@given(st.lists(any_facts, min_size=1, max_size=60), st.sampled_from(PROFILES))
def test_keeping_changes_only_what_it_names(rows: list[dict[str, Any]], profile: str) -> None:
    plain = _graded(rows, profile)
    kept = _graded(rows, profile, retracted=True, research_letters=True)
    for facts, before, after in zip(rows, plain, kept, strict=True):
        if facts["is_retracted"] or (facts["excluded_type"] == "Letter" and facts["is_rct"]):
            assert before["grade"] == "excluded"
        else:
            assert before == after


@FEW
@given(st.lists(any_facts, min_size=2, max_size=40), st.randoms(use_true_random=False))
def test_a_grade_does_not_depend_on_its_neighbours(rows: list[dict[str, Any]], random: Any) -> None:
    whole = grade_rows(_table(rows), load_profile("strict"), YEAR).to_pylist()
    chosen = random.sample(range(len(rows)), k=len(rows) // 2)
    facts = _table(rows).take(chosen)
    assert grade_rows(facts, load_profile("strict"), YEAR).to_pylist() == [whole[i] for i in chosen]


some_types = st.lists(st.sampled_from(TYPES), max_size=5)


@FEW
@given(st.lists(some_types, min_size=10, max_size=30), st.sampled_from(EXCLUDED))
def test_an_excluded_type_always_excludes(records: list[list[str]], excluded: str) -> None:
    con = warehouse([citation(i, [*types, excluded]) for i, types in enumerate(records)])
    for got in grades_of(con).values():
        assert (got["grade"], got["rules"][0], got["design"]) == ("excluded", "X1", "excluded_type")


@FEW
@given(st.lists(some_types, min_size=10, max_size=30), st.randoms())
def test_order_case_and_repeats_of_types_do_not_matter(
    records: list[list[str]], random: Any
) -> None:
    shuffled = [random.sample(types, k=len(types)) for types in records]
    doubled = [[*types, *(t.upper() for t in types[:1])] for types in shuffled]
    plain = facts_table(warehouse([citation(i, types) for i, types in enumerate(records)]))
    other = facts_table(warehouse([citation(i, types) for i, types in enumerate(doubled)]))
    assert plain.sort_by("pmid") == other.sort_by("pmid")
