"""The table of all records of the HTML page: sortable columns, folded abstracts, links."""

from typing import Any

from warehouse.citations import short_journal
from warehouse.report.clean import links, markup
from warehouse.report.facts import GRADES, Facts, Row
from warehouse.report.markdown import caveats, who
from warehouse.report.words import Words

# name of the column's word, its class, how its keys are ordered
_COLUMNS = (
    ("grade", "", "number"), ("evidence", "what", "text"), ("design", "", "text"),
    ("sample_size", "number", "number"), ("year", "number", "number"), ("journal", "", "text"),
    ("why", "", "text"),
)  # fmt: skip
_ORDER = {grade: place for place, grade in enumerate(("A", "B", "C", "D", "ungraded", "excluded"))}


def table(facts: Facts, words: Words) -> str:
    """Tools (shown by the script) and the table; registered trials stand last."""
    rows = "".join(_row(row, words) for row in [*facts.rows, *facts.trials])
    heads = "".join(_head(*column, words) for column in _COLUMNS)
    caption = markup(words("all_records"))
    return (
        f"{_tools(words)}"
        f'<div class="scroll" role="region" aria-label="{caption}" tabindex="0">'
        f'<table class="records"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _tools(words: Words) -> str:
    return (
        f'<div class="tools" hidden><label>{markup(words("filter"))} '
        '<input id="filter" type="search" autocomplete="off"></label>'
        f'<button type="button" id="expand">{markup(words("expand"))}</button>'
        f'<button type="button" id="collapse">{markup(words("collapse"))}</button>'
        f'<span class="note" id="status" role="status" data-shown="{markup(words("shown"))}">'
        "</span></div>"
    )


def _head(name: str, kind: str, order: str, words: Words) -> str:
    said = markup(words(name))
    label = f"{markup(words('sort_hint'))}: {said}"
    return (
        f'<th scope="col" class="{kind}" data-order="{order}">'
        f'<button type="button" title="{label}">{said}</button></th>'
    )


def _row(row: Row, words: Words) -> str:
    grade = "trial" if row.get("nct_id") else str(row.get("grade") or "ungraded")
    label = "NCT" if grade == "trial" else str(row.get("grade_label") or grade)
    place = _ORDER.get(grade, len(GRADES))
    design = words.design("registered" if grade == "trial" else row.get("design") or "none")
    style = grade if grade in _ORDER or grade == "trial" else "ungraded"
    badge = f'<span class="grade grade-{style}">{markup(label)}</span>'
    size = row.get("sample_size")
    cells = (
        _cell(badge, place),
        _cell(_what(row, words), row.get("title"), "what"),
        _cell(markup(design), design),
        _cell(f"{size:,}" if isinstance(size, int) else "", size, "number"),
        _cell(markup(row.get("year")), row.get("year"), "number"),
        _cell(markup(short_journal(row)), short_journal(row)),
        _cell(markup(row.get("grade_rationale")), row.get("grade_rationale")),
    )
    return f"<tr>{''.join(cells)}</tr>"


def _cell(content: str, key: Any, kind: str = "") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<td{name} data-key="{markup(key)}">{content}</td>'


def _what(row: Row, words: Words) -> str:
    pages = " · ".join(f'<a href="{url}">{markup(name)}</a>' for name, url in links(row))
    parts = [
        f'<div class="title">{markup(row.get("title")) or markup(words("unknown"))}</div>',
        f"<div>{markup(who(row, words))}</div>",
        f"<div>{pages}{_flags(row, words)}</div>",
        _abstract(row, words),
    ]
    return "".join(parts)


def _flags(row: Row, words: Words) -> str:
    said = []
    if row.get("is_retracted"):
        said.append(words("retracted"))
    if row.get("is_preprint"):
        said.append(words("preprint"))
    if row.get("superseded_by"):
        said.append(words("superseded", pmid=row["superseded_by"]))
    said += caveats(row, words)
    return "".join(f' <span class="flag">{markup(text)}</span>' for text in said)


def _abstract(row: Row, words: Words) -> str:
    text = markup(row.get("abstract"))
    if not text:
        return f'<p class="note">{markup(words("no_abstract"))}</p>'
    return f"<details><summary>{markup(words('abstract'))}</summary><p>{text}</p></details>"
