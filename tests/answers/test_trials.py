"""`evidence trials`: every limit against what Python says of the same rows."""

import zipfile
from pathlib import Path
from typing import Any

import pytest

from etl.errors import UsageError
from etl.store.home import open_home
from etl.store.views import connect
from tests.run import evidence
from warehouse.trials import COLUMNS, Limits, trials

EVERY = 100_000
MESH = """<DescriptorRecordSet LanguageCode="eng"><DescriptorRecord DescriptorClass="1">
<DescriptorUI>D900001</DescriptorUI>
<DescriptorName><String>Myocardial Infarction</String></DescriptorName>
<TreeNumberList><TreeNumber>C14.907</TreeNumber></TreeNumberList>
<ConceptList><Concept PreferredConceptYN="Y"><ConceptUI>M1</ConceptUI>
<ConceptName><String>Myocardial Infarction</String></ConceptName>
<TermList><Term ConceptPreferredTermYN="N" IsPermutedTermYN="N" LexicalTag="NON"
RecordPreferredTermYN="N"><TermUI>T1</TermUI><String>Heart Attack</String></Term></TermList>
</Concept></ConceptList></DescriptorRecord></DescriptorRecordSet>
"""


@pytest.fixture(scope="module")
def held(sample_home: Path) -> list[dict[str, Any]]:
    """All trials of the sample with their names, as a reader of the tables would join them."""
    with connect(open_home(sample_home)) as con:
        names: dict[tuple[str, str], list[str]] = {}
        for kind, tables in (
            ("condition", ("conditions.name", "browse_conditions.mesh_term", "keywords.name")),
            ("intervention", ("interventions.name", "browse_interventions.mesh_term")),
        ):
            for place in tables:
                table, column = place.split(".")
                rows = con.sql(f"select nct_id, {column} from trial_{table}").fetchall()
                for nct_id, name in rows:
                    names.setdefault((kind, nct_id), []).append((name or "").lower())
        rows = con.sql("from trials").to_arrow_table().to_pylist()
    for row in rows:
        for kind in ("condition", "intervention"):
            row[kind] = names.get((kind, row["nct_id"]), [])
    assert len(rows) == 30
    return rows


def found(home: Path, **limits: Any) -> list[str]:
    answer = trials(open_home(home), Limits(**limits, most=EVERY))
    rows, total = answer.rows, answer.total
    assert total == len(rows)
    assert all(set(row) == set(COLUMNS) for row in rows)
    sizes = [row["enrollment"] for row in rows]
    known = [size for size in sizes if size is not None]
    assert sizes == sorted(known, reverse=True) + [None] * (len(sizes) - len(known))
    return sorted(row["nct_id"] for row in rows)


def phases(row: dict[str, Any]) -> set[str]:
    return set((row["phase"] or "").split("/"))


