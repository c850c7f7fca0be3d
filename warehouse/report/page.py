"""The report as one HTML page that needs nothing else: no network, no other file.

The content security policy allows the page's own style and script (by their checksums) and
nothing more, so that even a flaw in escaping could not run or fetch anything.
"""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from warehouse.citations import apa
from warehouse.report import svg
from warehouse.report.clean import links, markup
from warehouse.report.facts import GRADES, Facts, Row
from warehouse.report.findings import Sentence, advice, gaps, key_findings
from warehouse.report.markdown import caveats, percent, who
from warehouse.report.page_table import table
from warehouse.report.standing import Said, standing
from warehouse.report.words import Words


def render(facts: Facts, words: Words) -> str:
    """The whole document."""
    title = f"{words('title')} · {facts.query or words('untitled')}"
    return (
        f'<!DOCTYPE html>\n<html lang="{words("html_lang")}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        # without an icon of its own a browser asks a server for one
        '<link rel="icon" href="data:,">\n'
        f"<title>{markup(title)}</title>\n<style>{_asset('page.css')}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#records">{markup(words("all_records"))}</a>\n'
        f"{_body(facts, words)}\n<script>{_asset('page.js')}</script>\n</body>\n</html>\n"
    )


def _body(facts: Facts, words: Words) -> str:
    sections = (
        ("grades", words("distribution"), _counts(facts, words)),
        ("top", words("top"), _top(facts, words)),
        ("findings", words("findings"), _findings(facts, words)),
        ("citing", words("citing"), _list(advice(facts, words))),
        ("gaps", words("gaps"), _list(gaps(facts, words))),
        ("records", words("all_records"), table(facts, words)),
        ("references", words("references"), _references(facts, words)),
    )
    main = "\n".join(_section(*section) for section in sections)
    foot = f'<footer><p class="note">{markup(words("footer"))}</p></footer>'
    head = f"<header>{_head(facts, words)}</header>"
    return f"{head}\n<main>\n{_charts(facts, words)}\n{main}\n</main>\n{foot}"


def _head(facts: Facts, words: Words) -> str:
    path = "path_list" if facts.snapshot is None else "path_warehouse"
    said = {
        "generated": facts.generated.strftime("%Y-%m-%d"),
        "total": f"{facts.total} {words('records')}",
        "path": words(path, snapshot=facts.snapshot),
    }
    spans = "".join(
        f"<span><strong>{markup(words(name))}</strong>: {markup(text)}</span>"
        for name, text in said.items()
    )
    lines = [
        f"<h1>{markup(words('title'))} · {markup(facts.query or words('untitled'))}</h1>",
        f'<p class="meta">{spans}</p>',
    ]
    if facts.counted_beyond:
        total = sum(facts.counts.values())
        listed = words("listed", listed=len(facts.rows), total=total)
        lines.append(f'<p class="meta">{markup(listed)}</p>')
    if facts.translation:
        name = markup(words("translation"))
        lines.append(
            f'<details class="meta"><summary>{name}</summary>'
            f'<p class="query">{markup(facts.translation)}</p></details>'
        )
    return "".join([*lines, _standing(facts, words)])


def _standing(facts: Facts, words: Words) -> str:
    """Warnings and notes as one list, warnings first and marked."""
    items = "".join(_standing_item(said, words) for said in standing(facts, words))
    return f'<ul class="standing" aria-label="{markup(words("standing_title"))}">{items}</ul>'


def _standing_item(said: Said, words: Words) -> str:
    if not said.warns:
        return f"<li>{markup(said.text)}</li>"
    return f'<li class="warns"><strong>{markup(words("warning"))}</strong> {markup(said.text)}</li>'


def _section(name: str, title: str, body: str) -> str:
    return f'<section aria-labelledby="{name}"><h2 id="{name}">{markup(title)}</h2>{body}</section>'


def _charts(facts: Facts, words: Words) -> str:
    years = svg.by_year(facts, words) or f"<p>{markup(words('no_years'))}</p>"
    note = f'<figcaption class="note">{markup(words("pyramid_note"))}</figcaption>'
    drawn = f"<figure>{svg.pyramid(facts, words)}{note}</figure>"
    return (
        f'<div class="charts">{_section("pyramid", words("pyramid"), drawn)}'
        f"{_section('by-year', words('by_year'), f'<figure>{years}</figure>')}</div>"
    )


def _counts(facts: Facts, words: Words) -> str:
    rows = "".join(_count_row(grade, facts, words) for grade in GRADES)
    return (
        f'<table class="counts"><thead><tr><th scope="col">{markup(words("grade"))}</th>'
        f'<th scope="col" class="number">{markup(words("count"))}</th>'
        f'<th scope="col" class="number">{markup(words("share"))}</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _count_row(grade: str, facts: Facts, words: Words) -> str:
    count = facts.counts[grade]
    share = "--" if grade == "excluded" else percent(count, facts.total)
    return (
        f'<tr><th scope="row">{markup(words(f"grades.{grade}"))}</th>'
        f'<td class="number">{count}</td><td class="number">{share}</td></tr>'
    )


def _top(facts: Facts, words: Words) -> str:
    items = "".join(f"<li>{_top_item(row, words)}</li>" for row in facts.top)
    return f"<ol>{items}</ol>" if items else f"<p>{markup(words('no_top'))}</p>"


def _top_item(row: Row, words: Words) -> str:
    parts = [f"<strong>{markup(who(row, words))}</strong>", linked(row)]
    parts += [markup(row.get("grade_rationale")), markup(row.get("title"))]
    parts += [f'<span class="flag">{markup(text)}</span>' for text in caveats(row, words)]
    return " · ".join(part for part in parts if part)


def linked(row: Row) -> str:
    """Links to the pages about ``row``, by name."""
    return " · ".join(f'<a href="{url}">{markup(name)}</a>' for name, url in links(row))


def _findings(facts: Facts, words: Words) -> str:
    note = f'<p class="note">{markup(words("findings_note"))}</p>'
    return note + _list(key_findings(facts, words))


def _list(sentences: Sequence[Sentence]) -> str:
    return "<ul>" + "".join(f"<li>{markup(said.text)}</li>" for said in sentences) + "</ul>"


def _references(facts: Facts, words: Words) -> str:
    if not facts.citable:
        return f"<p>{markup(words('no_top'))}</p>"
    items = "".join(f"<li>{markup(apa(row))} {linked(row)}</li>" for row in facts.citable)
    return f'<p class="note">{markup(words("references_note"))}</p><ol>{items}</ol>'


@cache
def _asset(name: str) -> str:
    return files("warehouse.report").joinpath(name).read_text(encoding="utf-8")


@cache
def _policy() -> str:
    style, script = (_checksum(_asset(name)) for name in ("page.css", "page.js"))
    return (
        f"default-src 'none'; style-src {style}; script-src {script}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _checksum(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
