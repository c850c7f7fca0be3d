"""A floor under the sample size on real abstracts; the honest figures are cross-validated.

``python -m benchmarks.quality_n`` measures without letting the weights see what they answer.
"""

import json
from pathlib import Path

from etl.text.sample_size import find


def test_marked_totals_stay_found(shared_data: Path) -> None:
    path = shared_data / "gold" / "pico_corpus" / "abstracts.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]
    one = [record for record in records if len(record["n_set"]) == 1]
    sizes = [find(None, record["text"]) for record in one]
    right = sum(size.value == record["n_set"][0] for size, record in zip(sizes, one, strict=True))
    assert right / len(one) >= 0.90
    for size, record in zip(sizes, one, strict=True):
        if size.value is not None:
            assert record["text"][size.start : size.end] == size.evidence
