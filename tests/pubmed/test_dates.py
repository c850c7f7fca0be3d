"""Publication dates keep what is stated and no more."""

import pytest

from etl.sources.pubmed.dates import day_count, month_number, publication_date


def _parts(**parts: str) -> dict[str, str | None]:
    return dict(parts)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (_parts(Year="2020"), (2020, "2020", "year", None)),
        (_parts(Year="2020", Month="Jun"), (2020, "2020-06", "month", None)),
        (_parts(Year="2020", Month="06"), (2020, "2020-06", "month", None)),
        (_parts(Year="2020", Month="Sept."), (2020, "2020-09", "month", None)),
        (_parts(Year="2020", Month="2", Day="29"), (2020, "2020-02-29", "day", None)),
        (_parts(Year="2019", Month="Feb", Day="29"), (2019, "2019-02", "month", None)),
        (_parts(Year="2019", Month="13"), (2019, "2019", "range", "13")),
        (_parts(Year="2019", Day="7"), (2019, "2019", "year", None)),
        (_parts(Year="1990", Season="Fall"), (1990, "1990", "season", "Fall")),
        (_parts(Year="1990", Season="Jan-Mar"), (1990, "1990", "range", "Jan-Mar")),
        (_parts(Year="2019", Month="Sep/Oct"), (2019, "2019", "range", "Sep/Oct")),
        (_parts(Year="2019", Month="Jan-Feb"), (2019, "2019", "range", "Jan-Feb")),
        (_parts(Year="2016", Month="Winter"), (2016, "2016", "season", "Winter")),
        (_parts(Year="Winter 2016"), (2016, "2016", "season", "Winter 2016")),
        (_parts(Year="2019 Sep/Oct"), (2019, "2019", "range", "2019 Sep/Oct")),
        (_parts(MedlineDate="Winter 2016"), (2016, "2016", "season", "Winter 2016")),
        (_parts(MedlineDate="2019 Sep/Oct"), (2019, "2019", "range", "2019 Sep/Oct")),
        (_parts(MedlineDate="Jan-Feb"), (None, None, "unknown", "Jan-Feb")),
        (_parts(MedlineDate="1998 Dec-1999 Jan"), (1998, "1998", "range", "1998 Dec-1999 Jan")),
        (_parts(MedlineDate="1944-1945"), (1944, "1944", "range", "1944-1945")),
        (_parts(MedlineDate="2000 Spring"), (2000, "2000", "season", "2000 Spring")),
        (_parts(MedlineDate="2015 Oct-Dec"), (2015, "2015", "range", "2015 Oct-Dec")),
        (_parts(MedlineDate="1978 Sep-OCT"), (1978, "1978", "range", "1978 Sep-OCT")),
        (_parts(MedlineDate="1999 May - Jun"), (1999, "1999", "range", "1999 May - Jun")),
        (_parts(MedlineDate="1999 Dec 15-21"), (1999, "1999", "range", "1999 Dec 15-21")),
        (_parts(MedlineDate="1999"), (1999, "1999", "year", "1999")),
        (_parts(MedlineDate="1999 Dec"), (1999, "1999-12", "month", "1999 Dec")),
        (_parts(Month="Jun"), (None, None, "unknown", None)),
        (_parts(Season="Fall"), (None, None, "unknown", "Fall")),
        (_parts(), (None, None, "unknown", None)),
        (_parts(Year="20"), (None, None, "unknown", "20")),
    ],
)
def test_publication_date(
    parts: dict[str, str | None], expected: tuple[int | None, str | None, str, str | None]
) -> None:
    assert tuple(publication_date(parts)) == expected


def test_month_number() -> None:
    assert [month_number(t) for t in ("1", "12", "Dec", "december", "0", "x", None)] == [
        1, 12, 12, 12, None, None, None,
    ]  # fmt: skip


def test_day_count_is_null_unless_the_date_is_whole() -> None:
    assert day_count("1970", "1", "2") == 1
    assert day_count("1969", "Dec", "31") == -1
    assert day_count("2020", "2", None) is None
    assert day_count("2020", None, "2") is None
    assert day_count("2021", "2", "29") is None
