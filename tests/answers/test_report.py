"""Reports: sections, counts, quotations, languages, hostile text."""

import json
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from etl.errors import UsageError
from tests.answers.conftest import record
from tests.run import evidence
from warehouse import evidence_search, evidence_summary, grade_pmid_list
from warehouse.report.clean import line, links, markdown
from warehouse.report.conclusions import conclusion, sentences
from warehouse.report.facts import gather
from warehouse.report.findings import advice, gaps, key_findings
from warehouse.report.words import words

NOW = datetime(2026, 4, 25, tzinfo=UTC)
ROWS = [
    record(1, "A", "guideline", year=2023, sample_size=None),
    record(2, "A", "meta_analysis", year=2015, sample_size=None, abstract="No conclusion here."),
    record(3, "B", "rct", sample_size=431, nct_ids=["NCT00000001"]),
    record(4, "B", "cohort", sample_size=5000, inferred=True, grade_label="B_inferred"),
    record(5, "D", "rct", is_preprint=True, superseded_by="3", grade_label="D-"),
    record(6, "excluded", "excluded_type"),
    record(7, "ungraded", "none"),
]


def said(rows: list[dict[str, Any]], part: Any, **more: Any) -> str:
    return "\n".join(s.text for s in part(gather(rows, now=NOW, **more), words("en")))


def test_the_sections_of_the_seed() -> None:
    text = evidence_summary(ROWS, query="venetoclax AML 一线治疗")
    heads = re.findall(r"^#+ .*$", text, re.MULTILINE)
    assert heads[:5] == [
        "# 证据汇总报告 · venetoclax AML 一线治疗", "## 等级分布", "## Top 5 Grade-A 证据",
        "## 关键发现", "## 引用建议",
    ]  # fmt: skip
    assert "| Grade | 数量 | 占比 |" in text
    assert "| A (指南/Meta/大型 RCT) | 2 | 33.3% |" in text
    assert "| 已剔除 (社论/letter/撤稿) | 1 | -- |" in text
    assert "**总计**: 6 篇" in text


def test_both_languages_have_the_same_words() -> None:
    def keys(lang: str) -> list[str]:
        found = words(lang)._texts
        return sorted(
            f"{a}.{b}" for a, part in found.items() if isinstance(part, dict) for b in part
        )

    assert keys("en") == keys("zh")
    assert sorted(words("en")._texts) == sorted(words("zh")._texts)


def test_findings_are_quotations_and_counts_with_their_pmids() -> None:
    text = said(ROWS, key_findings)
    assert "“Answer 1 holds.” (PMID 1; grade A, guideline, 2023)" in text
    assert "“Answer 3 holds.” (PMID 3; grade B, RCT, n = 431, 2024)" in text
    assert "PMID 2;" not in text  # it states no conclusion
    assert "n = 5,000 (PMID 4). A sample size is known for 5 of 7 records." in text
    assert "Newest grade-A record: 2023 (PMID 1)." in text
    assert "Linked to a registered trial: 1 (PMID 3)." in text
    assert "Graded by the words of title and abstract" in text and "1 (PMID 4)" in text
    assert text.endswith("not computed.")


def test_every_quotation_stands_in_its_record() -> None:
    by_pmid = {row["pmid"]: row for row in ROWS}
    for sentence in key_findings(gather(ROWS, now=NOW), words("zh")):
        quoted = re.search("“(.*)”", sentence.text)
        if quoted:
            assert quoted[1] in by_pmid[sentence.pmids[0]]["abstract"]


def test_few_grade_a_records_are_a_gap() -> None:
    assert "Fewer than 3 grade-A records (2)" in said(ROWS, gaps)
    enough = [record(n, "A", "guideline") for n in range(3)]
    text = said(enough, gaps)
    assert "Fewer than 3" not in text and "No randomised trial" in text
    assert "not computed" in text
    old = [record(1, "A", "guideline", year=2012)]
    assert "newest grade-A record is of 2012" in said(old, gaps)


def test_advice() -> None:
    assert "grade A has 2 (PMID 1, 2)" in said(ROWS, advice)
    assert "Supplement with grade B" in said(ROWS, advice)
    assert "there is no grade-A record" in said([record(1)], advice)
    retracted = [record(n, "A", is_retracted=True) for n in range(4)]
    assert "there is no grade-A record" in said(retracted, advice)


def test_counts_over_all_matches(sample_home: Path) -> None:
    answer = evidence_search("asthma", max_results=2, home=sample_home)
    text = evidence_summary(answer["results"], lang="en", answer=answer, query="asthma")
    assert "2 of 10 records are listed" in text and "**Total**: 9 records" in text


def test_json() -> None:
    document = json.loads(evidence_summary(ROWS, "json", lang="en", query="q"))
    assert document["by_grade"] == {"A": 2, "B": 2, "C": 0, "D": 1, "excluded": 1, "ungraded": 1}
    assert document["total"] == 6 and document["by_design_level"]["trial"] == 2
    assert document["top"][0]["links"] == {"PMID 1": "https://pubmed.ncbi.nlm.nih.gov/1/"}
    assert all({"text", "pmids"} == set(said) for said in document["key_findings"])
    assert document["by_year"]["2023"] == {"A": 1, "B": 0, "C": 0, "D": 0}


def test_an_empty_list_is_a_report_too() -> None:
    for form in ("markdown", "html", "json"):
        assert evidence_summary([], form, lang="en")


def test_grades_alone_are_completed_from_the_warehouse(sample_home: Path) -> None:
    rows = grade_pmid_list(["90000099", "1"], home=sample_home)
    text = evidence_summary(rows, lang="en", home=sample_home)
    assert "Łukowicz-Fable et al. JAMA 2022" in text and "**Total**: 1 records" in text


