"""References for every number of authors, groups, and records that lack things."""

from typing import Any

import pytest

from warehouse.citations import apa, chinese, full_pages, gbt7714

PAPER = {
    "title": "Azacitidine and venetoclax in untreated leukaemia.",
    "journal": "The New England journal of medicine",
    "journal_abbreviation": "N Engl J Med",
    "year": 2020, "volume": "383", "issue": "7", "pages": "617-29", "doi": "10.1000/x1",
}  # fmt: skip
REST = (
    "(2020). Azacitidine and venetoclax in untreated leukaemia. "
    "The New England journal of medicine, 383(7), 617–629. https://doi.org/10.1000/x1"
)


def paper(*authors: str, **more: Any) -> dict[str, Any]:
    return PAPER | {"authors": list(authors)} | more


def many(count: int) -> dict[str, Any]:
    return paper(*(f"Author{n:02d} A" for n in range(1, count + 1)))


@pytest.mark.parametrize(
    ("authors", "apa_names", "chinese_names"),
    [
        (["Smith JA"], "Smith, J. A.", "Smith"),
        (["Smith JA", "de la Cruz M"], "Smith, J. A., & de la Cruz, M.", "Smith、de la Cruz"),
        (["Smith J", "Łuk K", "O'Brien K"], "Smith, J., Łuk, K., & O'Brien, K.", "Smith 等"),
        (["VIALE-A Investigators"], "VIALE-A Investigators.", "VIALE-A Investigators"),
        (["World Health Organization"], "World Health Organization.", "World Health Organization"),
        (["Smith J", "STOP Study Group UK"], "Smith, J., & STOP Study Group UK.",
         "Smith、STOP Study Group UK"),
        (["Aristotle"], "Aristotle.", "Aristotle"),
        (["王 X"], "王, X.", "王"),
    ],
)  # fmt: skip
def test_names(authors: list[str], apa_names: str, chinese_names: str) -> None:
    assert apa(paper(*authors)) == f"{apa_names} {REST}"
    assert chinese(paper(*authors)) == f"{chinese_names},2020,NEJM"


def test_nobody() -> None:
    assert apa(paper()) == (
        "Azacitidine and venetoclax in untreated leukaemia. (2020). "
        "The New England journal of medicine, 383(7), 617–629. https://doi.org/10.1000/x1"
    )
    assert chinese(paper()) == "佚名,2020,NEJM"
    assert gbt7714(paper()).startswith("佚名. Azacitidine")


def test_twenty_are_named_and_of_more_nineteen_and_the_last() -> None:
    twenty = apa(many(20)).split(" (2020)")[0]
    assert twenty.count("Author") == 20 and ", & Author20, A." in twenty and ". . ." not in twenty
    more = apa(many(21)).split(" (2020)")[0]
    assert more.endswith("Author19, A., . . . Author21, A.") and "Author20" not in more
    assert "&" not in more
    assert chinese(many(21)) == "Author01 等,2020,NEJM"


def test_details_say_who_is_a_group_and_what_is_hyphenated() -> None:
    details = [
        {"last_name": "Martin", "fore_name": "Jean-Pierre Luc", "initials": "JPL"},
        {"last_name": "King", "fore_name": "Martin L", "initials": "ML", "suffix": "Jr"},
        {"last_name": "Wrong", "initials": "W", "valid": False},
        {"collective_name": "UK ABC"},
    ]
    text = apa(paper("ignored", author_details=details))
    assert text.startswith("Martin, J.-P. L., King, M. L., Jr, & UK ABC. (2020).")
    assert gbt7714(paper(author_details=details)).startswith("MARTIN J P L, KING M L, UK ABC. ")


def test_what_is_missing_is_left_out() -> None:
    assert apa({"title": "Is it so?", "authors": ["A B"]}) == "A, B. (n.d.). Is it so?"
    assert apa({"title": "T", "authors": [], "year": 2001}) == "T. (2001)."
    assert apa({}) == "[Untitled]. (n.d.)."
    assert chinese({"authors": ["A B"]}) == "A"
    issue = apa(paper("A B", volume=None, pages=None, doi=None))
    assert issue.endswith("The New England journal of medicine, (7).")


def test_an_unfinished_list_of_authors_says_et_al() -> None:
    record = paper("Smith J", authors_complete=False)
    assert apa(record).startswith("Smith, J., et al. (2020)")
    assert chinese(record) == "Smith 等,2020,NEJM"


def test_a_translated_title() -> None:
    record = paper("A B", title="[On the heart].", vernacular_title="Über das Herz.")
    assert "Über das Herz [On the heart]." in apa(record)


def test_chinese_standard() -> None:
    record = paper("DiNardo CD", "Jonas BA", "Pullarkat V", "Thirman MJ")
    assert gbt7714(record) == (
        "DINARDO C D, JONAS B A, PULLARKAT V, et al. Azacitidine and venetoclax in untreated "
        "leukaemia[J]. The New England journal of medicine, 2020, 383(7): 617-629. "
        "DOI: 10.1000/x1."
    )


@pytest.mark.parametrize(
    ("printed", "full"),
    [("617-29", "617-629"), ("1-10", "1-10"), ("99-101", "99-101"), ("S12-5", "S12-15"),
     ("e123", "e123"), ("12-5; discussion 33-4", "12-15; discussion 33-34"), ("", "")],
)  # fmt: skip
def test_pages(printed: str, full: str) -> None:
    assert full_pages(printed) == full


def test_an_article_number() -> None:
    assert ", 383(7), Article e123." in apa(paper("A B", pages="e123"))
