"""``cross_validate_evidence``: what graded evidence says about a claim, and when it is silent."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from etl.errors import UsageError
from etl.store.index_text import words as fold_words
from warehouse.basis import basis
from warehouse.claims.pico import BETTER, SAME, Pico, pico
from warehouse.claims.stance import CONTRADICTS, SUPPORTS, Stance, stance
from warehouse.claims.terms import content_words
from warehouse.query.chinese import in_english

if TYPE_CHECKING:
    from etl.store.index_search import SearchIndex

_GRADES = "ABCD"
_LONGEST = 2000
_POOL = 400  # most relevant citations that are looked at; the grade is asked for after relevance
_READ = 50  # graded candidates whose conclusions are read, at least


def cross_validate_evidence(
    claim: str,
    top_k: int = 10,
    min_grade: str = "B",
    *,
    home: Path | None = None,
) -> dict[str, Any]:
    """Graded evidence for and against ``claim`` (English, or Chinese and English mixed).

    Returns ``claim``, ``pico`` (P, I, C, O; None for a part that no rule finds), ``supporting``
    and ``contradicting`` (at most ``top_k`` each, of grade ``min_grade`` or better, each with
    ``stance`` and the ``stance_sentence`` that decided), ``verdict`` (supported, contradicted,
    mixed, insufficient), ``confidence``; and ``reason`` (why it is insufficient, one line; else
    None), ``candidates`` (at most ``top_k``, the most relevant graded records whatever they say,
    those that name the intervention first; ``names`` lists the letters of the PICO that title or
    abstract name), ``candidates_by_grade`` (of the up to 50 records whose conclusions were read,
    those that name the intervention where the claim has one), ``notices``, ``snapshot``,
    ``warehouse``. A record takes a side only when its conclusion does so beyond doubt
    (warehouse/claims/stance.py), so most
    claims end ``insufficient``, which does not mean that there is no evidence. ``confidence`` is
    the share of the larger side in both sides plus one: 0.5 for one record, 0 for none.
    Raises ``UsageError`` for an empty claim or a bad value.
    """
    from warehouse.search import opened

    _check(claim, top_k, min_grade)
    index, snapshot = opened(home)
    said = pico(claim)
    searched, unknown = in_english(claim)
    pool = _graded(index, searched, min_grade, max(top_k, _READ))
    judged = [_judged(said, row) for row in pool]
    named = [row for row in judged if "I" in row["names"]] if said.intervention else judged
    others = [row for row in judged if row not in named]
    supporting = [row for row in judged if row["stance"] == SUPPORTS][:top_k]
    contradicting = [row for row in judged if row["stance"] == CONTRADICTS][:top_k]
    verdict, confidence = _verdict(len(supporting), len(contradicting))
    return {
        "claim": claim,
        "pico": said.letters(),
        "supporting": supporting,
        "contradicting": contradicting,
        "verdict": verdict,
        "confidence": confidence,
        "reason": _reason(said, judged, named, min_grade) if verdict == "insufficient" else None,
        "candidates": [*named, *others][:top_k],
        "candidates_by_grade": dict(sorted(Counter(row["grade"] for row in named).items())),
        "searched": searched,
        "notices": [*index.notices, *_notices(unknown)],
        "snapshot": index.snapshot,
        "warehouse": basis(snapshot),
    }


def _check(claim: str, top_k: int, min_grade: str) -> None:
    if not claim.strip():
        raise UsageError('no claim given: evidence check "aspirin reduces stroke"')
    if len(claim) > _LONGEST:
        raise UsageError(f"the claim has {len(claim)} characters: give one sentence (2000 at most)")
    if not 1 <= top_k <= 1000:
        raise UsageError(f"top {top_k} is not between 1 and 1000")
    if min_grade not in _GRADES or len(min_grade) != 1:
        raise UsageError(f"grade {min_grade!r} is none of A, B, C, D")


def _graded(index: "SearchIndex", text: str, min_grade: str, wanted: int) -> list[dict[str, Any]]:
    """The most relevant records of ``min_grade`` or better, most relevant first."""
    from warehouse.query.compile import compile_plan
    from warehouse.query.explain import nearest
    from warehouse.query.plan import Both, Codes

    plan, _ = nearest(index, text)
    if plan is None:
        return []
    grades = _GRADES[: _GRADES.index(min_grade) + 1]
    graded = Both((plan, Codes(tuple(f"g:{grade}" for grade in grades), f"{grades}[Grade]")))
    hits = index.best(compile_plan(graded, index.schema), min(wanted, _POOL))
    return [
        {"evidence_id": f"PMID:{hit.pmid}", **index.card(hit), "source": "pubmed",
         "score": round(hit.score, 4)}
        for hit in hits
    ]  # fmt: skip


def _judged(claim: Pico, row: Mapping[str, Any]) -> dict[str, Any]:
    found: Stance = stance(claim, row)
    held = set(fold_words(f"{row.get('title') or ''} {row.get('abstract') or ''}"))
    names = [
        letter
        for letter, text in claim.letters().items()
        if text and set(content_words(text)) <= held
    ]
    return {**row, "stance": found.stance, "stance_sentence": found.sentence, "names": names}


def _verdict(supporting: int, contradicting: int) -> tuple[str, float]:
    if not supporting and not contradicting:
        return "insufficient", 0.0
    confidence = round(max(supporting, contradicting) / (supporting + contradicting + 1), 2)
    if supporting and contradicting:
        return "mixed", confidence
    return ("supported" if supporting else "contradicted"), confidence


def _reason(
    claim: Pico,
    judged: Sequence[Mapping[str, Any]],
    named: Sequence[Mapping[str, Any]],
    grade: str,
) -> str:
    """The first thing that keeps the claim from being decided."""
    if not judged:
        return f"no record of grade {grade} or better holds a word of the claim"
    needed = {"I": claim.intervention, "O": claim.outcome}
    missing = [letter for letter, text in needed.items() if text is None]
    if missing or claim.relation not in (BETTER, SAME):
        part = " and ".join(missing) or "direction"
        return f"the claim's {part} could not be read: write 'X reduces Y compared with Z in W'"
    if not named:
        return (
            f"none of the {len(judged)} most relevant records of grade {grade} or better names "
            f"{claim.intervention}"
        )
    some = "1 record" if len(named) == 1 else f"{len(named)} records"
    return (
        f"of {some} of grade {grade} or better about {claim.intervention} none states in its "
        "conclusion, beyond doubt, whether the claim holds: read the candidates"
    )


def _notices(unknown: Sequence[str]) -> list[str]:
    if not unknown:
        return []
    return [f"Chinese words that are not known here were not searched: {', '.join(unknown)}"]