def test_written_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "evidence" / "summary.md"
    assert evidence_summary(ROWS, output_path=str(path)) == path.read_text(encoding="utf-8")


def test_bad_input() -> None:
    with pytest.raises(UsageError, match="'pdf' is none of markdown, html, json"):
        evidence_summary(ROWS, "pdf")
    with pytest.raises(UsageError, match="'fr' is none of"):
        evidence_summary(ROWS, lang="fr")
    for rubbish in ({"results": []}, "text", [1, 2]):
        with pytest.raises(UsageError, match="list of objects"):
            evidence_summary(rubbish)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("abstract", "expected"),
    [
        ("AIM: x. CONCLUSIONS: It works. It is safe. FUNDING: Nobody.", "It works."),
        ("AIM: x. CONCLUSION: A vs. B is open. More.", "A vs. B is open."),
        ("AIM: x. INTERPRETATION: OS was 66.5 months. Y.", "OS was 66.5 months."),
        ("AUTHORS' CONCLUSIONS: Unclear.", "Unclear."),
        ("We did it. In conclusion, it holds. We thank all.", "In conclusion, it holds."),
        ("The conclusion: is not a label here", None),
        ("We did it.", None),
        (None, None),
    ],
)
def test_conclusions(abstract: str | None, expected: str | None) -> None:
    assert conclusion({"abstract": abstract}) == expected


def test_sections_decide_and_long_sentences_are_cut() -> None:
    section = {"label": "SUMMARY", "category": "CONCLUSIONS", "text": "It works. More."}
    assert conclusion({"abstract_sections": [section], "abstract": "x"}) == "It works."
    cut = conclusion({"abstract": "CONCLUSIONS: " + "word " * 200})
    assert cut and len(cut) < 410 and cut.endswith("[…]")
    assert sentences("One. Two (x). Dr. A et al. found n = 3.5 mg. 4 died.") == [
        "One.", "Two (x).", "Dr.", "A et al. found n = 3.5 mg.", "4 died.",
    ]  # fmt: skip


HOSTILE = (
    "<script>alert(1)</script>\"' onload=x <img src=x onerror=alert(2)> [a](javascript:alert(3)) "
    "| `code` \u202ereversed\u202c \x1b[31m &lt; ]]>"
)


def test_markdown_shows_hostile_text_as_it_is() -> None:
    text = evidence_summary([record(1, "A", title=HOSTILE, abstract=f"CONCLUSIONS: {HOSTILE}")])
    assert "<script" not in text.replace("\\<script", "") and "\u202e" not in text
    assert "\x1b" not in text and "\\[a\\](javascript" in text
    assert all(row.count("|") - row.count("\\|") in (0, 4) for row in text.splitlines())
    assert (
        markdown("- a") == "\\- a" and markdown("1. a") == "1\\. a" and markdown("# a") == "\\# a"
    )
    assert markdown("n>=1000 & more") == "n>=1000 & more" and markdown("&amp;") == "\\&amp;"


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_the_page_holds_no_foreign_markup_and_asks_for_nothing() -> None:
    keys = ("title", "abstract", "journal", "journal_abbreviation", "grade_rationale", "design",
            "grade_label", "grade", "year", "sample_size", "pmid", "doi", "pmcid")  # fmt: skip
    rows = [record(n, "A") | {key: HOSTILE} for n, key in enumerate(keys, 1)]
    rows.append(record(90, "A", authors=[HOSTILE], nct_ids=[HOSTILE, "NCT00000001"]))
    rows.append(
        record(91, "A") | dict.fromkeys(("authors", "nct_ids", "abstract_sections"), HOSTILE)
    )
    tags = Tags()
    tags.feed(evidence_summary(rows, "html", query=HOSTILE, lang="en"))
    names = [tag for tag, _ in tags.found]
    assert names.count("script") == 1 and "img" not in names
    for tag, attributes in tags.found:
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        address = attributes.get("href") or attributes.get("src") or ""
        known = ("https://pubmed.ncbi.nlm.nih.gov/", "https://clinicaltrials.gov/study/NCT",
                 "https://pmc.ncbi.nlm.nih.gov/articles/PMC", "#", "data:,", "")  # fmt: skip
        assert address.startswith(known), (tag, address)


def test_links_only_to_known_places() -> None:
    bad = {"pmid": "1/../x", "pmcid": "PMC1?x", "nct_ids": ["NCT1", "javascript:x"]}
    assert links(bad) == []
    assert [name for name, _ in links(record(7, nct_ids=["NCT00000001"] * 2))] == [
        "PMID 7", "NCT00000001",
    ]  # fmt: skip
    assert line("a\u2028b\x00\ud800") == "a b"


def test_commands(sample_home: Path, tmp_path: Path) -> None:
    found = evidence("search", "asthma", "--home", sample_home, "--json")
    outcome = evidence("report", "-", "--lang", "en", "--home", sample_home, stdin=found.out)
    assert outcome.code == 0 and "# Evidence report · asthma" in outcome.out
    lines = evidence("search", "asthma", "--home", sample_home, "--ndjson")
    page = tmp_path / "report.html"
    outcome = evidence("report", "-", "--format", "html", "--out", page, "--home", sample_home,
                       stdin=lines.out)  # fmt: skip
    assert outcome.code == 0 and page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    for rubbish in ("", "no json", "{}", "3", "[1]"):
        outcome = evidence("report", "-", "--home", sample_home, stdin=rubbish)
        assert outcome.code == 2, rubbish
