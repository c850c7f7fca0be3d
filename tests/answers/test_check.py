"""Claims: PICO by rules, stance only where it is certain, honest verdicts."""

from pathlib import Path
from typing import Any

import pytest

from etl.errors import UsageError
from tests.run import evidence
from warehouse import cross_validate_evidence
from warehouse.claims.pico import pico
from warehouse.claims.stance import stance
from warehouse.claims.terms import in_english

PICOS = [
    ("Posaconazole 预防 IFI 比 fluconazole 更有效",
     (None, "Posaconazole", "fluconazole", "IFI"), "better"),
    ("Posaconazole is more effective than fluconazole in preventing IFI in high-risk neutropenia",
     ("high-risk neutropenia", "Posaconazole", "fluconazole", "IFI"), "better"),
    ("Venetoclax plus azacitidine improves overall survival compared with azacitidine alone in "
     "older patients with AML",
     ("older patients with AML", "Venetoclax plus azacitidine", "azacitidine alone",
      "overall survival"), "better"),
    ("In patients with atrial fibrillation, apixaban reduces stroke versus warfarin",
     ("patients with atrial fibrillation", "apixaban", "warfarin", "stroke"), "better"),
    ("Aspirin does not reduce mortality", (None, "Aspirin", None, "mortality"), "same"),
    ("Apixaban is non-inferior to warfarin for stroke prevention",
     (None, "Apixaban", "warfarin", "stroke"), "same"),
    ("venetoclax 治疗 AML 优于 azacitidine", ("AML", "venetoclax", "azacitidine", None), "better"),
    ("与 warfarin 相比，apixaban 降低房颤患者的出血风险",
     ("房颤患者", "apixaban", "warfarin", "出血风险"), "better"),
    ("在房颤患者中，apixaban 降低卒中发生率",
     ("房颤患者", "apixaban", None, "卒中发生率"), "better"),
    ("二甲双胍可降低2型糖尿病患者的死亡率",
     ("2型糖尿病患者", "二甲双胍", None, "死亡率"), "better"),
    ("Bronchelimab reduces exacerbations in severe asthma compared with placebo",
     ("severe asthma", "Bronchelimab", "placebo", "exacerbations"), "better"),
    ("something else entirely", (None, None, None, None), None),
    ("", (None, None, None, None), None),
]  # fmt: skip
CLAIM = pico("Posaconazole is more effective than fluconazole in preventing IFI")
EFFECT = pico("Posaconazole reduces mortality compared with fluconazole in neutropenia")


@pytest.mark.parametrize(("claim", "parts", "relation"), PICOS)
def test_pico(claim: str, parts: tuple[str | None, ...], relation: str | None) -> None:
    found = pico(claim)
    assert tuple(found.letters().values()) == parts and found.relation == relation


def said(sentence: str, claim: Any = CLAIM) -> str:
    record = {"title": "Neutropenia", "abstract": f"We asked. CONCLUSIONS: {sentence}"}
    return stance(claim, record).stance


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Posaconazole was superior to fluconazole in preventing IFI.", "supports"),
        ("Posaconazole prevented IFI better than fluconazole.", "supports"),
        ("Fluconazole was superior to posaconazole in preventing IFI.", "contradicts"),
        ("Posaconazole was not superior to fluconazole in preventing IFI.", "contradicts"),
        ("There was no significant difference in IFI between posaconazole and fluconazole.",
         "contradicts"),
        ("Posaconazole may be superior to fluconazole in preventing IFI.", "unclear"),
        ("Posaconazole was superior to voriconazole in preventing IFI.", "unclear"),
        ("Posaconazole was superior to fluconazole in preventing death.", "unclear"),
        ("Posaconazole was superior to fluconazole in preventing IFI, but toxicity was higher.",
         "unclear"),
        ("Whether posaconazole was superior to fluconazole in preventing IFI is unclear.",
         "unclear"),
        ("Posaconazole plus caspofungin was superior to fluconazole in preventing IFI.", "unclear"),
        ("Posaconazole was superior to fluconazole or itraconazole in preventing IFI.", "unclear"),
        ("IFI was studied under posaconazole and fluconazole.", "unclear"),
    ],
)  # fmt: skip
def test_stance_of_a_conclusion(sentence: str, expected: str) -> None:
    assert said(sentence) == expected


def test_stance_needs_the_effect_the_people_and_one_voice() -> None:
    sentence = "In neutropenia, posaconazole reduced mortality compared with fluconazole."
    assert said(sentence, EFFECT) == "supports"
    assert said(sentence.replace("reduced", "increased"), EFFECT) == "contradicts"
    other = {"title": "Healthy people", "abstract": f"CONCLUSIONS: {sentence[16:]}"}
    assert stance(EFFECT, other).stance == "unclear"
    both = f"{sentence} Posaconazole increased mortality compared with fluconazole."
    assert said(both, EFFECT) == "unclear"
    # only what the conclusion says counts
    assert stance(EFFECT, {"abstract": sentence}).stance == "unclear"


