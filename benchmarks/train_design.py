"""Trains etl/text/design_model.tsv.gz and the five fold models that the quality table uses.

    python -m benchmarks.train_design [--data ../shared/data]

Needs scikit-learn, numpy and scipy beside the project's own packages (scikit-learn 1.9 was
used); nothing of them is needed at run time. The same data give the same files.

Records: labels.records(data), types and headings hidden, and as further examples of randomised
trials labels.known_trials(data). Folds are by a checksum of the record's key. A word is a
feature only when it stands in MIN_RECORDS records and in both collections, so that topics of one
of them are not learned.
"""

import argparse
import gzip
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from benchmarks.labels import BASE, FOLDS, Labelled, folds, known_trials, records
from benchmarks.quality_design import CLASS
from etl.text.cues import prepare
from etl.text.design import Reading, name_of, read
from etl.text.linear import CUE_VALUE, RCT_CLASS, form_of

Array = Any  # numpy is no dependency of the project, so neither are its types

MIN_RECORDS = 10
# Inverse ridge penalties of the classes and of rct_any, and the share of a feature's weight that
# does not depend on contrast: chosen on three random draws of folds (docs/extraction.md).
STRENGTH = 0.02
RCT_STRENGTH = 0.05
EVEN = 0.25
RARE = {"case_control": 2.0, "cross_sectional": 2.0, "trial": 1.8, "systematic_review": 1.5,
        "meta_analysis": 1.5, "guideline": 1.5}  # fmt: skip
STEPS = (-1.2, -0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 0.9, 1.2)
COARSE = {
    "excluded_type": "commentary", "consensus": "guideline", "prospective_multicenter": "cohort",
    "observational": "cohort", "phase_1": "trial", "phase_2": "trial", "phase_3": "trial",
    "trial_other": "trial",
}  # fmt: skip
ROOT = Path(__file__).resolve().parents[1]
MODEL = ROOT / "etl/text/design_model.tsv.gz"


@dataclass
class Examples:
    """Records as feature sets, with what is known of each."""

    rows: list[set[str]]
    readings: list[Reading]
    label: Array  # the model's class
    truth: Array  # the class of docs/grading.md's table, phases together
    rct: Array
    sure: Array  # the design label can be trusted, also where it is none
    typed: Array  # types were given by an indexer, so the RCT label can be trusted
    fold: Array
    pubmed: list[bool]
    more: list[set[str]]  # further randomised trials, for rct_any alone
    more_weight: Array


@dataclass
class Fitted:
    """Weights by column (classes, then rct_any) and feature."""

    columns: list[str]
    names: list[str]
    weights: Array
    bias: Array


def coarse_label(one: Labelled) -> str:
    """The model's class of a record."""
    if one.design == "none" and one.is_animal:
        return "animal"
    return COARSE.get(one.design, one.design)


def features(reading: Reading) -> set[str]:
    """All features of a record, before selection."""
    words = reading.words
    marks = {*reading.marks(), *form_of(words)}
    in_title = {f"t:{t}" for t in words.title_vocabulary}
    last = {f"z:{t}" for t in words.closing_words()}
    return marks | in_title | last | {f"w:{t}" for t in words.vocabulary}


def examples(data: Path) -> Examples:
    """Everything to train on; of the known trials those whose words say randomised."""
    found = records(data)
    fold = folds(found)
    more = [(features(read(prepare(t, a))), w) for t, a, w in known_trials(data)]
    more = [(f, w) for f, w in more if "s:randomised" in f]
    readings = [read(prepare(one.title, one.abstract)) for one in found]
    return Examples(
        rows=[features(one) for one in readings],
        readings=readings,
        label=np.array([coarse_label(one) for one in found]),
        truth=np.array([CLASS.get(one.design, one.design) for one in found]),
        rct=np.array([one.is_rct for one in found]),
        sure=np.array([one.indexed or (one.typed and one.design != "none") for one in found]),
        typed=np.array([one.typed for one in found]),
        fold=np.array([fold[one.key] for one in found]),
        pubmed=[one.source == "pubmed" for one in found],
        more=[f for f, _ in more],
        more_weight=np.array([w for _, w in more]),
    )


