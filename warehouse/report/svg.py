"""Inline SVG: the evidence pyramid and the grades by year. Colours come from the page's classes."""

from collections.abc import Iterator, Mapping

from warehouse.report.clean import markup
from warehouse.report.facts import LEVELS, Facts
from warehouse.report.words import Words

_STEP = 44  # height of a level
_HALF = 180  # half of the pyramid's base
_WIDE = 660
_GAP = 3


def pyramid(facts: Facts, words: Words) -> str:
    """Six levels of study design, strongest on top, each with its number of records."""
    counts = facts.levels()
    said = "; ".join(f"{words(f'levels.{level}')}: {n}" for level, n in counts.items())
    height = len(LEVELS) * _STEP + 8
    body = "".join(_level(place, name, counts[name], words) for place, name in enumerate(LEVELS))
    return _svg("pyramid", height, (words("pyramid"), said), body)


def _level(place: int, name: str, count: int, words: Words) -> str:
    top, bottom = place * _STEP + _GAP, (place + 1) * _STEP
    # the apex is cut off so that the uppermost level has room for its number
    upper, lower = _half(top), _half(bottom)
    points = f"{_HALF - upper:.0f},{top} {_HALF + upper:.0f},{top} "
    points += f"{_HALF + lower:.0f},{bottom} {_HALF - lower:.0f},{bottom}"
    middle = (top + bottom) / 2
    empty = "" if count else " empty"
    lead = f'x1="{_HALF + _half(middle) + 6:.0f}" x2="{2 * _HALF + 22}"'
    return (
        f'<line class="lead" {lead} y1="{middle:.0f}" y2="{middle:.0f}"/>'
        f'<polygon class="level-{place + 1}{empty}" points="{points}"/>'
        f'<text class="on" x="{_HALF}" y="{middle + 5:.0f}" text-anchor="middle">{count}</text>'
        f'<text x="{2 * _HALF + 28}" y="{middle + 5:.0f}">{markup(words(f"levels.{name}"))}</text>'
    )


def _half(y: float) -> float:
    return 26 + (_HALF - 26) * y / (len(LEVELS) * _STEP)


_PLOT_HIGH = 190
_LEFT = 34


def by_year(facts: Facts, words: Words) -> str:
    """Stacked bars, one a year, grade A at the foot; empty without dated records."""
    years = facts.years()
    if not years:
        return ""
    most = max(sum(counts.values()) for counts in years.values())
    width = (_WIDE - _LEFT - 8) / len(years)
    body = "".join(_axis(most))
    for place, (year, counts) in enumerate(years.items()):
        body += "".join(_bar(_LEFT + place * width, width, year, counts, most))
    body += "".join(_year_labels(list(years), width)) + "".join(_legend())
    said = "; ".join(_said(year, counts) for year, counts in years.items() if any(counts.values()))
    return _svg("years", _PLOT_HIGH + 74, (words("by_year"), said), body)


def _axis(most: int) -> Iterator[str]:
    for value in sorted({0, (most + 1) // 2, most}):
        y = _y(value, most)
        yield f'<line class="axis" x1="{_LEFT}" x2="{_WIDE - 8}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text class="soft" x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value}</text>'


def _y(value: float, most: int) -> float:
    return 8 + _PLOT_HIGH * (1 - value / most)


def _bar(x: float, width: float, year: int, counts: Mapping[str, int], most: int) -> Iterator[str]:
    below = 0
    inner = min(max(width * 0.76, 1.0), 46.0)
    for grade in "ABCD":
        count = counts[grade]
        if count:
            top = _y(below + count, most)
            yield (
                f'<rect class="fill-{grade}" x="{x + (width - inner) / 2:.1f}" y="{top:.1f}" '
                f'width="{inner:.1f}" height="{_y(below, most) - top:.1f}">'
                f"<title>{year}: {grade} {count}</title></rect>"
            )
            below += count


def _year_labels(years: list[int], width: float) -> Iterator[str]:
    every = max(1, -(-36 // max(1, int(width))))  # a label needs some 36 units
    for place, year in enumerate(years):
        if place % every == 0:
            x = _LEFT + (place + 0.5) * width
            y = _PLOT_HIGH + 26
            yield f'<text class="soft" x="{x:.1f}" y="{y}" text-anchor="middle">{year}</text>'


def _legend() -> Iterator[str]:
    for place, grade in enumerate("ABCD"):
        x, y = _LEFT + place * 62, _PLOT_HIGH + 46
        yield f'<rect class="fill-{grade}" x="{x}" y="{y}" width="14" height="14"/>'
        yield f'<text x="{x + 20}" y="{y + 12}">{grade}</text>'


def _said(year: int, counts: Mapping[str, int]) -> str:
    return f"{year}: " + ", ".join(f"{grade} {n}" for grade, n in counts.items() if n)


def _svg(name: str, height: int, said: tuple[str, str], body: str) -> str:
    """``said`` is the title and the numbers in words, for those who do not see the drawing."""
    title, about = said
    return (
        f'<svg viewBox="0 0 {_WIDE} {height}" role="img" aria-labelledby="{name}-t {name}-d" '
        f'xmlns="http://www.w3.org/2000/svg"><title id="{name}-t">{markup(title)}</title>'
        f'<desc id="{name}-d">{markup(about)}</desc>{body}</svg>'
    )