def test_each_limit(sample_home: Path, held: list[dict[str, Any]]) -> None:
    sizes = sorted(row["enrollment"] for row in held if row["enrollment"] is not None)
    middle = sizes[len(sizes) // 2]
    word = next(row["condition"][0] for row in held if row["condition"])[:6].strip()
    drug = next(row["intervention"][0] for row in held if row["intervention"])[:6].strip()
    cases: list[tuple[dict[str, Any], Any]] = [
        ({}, lambda r: True),
        ({"min_enrollment": middle}, lambda r: (r["enrollment"] or -1) >= middle),
        (
            {"max_enrollment": middle},
            lambda r: r["enrollment"] is not None and r["enrollment"] <= middle,
        ),
        ({"phases": ("3",)}, lambda r: "PHASE3" in phases(r)),
        ({"phases": ("II", "phase 3")}, lambda r: {"PHASE2", "PHASE3"} & phases(r)),
        ({"statuses": ("completed",)}, lambda r: r["overall_status"] == "COMPLETED"),
        ({"study_type": "observational"}, lambda r: r["study_type"] == "OBSERVATIONAL"),
        ({"allocation": "randomized"}, lambda r: r["allocation"] == "RANDOMIZED"),
        ({"results": True}, lambda r: bool(r["were_results_reported"])),
        ({"results": False}, lambda r: not r["were_results_reported"]),
        (
            {"start": "2015:2020"},
            lambda r: r["start_date"] and 2015 <= r["start_date"].year <= 2020,
        ),
        ({"condition": word.upper()}, lambda r: any(word in name for name in r["condition"])),
        ({"intervention": drug}, lambda r: any(drug in name for name in r["intervention"])),
    ]  # fmt: skip
    for limits, fits in cases:
        expected = sorted(row["nct_id"] for row in held if fits(row))
        assert found(sample_home, **limits) == expected, limits


def test_limits_are_joined_and_the_total_counts_all(sample_home: Path) -> None:
    answer = trials(open_home(sample_home), Limits(study_type="interventional", most=2))
    rows, total = answer.rows, answer.total
    assert len(rows) == 2 < total
    none = trials(open_home(sample_home), Limits(min_enrollment=2**31 - 1))
    assert (none.rows, none.total, none.notices) == ([], 0, [])


def test_a_word_is_no_pattern_and_no_sql(sample_home: Path) -> None:
    for text in ("%", "_", "'; drop table trials; --", "a' or '1'='1"):
        assert found(sample_home, condition=text) == [], text


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three trials and a MeSH of one heading, loaded as delivered."""
    folder = tmp_path_factory.mktemp("registry")
    export = folder / "20260101_export_ctgov.zip"
    trials_txt = "nct_id|brief_title|enrollment\n" + "".join(
        f"NCT0000000{n}|Trial {n}|{size}\n" for n, size in ((1, 120), (2, 99_999_999), (3, ""))
    )
    named = "id|nct_id|name\n1|NCT00000001|Myocardial Infarction\n2|NCT00000002|Heart attack\n"
    with zipfile.ZipFile(export, "w") as archive:
        archive.writestr("studies.txt", trials_txt)
        archive.writestr("conditions.txt", named + "3|NCT00000003|Asthma\n")
    mesh = folder / "desc2026.xml"
    mesh.write_text(MESH)
    done = evidence("refresh", "--home", folder / "home", "--aact", export, "--mesh", mesh)
    assert done.code == 0, done.err
    return folder / "home"


def test_an_entry_term_is_looked_for_as_its_heading_too(registry: Path) -> None:
    answer = trials(open_home(registry), Limits(condition="Heart  Attack"))
    assert [row["nct_id"] for row in answer.rows] == ["NCT00000002", "NCT00000001"]
    assert "condition 'heart attack' is looked for as 'myocardial infarction' too" in answer.notices
    chinese = trials(open_home(registry), Limits(condition="心肌梗死"))
    assert [row["nct_id"] for row in chinese.rows] == ["NCT00000001"]


def test_a_doubtful_enrollment_is_called_so(registry: Path) -> None:
    done = evidence("trials", "--home", registry, "--min-enrollment", "100", "--json")
    assert [row["enrollment"] for row in done.json["results"]] == [99_999_999, 120]
    assert [line.split(":")[0] for line in done.json["notices"]] == ["NCT00000002"]


def test_without_mesh_the_lack_of_entry_terms_is_said(sample_home: Path) -> None:
    answer = trials(open_home(sample_home), Limits(condition="heart attack"))
    assert any("no MeSH is loaded" in line for line in answer.notices)


@pytest.mark.parametrize(
    "bad",
    [
        {"phases": ("5",)}, {"statuses": ("done",)}, {"study_type": "rct"}, {"allocation": "x"},
        {"start": "soon"}, {"min_enrollment": -1}, {"max_enrollment": 2**31}, {"most": 0},
        {"condition": "  "},
    ],
)  # fmt: skip
def test_bad_values_are_named(sample_home: Path, bad: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as error:
        trials(open_home(sample_home), Limits(**bad))
    assert "\n" not in str(error.value)


def test_the_command(sample_home: Path) -> None:
    done = evidence("trials", "--home", str(sample_home), "--type", "interventional", "--json")
    assert done.code == 0, done.err
    told = done.json
    assert told["total"] == len(told["results"]) > 0
    done = evidence("trials", "--home", str(sample_home), "--phase", "9")
    assert done.code == 2 and done.err.count("\n") == 1


def test_since_a_year(sample_home: Path, held: list[dict[str, Any]]) -> None:
    asked = ("trials", "--home", str(sample_home), "--json")
    years = sorted(row["start_date"].year for row in held if row["start_date"])
    middle = years[len(years) // 2]
    done = evidence(*asked, "--since", str(middle))
    assert done.code == 0 and done.json["total"] == sum(year >= middle for year in years)
    for bad in (("--since", "99"), ("--since", "soon"), ("--since", "2020", "--start", "2020:")):
        done = evidence(*asked, *bad)
        assert done.code == 2 and done.err.count("\n") == 1, done.err


@pytest.mark.parametrize("form", ["--json", "--ndjson", "--csv", "--table"])
def test_every_limit_at_once_in_each_form(sample_home: Path, form: str) -> None:
    done = evidence(
        "trials", "--home", str(sample_home), "--min-enrollment", "500", "--phase", "3",
        "--condition", "asthma", "--intervention", "budesonide", "--status", "COMPLETED",
        "--results", "--since", "2020", "--max", "5", form,
    )  # fmt: skip
    assert done.code == 0, done.err


def test_large(sample_home: Path) -> None:
    """The query reads what it must: a plan without a product of tables."""
    import sql

    with connect(open_home(sample_home)) as con:
        nothing = dict.fromkeys(
            ("min_enrollment", "max_enrollment", "phases", "statuses", "study_type", "allocation",
             "results", "first", "last", "condition", "intervention")
        )  # fmt: skip
        plan = con.execute(
            "explain " + sql.load("answers/trials"), nothing | {"most": 5}
        ).fetchall()
    text = str(plan)
    assert "CROSS_PRODUCT" not in text and "BLOCKWISE_NL_JOIN" not in text
