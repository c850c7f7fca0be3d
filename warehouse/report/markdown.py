"""The report as Markdown, in the sections of the seed."""

from collections.abc import Iterator, Sequence

from warehouse.citations import apa, short_journal
from warehouse.people import authors_of, first_name
from warehouse.report.clean import links, markdown
from warehouse.report.facts import GRADES, Facts, Row
from warehouse.report.findings import Sentence, advice, gaps, key_findings
from warehouse.report.standing import standing
from warehouse.report.words import Words

_REFERENCES = 50
_TRIALS = 20
_PLANNED = ("ESTIMATED", "ANTICIPATED")


def render(facts: Facts, words: Words) -> str:
    """The whole page, ending with a line break."""
    parts = [
        _head(facts, words),
        _section(words("distribution"), _grades(facts, words)),
        _section(words("top"), _top(facts, words)),
        _section(words("findings"), _sentences(key_findings(facts, words))),
        _section(words("citing"), _sentences(advice(facts, words))),
        _section(words("gaps"), _sentences(gaps(facts, words))),
        _section(words("references"), _references(facts, words)),
        *([_section(words("trials"), _trials(facts, words))] if facts.trials else []),
    ]
    return "\n\n".join(parts) + "\n"


def _head(facts: Facts, words: Words) -> str:
    title = markdown(facts.query) or words("untitled")
    path = "path_list" if facts.snapshot is None else "path_warehouse"
    generated = facts.generated.strftime("%Y-%m-%d")
    said = (
        f"**{words('generated')}**: {generated} **{words('total')}**: {facts.total} "
        f"{words('records')} **{words('path')}**: {words(path, snapshot=facts.snapshot)}"
    )
    lines = [f"# {words('title')} · {title}", said]
    if facts.counted_beyond:
        total = sum(facts.counts.values())
        lines.append(words("listed", listed=len(facts.rows), total=total))
    if facts.translation:
        lines.append(f"**{words('translation')}**: {markdown(facts.translation)}")
    return "\n\n".join([*lines, _standing(facts, words)])


def _standing(facts: Facts, words: Words) -> str:
    """Warnings as a quotation block, the rest as a list."""
    said = standing(facts, words)
    warnings = [f"> **{words('warning')}** {markdown(one.text)}" for one in said if one.warns]
    notes = "\n".join(f"- {markdown(one.text)}" for one in said if not one.warns)
    return "\n\n".join(part for part in ("\n>\n".join(warnings), notes) if part)


def _section(title: str, body: str) -> str:
    return f"## {title}\n\n{body}"


def _grades(facts: Facts, words: Words) -> str:
    head = f"| {words('grade')} | {words('count')} | {words('share')} |\n|-------|------|------|"
    rows = []
    for grade in GRADES:
        count = facts.counts[grade]
        share = "--" if grade == "excluded" else percent(count, facts.total)
        rows.append(f"| {words(f'grades.{grade}')} | {count} | {share} |")
    return "\n".join([head, *rows])


def percent(count: int, total: int) -> str:
    """``count`` of ``total`` with one decimal; ``--`` of nothing."""
    return f"{100 * count / total:.1f}%" if total else "--"


def _top(facts: Facts, words: Words) -> str:
    if not facts.top:
        return words("no_top")
    return "\n".join(f"{n}. {_top_line(row, words)}" for n, row in enumerate(facts.top, 1))


def _top_line(row: Row, words: Words) -> str:
    parts = [f"**{markdown(who(row, words))}**"]
    parts += [f"[{name}]({url})" for name, url in links(row)]
    parts += [markdown(row.get("grade_rationale")), markdown(row.get("title"))]
    return " · ".join([*parts, *(f"**{text}**" for text in caveats(row, words))])


def caveats(row: Row, words: Words) -> list[str]:
    """What limits ``row`` in this report: only near the question, a planned or doubtful number."""
    planned = row.get("nct_id") and str(row.get("enrollment_type")).upper() in _PLANNED
    said = {
        "near": row.get("match") == "nearest",
        "planned": planned and row.get("sample_size"),
        "doubtful": row.get("enrollment_doubtful") is True,
    }
    return [words(name) for name, holds in said.items() if holds]


def who(row: Row, words: Words) -> str:
    """``DiNardo et al. NEJM 2020``."""
    authors = authors_of(row)
    name = first_name(authors) or words("unknown_author")
    more = " et al." if len(authors) > 1 else ""
    parts = (f"{name}{more}", short_journal(row), str(row.get("year") or ""))
    return " ".join(part for part in parts if part)


def _sentences(sentences: Sequence[Sentence]) -> str:
    return "\n".join(f"- {markdown(sentence.text)}" for sentence in sentences)


def _references(facts: Facts, words: Words) -> str:
    cited = facts.citable[:_REFERENCES]
    if not cited:
        return words("no_top")
    lines = [f"{n}. {reference}" for n, reference in enumerate(_cited(cited, words), 1)]
    if len(facts.citable) > len(cited):
        lines.append(f"\n{words('references_more', count=len(facts.citable) - len(cited))}")
    return "\n".join([f"{words('references_note')}\n", *lines])


def _cited(rows: Sequence[Row], words: Words) -> Iterator[str]:
    for row in rows:
        pages = " · ".join(f"[{name}]({url})" for name, url in links(row))
        grade = str(row.get("grade_label") or row.get("grade"))
        label = ", ".join([markdown(grade), *caveats(row, words)])
        yield f"{markdown(apa(row))} {pages} ({label})".strip()


def _trials(facts: Facts, words: Words) -> str:
    """The registered trials of the answer: plans and registry entries, none of them graded."""
    total = max(int_of(facts.answer.get("trials_total")), len(facts.trials))
    shown = facts.trials[:_TRIALS]
    lines = [f"{words('trials_note', shown=len(shown), total=total)}\n"]
    return "\n".join([*lines, *(f"- {_trial(row, words)}" for row in shown)])


def _trial(row: Row, words: Words) -> str:
    size = row.get("sample_size")
    said = [row.get("title"), row.get("overall_status"), row.get("phase"), row.get("year")]
    parts = [f"[{name}]({url})" for name, url in links(row)]
    parts += [markdown(text) for text in (*said, f"n = {size:,}" if size else None) if text]
    return " · ".join([*parts, *caveats(row, words)])


def int_of(value: object) -> int:
    """``value`` where it is a count, else 0."""
    return value if isinstance(value, int) else 0
