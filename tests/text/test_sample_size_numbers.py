"""Numbers as tokens, and sentences as offsets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from etl.text.numbers import _ASCII_TOKEN, _TOKEN, pointed_value, tokenize, words_value
from etl.text.sentences import Section, kind_of, kinds, split


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("one hundred and twenty-four women", [124]),
        ("hundred fifty-nine patients", [159]),
        ("four thousand nine hundred twenty-two of the 8,028", [4922, 8028]),
        ("13 388 women", [13388]),
        ("in 2010 120 patients", [2010, 120]),
        ("n = 1 234 567", [1234567]),
        ("0.05 and 1.5", []),
        ("p53 and il6", []),
        ("twenty and thirty", [20, 30]),
        ("two thousand and three", [2003]),
    ],
)
def test_values(text: str, values: list[int]) -> None:
    assert list(tokenize(text)[1].values()) == values


def test_words_that_are_no_number() -> None:
    assert words_value(["twenty", "thirty"]) is None


def test_points_group_digits_in_threes_only() -> None:
    assert pointed_value("1.234") == 1234
    assert pointed_value("0.234") is None
    assert pointed_value("1.23") is None


@given(st.integers(min_value=1, max_value=99_999_999))
def test_grouped_digits_come_back(number: int) -> None:
    for text in (f"{number:,}", f"{number:,}".replace(",", " "), str(number)):
        assert list(tokenize(f"{text} patients")[1].values()) == [number]


def test_abbreviations_and_decimals_do_not_end_a_sentence() -> None:
    text = "Tea vs. Coffee was tried by Dr. J. Brown. P was 0.05 (i.e. small). It helped!"
    assert [text[start:end] for start, end in split(text)] == [
        "Tea vs. Coffee was tried by Dr. J. Brown.",
        "P was 0.05 (i.e. small).",
        "It helped!",
    ]


@given(st.text(alphabet="aA1. ()?\n。", max_size=60))
def test_sentences_cover_all_but_white_space(text: str) -> None:
    spans = split(text)
    rest = text
    for start, end in reversed(spans):
        rest = rest[:start] + rest[end:]
    assert not rest.strip()


def test_sections_by_label_and_category() -> None:
    text = "AIM: To see. PATIENTS: Ten. RESULTS: Good."
    assert kinds(text) == [(0, "background"), (13, "methods"), (28, "results")]
    sections = [Section("AIM", None, "To see."), Section("ODD", "METHODS", "Ten.")]
    assert kinds("AIM: To see. ODD: Ten.", sections) == [(0, "background"), (13, "methods")]
    assert kind_of("Main Outcome Measures") == "methods"


_ALPHABET = "ab12305. ,'_-()%=\t\n"


@given(st.text(_ALPHABET, max_size=20))
def test_ascii_is_cut_into_the_same_tokens(text: str) -> None:
    assert _ASCII_TOKEN.findall(text) == _TOKEN.findall(text)
    letters = tokenize(f"{text} é")  # one more token, by the pattern for all letters
    assert tokenize(text) == (letters[0][:-1], letters[1])
