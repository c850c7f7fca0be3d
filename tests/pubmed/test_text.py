"""Identifiers in one spelling; white space folded as str.split() sees it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from etl.sources.pubmed.text import doi, fold, folded, orcid, pmcid


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10.1000/ABC", "10.1000/abc"),
        (" https://doi.org/10.1000/A b ", "10.1000/ab"),
        ("http://dx.doi.org/10.1/X", "10.1/x"),
        ("doi: 10.1/X", "10.1/x"),
        ("doi:10.1002/(SICI)1<1::AID>3.0.CO;2-#", "10.1002/(sici)1<1::aid>3.0.co;2-#"),
        ("S0140-6736(20)1", None),
        ("", None),
        (None, None),
    ],
)
def test_doi(text: str | None, expected: str | None) -> None:
    assert doi(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "0000-0001-2345-678X",
        "000000012345678X",
        "0000 0001 2345 678x",
        "https://orcid.org/0000-0001-2345-678X",
        "http://orcid.org/000000012345678x",
        " ORCID: 0000-0001-2345-678X ",
        "0000-0001-2345-678X/",
    ],
)
def test_orcid_spellings(text: str) -> None:
    assert orcid(text) == "0000-0001-2345-678X"


@pytest.mark.parametrize("text", ["0000-0001-2345", "none", "", None, "00000001234567890123"])
def test_no_orcid(text: str | None) -> None:
    assert orcid(text) is None


def test_pmcid() -> None:
    assert [pmcid(t) for t in ("PMC12", " pmc12 ", "12", "MID1", None)] == [
        "PMC12", "PMC12", "PMC12", None, None,
    ]  # fmt: skip


@given(
    st.lists(
        st.none()
        | st.text(st.sampled_from(" \t\n\r\x85\xa0\u1680\u2003\u2028\u202f\u205f\u3000ab–é"))
    )
)
def test_folded_is_fold_of_each(values: list[str | None]) -> None:
    assert folded(values).to_pylist() == [fold(value) for value in values]