def vocabulary(rows: Iterable[set[str]], pubmed: Iterable[bool]) -> list[str]:
    """Marks, and the words that both collections share often enough."""
    counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for row, side in zip(rows, pubmed, strict=True):
        counts[side].update(row)
    return sorted(
        f for f in set(counts[0]) | set(counts[1])
        if f[0] in "csl"
        or (counts[0][f] and counts[1][f] and counts[0][f] + counts[1][f] >= MIN_RECORDS)
    )  # fmt: skip


def matrix(rows: Sequence[set[str]], names: Sequence[str]) -> Array:
    """One row a record; a cue or signal counts CUE_VALUE, all else 1."""
    place = {name: i for i, name in enumerate(names)}
    at = [(i, place[f]) for i, row in enumerate(rows) for f in sorted(row) if f in place]
    values = [CUE_VALUE if names[j][0] in "cs" else 1.0 for _, j in at]
    return sp.csr_matrix((values, tuple(np.array(at).T)), shape=(len(rows), len(names)))


def contrast(x: Array, positive: Array) -> Array:
    """A factor a feature, larger the more often it stands on one side than on the other.

    The naive Bayes ratio of Wang and Manning (ACL 2012), bounded: rare words stay small.
    """
    here, there = (np.asarray(x[side].sum(0)).ravel() + 1 for side in (positive, ~positive))
    ratio = np.log((here / here.sum()) / (there / there.sum()))
    return EVEN + np.minimum(np.abs(ratio), 3.0) / 2


def fit(data: Examples, train: Array) -> Fitted:
    """The classes on the sure records of ``train``; rct_any on the typed ones and the rest."""
    chosen = np.flatnonzero(train)
    names = vocabulary([data.rows[i] for i in chosen], [data.pubmed[i] for i in chosen])
    x = matrix(data.rows, names)
    columns, weights, bias = _fit_classes(data, train & data.sure, x, names)
    rct_weights, rct_bias = _fit_rct(data, train & data.typed, x, names)
    return Fitted(
        [*columns, "rct_any"], names, np.vstack([weights, rct_weights]), np.append(bias, rct_bias)
    )


def _fit_classes(
    data: Examples, sure: Array, x: Array, names: Sequence[str]
) -> tuple[list[str], Array, Array]:
    """Names, weights and bias of the classes; words of the closing sentence weigh nothing."""
    used = np.array([name[0] != "z" for name in names])
    rare = {k: RARE.get(k, 1.0) for k in sorted(set(data.label))}
    model = LogisticRegression(C=STRENGTH, max_iter=200, class_weight=rare)
    model.fit(x[sure][:, used], data.label[sure])
    weights = np.zeros((len(model.classes_), len(names)))
    weights[:, used] = model.coef_
    return list(model.classes_), weights, model.intercept_


def _fit_rct(data: Examples, typed: Array, x: Array, names: Sequence[str]) -> tuple[Array, Array]:
    """Weights and bias of rct_any."""
    every = sp.vstack([x[typed], matrix(data.more, names)]).tocsr()
    truth = np.append(data.rct[typed], np.ones(len(data.more), bool))
    factor = contrast(every, truth)
    model = LogisticRegression(C=RCT_STRENGTH, solver="liblinear", max_iter=500, random_state=0)
    model.fit(every @ sp.diags(factor), truth, np.append(np.ones(typed.sum()), data.more_weight))
    return model.coef_ * factor, model.intercept_


def macro_f1(truth: Array, said: Array) -> float:
    """Mean F1 of the classes with at least 20 records."""
    found = []
    for name, size in Counter(truth).items():
        if size >= 20:
            right = int(((truth == name) & (said == name)).sum())
            found.append(2 * right / (size + int((said == name).sum())))
    return float(np.mean(found))


def worth(truth: Array, said: Array) -> float:
    """Macro-F1, and a fifth of the share of designs whose base grade words get right."""
    graded = [(BASE[a], BASE[b]) for a, b in zip(truth, said, strict=True)]
    right = [a == b for a, b in graded if a in "ABCD"]
    return macro_f1(truth, said) + 0.2 * sum(right) / len(right)


def names_said(readings: Sequence[Reading], columns: Sequence[str]) -> Array:
    """What each record is called by the class that is largest: records by classes."""
    names = [[name_of(one, c) for c in columns[:-1]] for one in readings]
    return np.array([[CLASS.get(name, name) for name in row] for row in names])


