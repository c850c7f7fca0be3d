"""Train the small correction to the hand-set weights of the sample-size ranking.

    python -m benchmarks.train_sample_size [DATA]      # writes etl/text/sample_size_weights.json

DATA (default ``../shared/data``) holds ``gold/pico_corpus`` (totals and arms marked by others)
and ``gold/medline_pt`` (records typed as review, editorial, letter, comment: no sample size of
their own). The model is a softmax over the candidates of an abstract and "none", linear in the
features, with an L2 penalty towards the hand-set weights, plain gradient steps, fixed seed.
``cross_validated`` gives every abstract the answer of a model that did not see it.
"""

import json
import math
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from etl.text import arms, ranking, reviews
from etl.text.candidates import Count
from etl.text.cues import tokens
from etl.text.weighing import gather, weigh

SEED = 20240607
FOLDS = 10
EPOCHS = 30
RATE = 0.08
PENALTY = 0.02
TARGET = Path(__file__).parents[1] / "etl" / "text" / "sample_size_weights.json"

Features = Mapping[str, float]
Record = Mapping[str, Any]


@dataclass
class Choice:
    """One decision: the features of each candidate, and which are right (none: "nothing")."""

    candidates: list[Features]
    right: set[int]
    weight: float = 1.0


@dataclass
class Example:
    """All decisions that one abstract teaches."""

    key: str
    choices: list[Choice] = field(default_factory=list)


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Objects of a JSON-lines file."""
    with path.open() as file:
        for line in file:
            yield json.loads(line)


def _total_choice(found: Sequence[Count], totals: set[int]) -> Choice | None:
    candidates = [{"bias": 1.0} | dict.fromkeys(count.features, 1.0) for count in found]
    right = {at for at, count in enumerate(found) if count.value in totals}
    if totals and not right:
        return None
    return Choice(candidates, right)


def _row_choice(found: Sequence[Count], total: int | None, gold: list[int]) -> Choice | None:
    stated = [count for count in found if count.distance >= 0]
    others = frozenset(count.value for count in stated)
    candidates: list[Features] = []
    right = set()
    for row in arms.rows(stated, total):
        features: dict[str, float] = {"a_bias": 1.0}
        for count in row:
            for name in count.features:
                if name not in ("in_row", "in_row_compared", "sum_of_row"):
                    features["a_" + name] = features.get("a_" + name, 0.0) + 1 / len(row)
        features.update(dict.fromkeys(arms.row_features(row, total, others), 1.0))
        if sorted(count.value for count in row) == gold:
            right.add(len(candidates))
        candidates.append(features)
    if gold and not right:
        return None
    return Choice(candidates, right, 0.5)


def marked(record: Record) -> Example:
    """What one abstract of pico_corpus teaches; nothing when it is a protocol or a review."""
    example = Example(record["pmid"])
    text = record["text"]
    low = text.lower()
    head = low[: low.find(". ") + 1]
    if reviews.is_review(head, low) or reviews.is_protocol(head, low):
        return example
    found = weigh(head, text, gather(text, low, tokens(low), None))
    ours, theirs = record["intervention_n"], record["control_n"]
    totals = set(record["n_set"])
    if not totals and len(ours) + len(theirs) > 2 and len(theirs) != 1:
        return example
    if not totals and ours and theirs:
        totals = {sum(ours) + sum(theirs)}
    choices = [_total_choice(found, totals)]
    if (len(ours), len(theirs)) in ((1, 1), (0, 0), (2, 1)):
        gold = sorted(ours + theirs)
        total = record["n_set"][0] if len(record["n_set"]) == 1 else None
        choices.append(_row_choice(found, total, gold))
        if total is not None:
            choices.append(_row_choice(found, None, gold))
    example.choices = [choice for choice in choices if choice is not None and choice.candidates]
    return example


_NO_PEOPLE = {"Review", "Editorial", "Letter", "Comment", "News", "Historical Article"}


def unmarked(record: Record) -> Example:
    """What a review or editorial teaches: no number in it is a sample size."""
    example = Example(record["pmid"])
    types = set(record["publication_types"])
    text = record["abstract"]
    if not text or not types & _NO_PEOPLE or any("Trial" in name for name in types):
        return example
    if "Case Reports" in types:
        return example
    low = text.lower()
    if reviews.is_review(record["title"].lower(), low):
        return example
    gathered = gather(text, low, tokens(low), None)
    choice = _total_choice(weigh(record["title"].lower(), text, gathered), set())
    if choice is not None and choice.candidates:
        example.choices = [choice]
    return example


def examples(data: Path) -> list[Example]:
    """Everything to learn from, in a fixed order."""
    found = [marked(record) for record in lines(data / "gold/pico_corpus/abstracts.jsonl")]
    found += [unmarked(record) for record in lines(data / "gold/medline_pt/records.jsonl")]
    return found


def _step(choice: Choice, weights: dict[str, float], rate: float) -> None:
    scores = [
        sum(weights.get(name, 0.0) * value for name, value in features.items())
        for features in choice.candidates
    ]
    top = max(*scores, 0.0)
    odds = [math.exp(score - top) for score in scores]
    none = math.exp(-top)
    everything = none + sum(odds)
    good = sum(odds[at] for at in choice.right) if choice.right else none
    for at, features in enumerate(choice.candidates):
        pull = (odds[at] / good if at in choice.right else 0.0) - odds[at] / everything
        if abs(pull) < 1e-4:
            continue
        for name, value in features.items():
            weights[name] = weights.get(name, 0.0) + rate * choice.weight * pull * value


def train(training: Sequence[Example]) -> dict[str, float]:
    """Weights learned from the examples, starting at and drawn towards the hand-set ones."""
    draw = random.Random(SEED)
    weights = dict(ranking.HAND)
    order = list(training)
    mean: dict[str, float] = {}
    for epoch in range(EPOCHS):
        draw.shuffle(order)
        rate = RATE / (1 + epoch / 5)
        for example in order:
            for choice in example.choices:
                _step(choice, weights, rate)
        for name, weight in weights.items():
            hand = ranking.HAND.get(name, 0.0)
            weights[name] = weight - min(1.0, PENALTY * rate * len(order) / 10) * (weight - hand)
        if epoch >= EPOCHS // 2:
            for name, weight in weights.items():
                mean[name] = mean.get(name, 0.0) + weight / (EPOCHS - EPOCHS // 2)
    return mean


def folds(found: Sequence[Example]) -> list[list[Example]]:
    """The examples dealt into FOLDS parts at random, seeded."""
    order = list(found)
    random.Random(SEED).shuffle(order)
    return [order[at::FOLDS] for at in range(FOLDS)]


def cross_validated(data: Path) -> dict[str, dict[str, float]]:
    """For every abstract the weights of the model trained without its fold, by PMID."""
    parts = folds(examples(data))
    answer = {}
    for held in parts:
        learned = train([one for part in parts if part is not held for one in part])
        answer.update(dict.fromkeys((one.key for one in held), learned))
    return answer


def main() -> None:
    """Train on everything and write the file."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("../shared/data")
    learned = train(examples(data))
    deltas = {
        name: round(weight - ranking.HAND.get(name, 0.0), 3)
        for name, weight in sorted(learned.items())
        if abs(weight - ranking.HAND.get(name, 0.0)) >= 0.01
    }
    TARGET.write_text(json.dumps({"seed": SEED, "weights": deltas}, indent=1) + "\n")
    print(f"{len(deltas)} weights -> {TARGET}")


if __name__ == "__main__":
    main()
