"""Trains etl/text/design_model.tsv.gz and the five fold models that the quality table uses.

    python -m benchmarks.train_design [--data ../shared/data]

Needs scikit-learn, numpy and scipy beside the project's own packages (scikit-learn 1.9 was
used); nothing of them is needed at run time. Seeded: the same data give the same file.

Records: labels.records(data), with titles and abstracts as delivered and types and headings
hidden. Folds are by a checksum of the record's key. A word is a feature only when it stands in
MIN_RECORDS records of both collections, so that no topic of one of them is learned.
"""

import argparse
import gzip
import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from benchmarks.labels import FOLDS, Labelled, fold_of, records
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from etl.text import signals
from etl.text.cues import prepare
from etl.text.design import marks_of
from etl.text.design_cues import DESIGN_CUES
from etl.text.linear import CUE_VALUE

MIN_RECORDS = 4
STRENGTH = 0.05  # inverse of the ridge penalty, chosen on the folds among 0.03, 0.05, 0.1
RARE = {"case_control": 2.0, "cross_sectional": 2.0, "trial": 1.8, "systematic_review": 1.5,
        "meta_analysis": 1.5, "guideline": 1.5}  # fmt: skip
COARSE = {
    "excluded_type": "commentary", "consensus": "guideline", "prospective_multicenter": "cohort",
    "observational": "cohort", "phase_1": "trial", "phase_2": "trial", "phase_3": "trial",
    "trial_other": "trial",
}  # fmt: skip
ROOT = Path(__file__).resolve().parents[1]
MODEL = ROOT / "etl/text/design_model.tsv.gz"


def coarse_label(one: Labelled) -> str:
    """The model's class of a record."""
    if one.design == "none" and one.is_animal:
        return "animal"
    return COARSE.get(one.design, one.design)


def features(one: Labelled) -> set[str]:
    """All features of a record, before selection."""
    words = prepare(one.title, one.abstract)
    marks = marks_of(words, DESIGN_CUES.find(words), signals.find(words))
    title = {f"t:{t}" for t in words.title_vocabulary}
    return set(marks) | title | {f"w:{t}" for t in words.vocabulary}


def vocabulary(rows: Sequence[set[str]], pubmed: Sequence[bool]) -> list[str]:
    """Marks, and the words that both collections share often enough."""
    counts = (Counter(), Counter())  # type: tuple[Counter[str], Counter[str]]
    for row, side in zip(rows, pubmed, strict=True):
        counts[side].update(row)
    every = set(counts[0]) | set(counts[1])
    return sorted(
        f for f in every
        if f[0] in "csl" or min(counts[0][f], counts[1][f]) >= MIN_RECORDS
    )  # fmt: skip


def matrix(rows: Sequence[set[str]], names: Sequence[str]) -> sp.csr_matrix:
    """One row a record; a cue or signal counts CUE_VALUE, all else 1."""
    place = {name: i for i, name in enumerate(names)}
    at = [(i, place[f]) for i, row in enumerate(rows) for f in sorted(row) if f in place]
    values = [CUE_VALUE if names[j][0] in "cs" else 1.0 for _, j in at]
    where = tuple(np.array(at).T)
    return sp.csr_matrix((values, where), shape=(len(rows), len(names)))