def preference(scores: Array, truth: Array, names: Array) -> list[float]:
    """What to add to each class's score before choosing: coordinate steps on ``worth``."""

    def value(offset: Array) -> float:
        return worth(truth, names[np.arange(len(names)), (scores + offset).argmax(1)])

    offset = np.zeros(scores.shape[1])
    best = value(offset)
    for j in (*range(len(offset)), *range(len(offset))):
        for step in STEPS:
            tried = offset.copy()
            tried[j] = step
            if (now := value(tried)) > best + 1e-4:
                best, offset = now, tried
    return [*offset, 0.0]


def temperature(scores: Array, truth: Array) -> float:
    """The softmax temperature that makes held-out probabilities most likely."""

    def loss(log_t: Array) -> float:
        z = scores / np.exp(log_t[0])
        z = z - z.max(1, keepdims=True)
        return float((np.log(np.exp(z).sum(1)) - z[np.arange(len(z)), truth]).mean())

    return float(np.exp(minimize(loss, [0.0], method="Nelder-Mead").x[0]))


def rct_score(scores: Array, place: int) -> Array:
    """What Model.rct_probability calibrates, one row a record."""
    others = np.delete(scores[:, :-1], place, 1)
    top = others.max(1)
    odds = scores[:, place] - top - np.log(np.exp(others - top[:, None]).sum(1))
    return (scores[:, -1] + RCT_CLASS * odds)[:, None]


def calibrate(
    data: Examples, held: Array, columns: Sequence[str], part: Array
) -> tuple[list[float], list[float]]:
    """Temperature, slope and offset of rct_any; preferences: on held-out scores of ``part``."""
    sure, typed = part & data.sure, part & data.typed
    place = {name: i for i, name in enumerate(columns)}
    truth = np.array([place[k] for k in data.label[sure]])
    scores = held[sure][:, :-1]
    said = names_said([data.readings[i] for i in np.flatnonzero(sure)], columns)
    liked = preference(scores, data.truth[sure], said)
    mixed = rct_score(held[typed], place["rct"])
    line = LogisticRegression(C=1e6).fit(mixed, data.rct[typed])
    heat = temperature(scores + np.array(liked[:-1]), truth)
    return [heat, float(line.coef_[0, 0]), float(line.intercept_[0])], liked


def write(path: Path, model: Fitted, special: Sequence[float], liked: Sequence[float]) -> None:
    """The model file; weights to three decimals, features that weigh nothing left out."""
    pad = [*special, *[0.0] * (len(model.columns) - len(special))]
    lines = ["\t".join(("feature", *model.columns))]
    heads = (("calibration", pad), ("preference", liked), ("bias", model.bias))
    lines += ["\t".join((name, *(f"{v:.4f}" for v in row))) for name, row in heads]
    for name, column in zip(model.names, model.weights.T, strict=True):
        if np.abs(column).max() >= 0.01:
            lines.append("\t".join((name, *(f"{v:.3f}".rstrip("0").rstrip(".") for v in column))))
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as out:
        out.write(("\n".join(lines) + "\n").encode())
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(packed.getvalue())


def main() -> None:
    """Trains and writes the model files."""
    parser = argparse.ArgumentParser(description="Train the design model")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    folder = parser.parse_args().data
    with threadpool_limits(limits=1):  # several threads add in another order: other last digits
        _train(examples(folder))


def _train(data: Examples) -> None:
    """Trains once a fold without it, then on every record."""
    models = [fit(data, data.fold != k) for k in range(FOLDS)]
    columns = models[0].columns
    held = np.zeros((len(data.rows), len(columns)))
    for k, model in enumerate(models):
        assert model.columns == columns
        x = matrix(data.rows, model.names)
        held[data.fold == k] = np.asarray(x @ model.weights.T + model.bias)[data.fold == k]
    for k, model in enumerate(models):
        path = ROOT / f"benchmarks/folds/design_{k}.tsv.gz"
        write(path, model, *calibrate(data, held, columns, data.fold != k))
    whole = fit(data, data.fold >= 0)
    write(MODEL, whole, *calibrate(data, held, columns, data.fold >= 0))
    print(f"{len(data.rows)} records, {len(whole.names)} features, {MODEL.stat().st_size} bytes")


if __name__ == "__main__":
    main()
