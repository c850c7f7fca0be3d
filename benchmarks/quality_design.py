"""Design inference against labels that nobody here wrote, publication types hidden.

Every record is judged by the model of the fold that was trained without it; the cues were
written by hand and looked at errors on these same visible records, so the hidden halves are the
stricter judge.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.labels import BASE, Labelled, folds, records
from etl.text.cues import prepare
from etl.text.design import Design, infer
from etl.text.design import read as read_words
from etl.text.linear import Model, read

FOLDS = Path(__file__).parent / "folds"
# What words say, in the classes of docs/grading.md's table.
CLASS = {
    "cluster_rct": "rct", "crossover_rct": "rct", "cohort_prospective": "cohort",
    "cohort_retrospective": "cohort", "secondary_analysis": "cohort",
    "nested_case_control": "case_control", "case_cohort": "case_control",
    "case_series": "case_report", "diagnostic_accuracy": "cross_sectional",
    "scoping_review": "review", "commentary": "excluded_type", "mendelian_randomisation": "none",
    "economic_evaluation": "none", "qualitative": "none", "animal": "none", "in_vitro": "none",
    "phase_1": "trial_other", "phase_2": "trial_other", "phase_3": "trial_other",
    "observational": "cohort", "prospective_multicenter": "cohort",
}  # fmt: skip
STEPS = "ABCD"
PUBLISHED = {"pubmed_test": (0.958, 0.96, 0.975), "ovid": (None, 0.886, 0.92)}


@dataclass(frozen=True)
class Judged:
    """A record with what was inferred from its words."""

    record: Labelled
    design: Design

    @property
    def truth(self) -> str:
        """Class by types and headings, phases of trials together."""
        return CLASS.get(self.record.design, self.record.design)

    @property
    def said(self) -> str:
        """Class by words."""
        return CLASS.get(self.design.name, self.design.name)


@cache
def _model(fold: int) -> Model:
    return read((FOLDS / f"design_{fold}.tsv.gz").read_bytes())


@cache
def judge(data: Path) -> list[Judged]:
    """Every labelled record, judged by the model that has not seen it."""
    every = records(data)
    fold = folds(every)
    readings = (read_words(prepare(one.title, one.abstract)) for one in every)
    return [
        Judged(one, infer(reading, _model(fold[one.key])))
        for one, reading in zip(every, readings, strict=True)
    ]


def auc(scores: Sequence[float], truth: Sequence[bool]) -> float:
    """Area under the ROC curve: share of pairs in the right order, ties as half."""
    order = sorted(range(len(scores)), key=scores.__getitem__)
    ranks, at = [0.0] * len(scores), 0
    while at < len(order):
        stop = at
        while stop < len(order) and scores[order[stop]] == scores[order[at]]:
            stop += 1
        for i in order[at:stop]:
            ranks[i] = (at + stop + 1) / 2
        at = stop
    positive = sum(truth)
    total = sum(r for r, t in zip(ranks, truth, strict=True) if t)
    return (total - positive * (positive + 1) / 2) / (positive * (len(truth) - positive))


def f1_by_class(rows: Sequence[Judged]) -> dict[str, tuple[int, float]]:
    """Records and F1 of each class with at least 20 records."""
    truth = Counter(r.truth for r in rows)
    said = Counter(r.said for r in rows)
    right = Counter(r.truth for r in rows if r.truth == r.said)
    return {k: (n, 2 * right[k] / (n + said[k])) for k, n in truth.most_common() if n >= 20}


def _line(set_name: str, size: int, metric: str, ours: float, **given: Any) -> dict[str, Any]:
    empty = {"published": None, "floor": None, "target": None}
    return {"set": set_name, "size": size, "metric": metric, "ours": ours} | empty | given


def _rct(rows: Sequence[Judged]) -> Iterator[dict[str, Any]]:
    for source, (published, floor, target) in PUBLISHED.items():
        part = [r for r in rows if r.record.source == source]
        value = auc(
            [r.design.rct_probability or 0.0 for r in part], [r.record.is_rct for r in part]
        )
        yield _line(
            f"medline_pt/{source}", len(part), "RCT from words, AUC (out of fold)", value,
            published=published, floor=floor, target=target,
        )  # fmt: skip


def _grades(rows: Sequence[Judged]) -> Iterator[dict[str, Any]]:
    part = [r for r in rows if r.record.source == "pubmed" and BASE[r.truth] in STEPS]
    pairs = [(BASE[r.truth], BASE[r.said]) for r in part]
    equal = sum(a == b for a, b in pairs) / len(pairs)
    near = sum(b in STEPS and abs(STEPS.index(a) - STEPS.index(b)) <= 1 for a, b in pairs)
    name = "base grade from words = from types"
    yield _line("pubmed", len(part), f"{name}, equal", equal, target=0.75)
    yield _line("pubmed", len(part), f"{name}, within a step", near / len(pairs), target=0.85)


def _calibration(rows: Sequence[Judged]) -> float:
    """Mean gap between stated probability and share right, over ten equal bins."""
    pairs = [(r.design.probability, r.truth == r.said) for r in rows if r.design.probability]
    gap = 0.0
    for low in range(10):
        part = [p for p in pairs if low / 10 < p[0] <= (low + 1) / 10]
        gap += abs(sum(p for p, _ in part) - sum(ok for _, ok in part))
    return gap / len(pairs)


def measure(data: Path) -> list[dict[str, Any]]:
    """Rows of the quality table."""
    every = judge(data)
    yes = [r for r in every if r.record.indexed or r.truth != "none"]
    stated = [r for r in yes if r.truth != "none"]
    lines = [*_rct(every)]
    scores = f1_by_class(yes)
    lines.append(
        _line(
            "medline_pt + pubmed", len(yes), f"design, macro-F1 over {len(scores)} classes",
            sum(f for _, f in scores.values()) / len(scores), published=0.63, target=0.70,
        )
    )  # fmt: skip
    lines += [_line("medline_pt + pubmed", n, f"F1 {k}", f) for k, (n, f) in scores.items()]
    stated_scores = f1_by_class(stated)
    mean = sum(f for _, f in stated_scores.values()) / len(stated_scores)
    lines.append(_line("… with a design type", len(stated), "design, macro-F1", mean, target=0.70))
    lines.append(
        _line("medline_pt + pubmed", len(yes), "design, calibration error", _calibration(yes))
    )
    return [*lines, *_grades(every)]


def errors(data: Path) -> Iterable[dict[str, Any]]:
    """Records whose words and types disagree."""
    for row in judge(data):
        if row.truth != row.said:
            yield {
                "task": "design", "source": row.record.source, "key": row.record.key,
                "types_say": row.truth, "words_say": row.design.name,
                "probability": row.design.probability, "evidence": row.design.evidence,
                "title": row.record.title,
            }  # fmt: skip