def test_the_shape_is_the_seeds(sample_home: Path) -> None:
    claim = "Tromboxavir improves stroke in atrial fibrillation"
    found = cross_validate_evidence(claim, home=sample_home)
    assert {"claim", "pico", "supporting", "contradicting", "verdict", "confidence"} <= set(found)
    assert found["claim"] == claim and set(found["pico"]) == {"P", "I", "C", "O"}
    assert found["verdict"] == "supported" and found["confidence"] == 0.5
    assert found["reason"] is None
    (row,) = found["supporting"]
    assert row["stance_sentence"] in row["abstract"] and row["grade"] in "AB"
    assert "stroke or systemic embolism" in row["stance_sentence"]


def test_silence_is_insufficient_and_says_so(sample_home: Path) -> None:
    found = cross_validate_evidence("Bronchelimab cures gout", home=sample_home, top_k=3)
    assert found["verdict"] == "insufficient" and found["confidence"] == 0.0
    assert found["supporting"] == found["contradicting"] == []
    assert len(found["candidates"]) == 3
    assert found["notices"] == [] and "could not be read" in found["reason"]


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("Bronchelimab reduces mortality", "about Bronchelimab none states in its conclusion"),
        ("Zzzyximab reduces exacerbations of asthma", "names Zzzyximab"),
        ("zzzyx", "holds a word of the claim"),
        ("Asthma", "I and O could not be read"),
    ],
)
def test_one_reason(claim: str, reason: str, sample_home: Path) -> None:
    found = cross_validate_evidence(claim, home=sample_home)
    assert found["verdict"] == "insufficient" and reason in found["reason"]
    assert found["notices"] == []
    outcome = evidence("check", claim, "--home", sample_home)
    assert outcome.code == 0 and outcome.err == ""
    assert outcome.out.count(found["reason"]) == 1 and "candidates: " in outcome.out


def test_candidates_by_grade_are_about_the_claim(sample_home: Path) -> None:
    found = cross_validate_evidence("Bronchelimab reduces mortality", home=sample_home, top_k=50)
    about = [row for row in found["candidates"] if "I" in row["names"]]
    assert about == found["candidates"][: len(about)] and about
    assert sum(found["candidates_by_grade"].values()) == len(about)
    assert set(found["candidates_by_grade"]) <= {"A", "B"}
    none = evidence("check", "Zzzyximab reduces exacerbations of asthma", "--home", sample_home)
    assert (
        "candidates: none (this warehouse, PubMed up to 20" in none.out and "PMID" not in none.out
    )


def test_candidates_have_the_grade_that_was_asked(sample_home: Path) -> None:
    for least, allowed in [("A", "A"), ("B", "AB"), ("C", "ABC"), ("D", "ABCD")]:
        found = cross_validate_evidence("asthma", 50, least, home=sample_home)
        assert {row["grade"] for row in found["candidates"]} <= set(allowed)


def test_chinese_words_are_searched_in_english_and_unknown_ones_said(sample_home: Path) -> None:
    found = cross_validate_evidence("Bronchelimab 治疗 哮喘 比 placebo 更有效", home=sample_home)
    assert "asthma" in found["searched"]
    assert all("asthma" in row["title"].lower() for row in found["candidates"][1:3])
    found = cross_validate_evidence("魑魅魍魉 预防 哮喘", home=sample_home)
    assert any("魑魅魍魉" in notice for notice in found["notices"])
    assert in_english("侵袭性真菌感染的死亡率")[0] == "invasive fungal infection mortality"


@pytest.mark.parametrize(
    ("claim", "top", "grade"),
    [("  ", 10, "B"), ("x", 0, "B"), ("x", 10, "E"), ("x" * 3000, 10, "B")],
)
def test_bad_input(claim: str, top: int, grade: str, sample_home: Path) -> None:
    with pytest.raises(UsageError):
        cross_validate_evidence(claim, top, grade, home=sample_home)


@pytest.mark.parametrize(
    "claim", ["(((", '"unbalanced', "a[foo] AND", "*", "?", "the of and", "\x00"]
)
def test_a_claim_is_never_read_as_a_query(claim: str, sample_home: Path) -> None:
    assert cross_validate_evidence(claim, home=sample_home)["verdict"] == "insufficient"


def test_the_command(sample_home: Path) -> None:
    claim = "Tromboxavir improves stroke in atrial fibrillation"
    outcome = evidence("check", claim, "--home", sample_home, "--top", "3")
    assert outcome.code == 0 and "verdict: supported" in outcome.out
    outcome = evidence("check", claim, "--home", sample_home, "--json")
    assert outcome.json["verdict"] == "supported"