def fit(
    x: sp.csr_matrix, label: np.ndarray, rct: np.ndarray, sure: np.ndarray, typed: np.ndarray
) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Class names, weights (columns last: rct_any) and biases."""
    chooser = LogisticRegression(C=STRENGTH, max_iter=500, class_weight=_weights(label))
    chooser.fit(x[sure], label[sure])
    trial = LogisticRegression(C=0.1, solver="liblinear", max_iter=500, random_state=0)
    trial.fit(x[typed], rct[typed])
    weights = np.vstack([chooser.coef_, trial.coef_])
    return list(chooser.classes_), weights, np.append(chooser.intercept_, trial.intercept_)


def _weights(label: np.ndarray) -> dict[str, float]:
    return {k: RARE.get(k, 1.0) for k in set(label)}


def temperature(scores: np.ndarray, truth: np.ndarray) -> float:
    """The softmax temperature that makes held-out probabilities most likely."""

    def loss(log_t: np.ndarray) -> float:
        z = scores / np.exp(log_t[0])
        z = z - z.max(1, keepdims=True)
        return float((np.log(np.exp(z).sum(1)) - z[np.arange(len(z)), truth]).mean())

    return float(np.exp(minimize(loss, [0.0], method="Nelder-Mead").x[0]))


def write(path: Path, columns: Sequence[str], names: Sequence[str], weights: np.ndarray,
          bias: np.ndarray, special: Sequence[float]) -> None:  # fmt: skip
    """The model file; weights to three decimals, features that weigh nothing left out."""
    pad = list(special) + [0.0] * (len(columns) - len(special))
    lines = ["\t".join(("feature", *columns))]
    lines.append("\t".join(("calibration", *(f"{v:.4f}" for v in pad))))
    lines.append("\t".join(("bias", *(f"{v:.4f}" for v in bias))))
    for name, column in zip(names, weights.T, strict=True):
        if np.abs(column).max() >= 0.01:
            lines.append("\t".join((name, *(f"{v:.3f}".rstrip("0").rstrip(".") for v in column))))
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as out:
        out.write(("\n".join(lines) + "\n").encode())
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(packed.getvalue())


def main() -> None:
    """Trains on every record, and once a fold without it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    found = records(parser.parse_args().data)
    rows = [features(one) for one in found]
    label = np.array([coarse_label(one) for one in found])
    rct = np.array([one.is_rct for one in found])
    typed = np.array([one.typed for one in found])
    sure = np.array([one.indexed or (one.typed and one.design != "none") for one in found])
    fold = np.array([fold_of(one.key) for one in found])
    side = [one.source == "pubmed" for one in found]
    out: dict[int, tuple[list[str], list[str], np.ndarray, np.ndarray]] = {}
    held: np.ndarray | None = None
    for k in (*range(FOLDS), FOLDS):
        train = fold != k
        chosen = [row for row, t in zip(rows, train, strict=True) if t]
        names = vocabulary(chosen, [s for s, t in zip(side, train, strict=True) if t])
        x = matrix(rows, names)
        classes, weights, bias = fit(
            x[train], label[train], rct[train], sure[train], typed[train]
        )
        out[k] = ([*classes, "rct_any"], names, weights, bias)
        if k < FOLDS:
            scores = np.asarray(x[~train] @ weights.T + bias)
            held = np.zeros((len(found), scores.shape[1])) if held is None else held
            held[~train] = scores
    assert held is not None
    special = calibrate(held, out[FOLDS][0], label, rct, sure, typed)
    for k, (columns, names, weights, bias) in out.items():
        path = MODEL if k == FOLDS else ROOT / f"benchmarks/folds/design_{k}.tsv.gz"
        write(path, columns, names, weights, bias, special)
    print(f"{len(found)} records, {len(out[FOLDS][1])} features, {MODEL.stat().st_size} bytes")


def calibrate(held: np.ndarray, columns: Sequence[str], label: np.ndarray, rct: np.ndarray,
              sure: np.ndarray, typed: np.ndarray) -> list[float]:  # fmt: skip
    """Temperature of the classes; slope and offset of rct_any, on held-out scores."""
    place = {name: i for i, name in enumerate(columns)}
    truth = np.array([place[k] for k in label[sure]])
    heat = temperature(held[sure][:, :-1], truth)
    line = LogisticRegression(C=1e6).fit(held[typed][:, -1:], rct[typed])
    return [heat, float(line.coef_[0, 0]), float(line.intercept_[0])]


if __name__ == "__main__":
    main()
