# ruff: noqa: E501 (each case of a table stands on one line)
"""Numbers that go with things, ranges and meetings are no people."""

import pytest

from etl.text.sample_size import find

TITLE = "Tea and gout"

# (what it is about, title, abstract, the right total or None)
CASES = [
    ("articles go on", TITLE, "Of 388 articles identified, 47 met our inclusion criteria for patients with gout.", None),
    ("things named at the end", TITLE, "Ninety questionnaires detailing 2114 TPK and 4018 WPK procedures were included for patients with gout.", None),
    ("range of expected cases", TITLE, "This raises the expected size of an outbreak from 110,000 to 210,000 cases after a year.", None),
    ("range before the people", TITLE, "Visits rose from 120 to 340 patients a month. We enrolled 85 patients with gout.", 85),
    ("parts of cycles", TITLE, "We identified 91 patients representing 430 infusion cycles, 190 with green tea and 240 with black tea.", 91),
    ("parts of biopsies", TITLE, "Tea was sought in 29 toe biopsies, including 14 of gout, 10 of arthritis and 5 controls.", None),
    ("people of a meeting", "Tea and cells: a report on the third Frisian conference", "The 50 participants had long discussions about tea.", None),
    ("a trial among meetings", "A trial of tea at meetings of self-help groups", "We randomised 50 participants to tea or water.", 50),
    ("birds", "Lice of the sandpiper: a new record from birds of Frisia", "Nine individuals of the sandpiper were trapped with nets.", None),
    ("insects", "Gout virus in single mosquitoes", "We infected 190 individual mosquitoes from larvae of 28 towns.", None),
    ("explants of patients", TITLE, "Eighteen patient-derived human toe explants were then treated with tea.", None),
    ("of patients identified", TITLE, "Of 388 patients identified, 47 met our inclusion criteria and were enrolled.", 47),
    ("patients and procedures", TITLE, "We included 80 patients and 95 procedures.", 80),
    ("those with an event", TITLE, "RESULTS: The incidence of gout was 64% (n = 77) in the survivors.", None),
    ("response rates", TITLE, "Gout was studied. A total of 360 cases (98% response rate) and 310 controls (87% response rate) were interviewed about tea. Risk rose in those who drank most (90 cases and 115 controls).", 670),
]  # fmt: skip


@pytest.mark.parametrize(
    ("about", "title", "abstract", "total"), CASES, ids=lambda one: str(one)[:30]
)
def test_things_are_no_people(about: str, title: str, abstract: str, total: int | None) -> None:
    assert find(title, abstract).value == total, about


def test_men_and_women_with_shares_are_no_arms() -> None:
    found = find(
        TITLE, "The group included 30 patients (19 [63%] women and 11 [37%] men) with gout."
    )
    assert (found.value, found.arms) == (30, ())
