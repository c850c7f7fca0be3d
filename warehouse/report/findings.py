"""Rule-made sentences: quoted from records or counted from them, each with its PMIDs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from warehouse.report.conclusions import conclusion
from warehouse.report.facts import Facts, Row, identifier
from warehouse.report.standing import failed_sources, outside
from warehouse.report.words import Words

ENOUGH_A = 3  # the seed's threshold for a gap
OLD = 5  # years
_NAMED = 10  # PMIDs named in one sentence
_QUOTED = 5


@dataclass(frozen=True)
class Sentence:
    """One sentence of a report and the records that it rests on."""

    text: str
    pmids: list[str] = field(default_factory=list)


def key_findings(facts: Facts, words: Words) -> list[Sentence]:
    """What the records say and how many say it; last, what was not computed."""
    return [
        *_quotes(facts, words),
        *_counted(facts, words),
        Sentence(words("finding.not_computed")),
    ]


def _quotes(facts: Facts, words: Words) -> list[Sentence]:
    found: list[Sentence] = []
    for row in facts.citable:
        said = conclusion(row)
        if said and len(found) < _QUOTED:
            size = f", n = {row['sample_size']:,}" if row.get("sample_size") else ""
            text = words(
                "finding.conclusion", sentence=said, pmid=identifier(row), grade=row.get("grade"),
                design=words.design(row.get("design")), size=size,
                year=row.get("year") or words("unknown"),
            )  # fmt: skip
            found.append(Sentence(text, [identifier(row)]))
    return found or [Sentence(words("finding.no_conclusion"))]


def _counted(facts: Facts, words: Words) -> Iterator[Sentence]:
    yield _sizes(facts, words)
    dated = [row for row in facts.graded("A") if row.get("year")]
    if dated:
        newest = max(dated, key=lambda row: int(row["year"]))
        text = words("finding.newest", year=newest["year"], pmid=identifier(newest))
        yield Sentence(text, [identifier(newest)])
    groups = {
        "trials": [row for row in facts.rows if row.get("nct_ids")],
        "inferred": [row for row in facts.rows if row.get("inferred")],
        "retracted": [row for row in facts.rows if row.get("is_retracted")],
        "superseded": [row for row in facts.rows if row.get("superseded_by")],
    }
    for name, rows in groups.items():
        if rows:
            text = words(f"finding.{name}", count=len(rows), pmids=_named(rows))
            yield Sentence(text, _pmids(rows))


def _sizes(facts: Facts, words: Words) -> Sentence:
    known = [row for row in facts.rows if row.get("sample_size")]
    if not known:
        return Sentence(words("finding.no_sizes"))
    share = words("finding.sizes", known=len(known), total=len(facts.rows))
    best = [row for row in facts.citable if row.get("sample_size")]
    if not best:
        return Sentence(share)
    largest = max(best, key=lambda row: int(row["sample_size"]))
    text = words("finding.largest", n=f"{largest['sample_size']:,}", pmid=identifier(largest))
    return Sentence(f"{text} {share}", [identifier(largest)])


def advice(facts: Facts, words: Words) -> list[Sentence]:
    """How to cite: grade A first, B beside it, D not."""
    best = [row for row in facts.citable if row.get("grade") == "A"]
    second = [row for row in facts.citable if row.get("grade") == "B"]
    name = "main" if len(best) >= ENOUGH_A else "few" if best else "none"
    said = [Sentence(words(f"cite.{name}", count=len(best), pmids=_named(best)), _pmids(best))]
    if second:
        said.append(Sentence(words("cite.support", pmids=_named(second)), _pmids(second)))
    said.append(Sentence(words("cite.weak", count=facts.counts["D"])))
    return [*said, Sentence(words("cite.never"))]


def gaps(facts: Facts, words: Words) -> list[Sentence]:
    """What is missing, as far as counts can tell; what they cannot tell is said to be open."""
    said = []
    if failed := failed_sources(facts):
        said.append(Sentence(words("gap.incomplete", names=", ".join(failed))))
    if facts.counts["A"] < ENOUGH_A:
        said.append(Sentence(words("gap.few_a", count=facts.counts["A"])))
    designs = {row.get("design") for row in facts.rows}
    if not designs & {"guideline", "consensus"}:
        said.append(Sentence(words("gap.no_guideline")))
    if "rct" not in designs:
        said.append(Sentence(words("gap.no_trial")))
    if outside(facts):
        said.append(Sentence(words("gap.years", count=outside(facts))))
    years = [int(row["year"]) for row in facts.graded("A") if row.get("year")]
    if years and max(years) < facts.generated.year - OLD:
        said.append(Sentence(words("gap.old", year=max(years))))
    if facts.counts["ungraded"] * 2 > facts.total > 0:
        count = facts.counts["ungraded"]
        said.append(Sentence(words("gap.many_ungraded", count=count, total=facts.total)))
    said += _unsized(facts, words)
    return [*said, Sentence(words("gap.chinese")), Sentence(words("gap.not_computed"))]


def _unsized(facts: Facts, words: Words) -> list[Sentence]:
    kinds = ("rct", "phase_3", "phase_2", "cohort", "prospective_multicenter")
    rows = [r for r in facts.rows if r.get("design") in kinds and not r.get("sample_size")]
    if not rows:
        return []
    return [Sentence(words("gap.unsized", count=len(rows), pmids=_named(rows)), _pmids(rows))]


def _pmids(rows: Sequence[Row]) -> list[str]:
    return [identifier(row) for row in rows]


def _named(rows: Sequence[Row]) -> str:
    names = _pmids(rows)
    more = f", … (+{len(names) - _NAMED})" if len(names) > _NAMED else ""
    return f"PMID {', '.join(names[:_NAMED])}{more}" if names else "–"
