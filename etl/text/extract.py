"""All that the words of citations say, as rows of ``citation_signals``."""

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pyarrow as pa

from etl.store.schema import TABLES, conform
from etl.text import design, sample_size
from etl.text.cues import Words, prepare
from etl.text.sentences import Section

# Part of every row: a refresh extracts anew whatever another version wrote.
EXTRACTOR_VERSION = "8"

_TABLE = TABLES["citation_signals"]
# Taken over from the citation, so that the store replaces both in step.
_OF_RECORD = ("version", "seq")
_OF_WORDS = pa.schema([field for field in _TABLE.arrow if field.name not in _OF_RECORD])
_SAYS = tuple(
    (name, name.removeprefix("says_")) for name in _TABLE.arrow.names if name.startswith("says_")
)


def extract(citations: pa.Table) -> pa.Table:
    """One row of ``citation_signals`` for each citation, in the same order.

    ``citations`` has at least ``pmid``, ``version``, ``seq``, ``title``, ``abstract``,
    ``abstract_sections`` and ``languages``. A record without words gets ``none``, nulls and false.
    """
    rows = list(_rows(citations))
    columns = {
        field.name: pa.array([row[field.name] for row in rows], field.type) for field in _OF_WORDS
    }
    columns |= {name: citations.column(name) for name in _OF_RECORD}
    return conform(_TABLE, pa.table(columns))


# So many records are read between two collections: their garbage is a few tens of MB.
_BETWEEN_COLLECTIONS = 500


def _rows(citations: pa.Table) -> Iterator[dict[str, Any]]:
    """Rows of the words; cycles are collected now and then, not all the while: a tenth faster."""
    every = iter(_fields(citations))
    while some := list(islice(every, _BETWEEN_COLLECTIONS)):
        with _without_collector():
            rows = [_row(*fields) for fields in some]
        yield from rows


@contextmanager
def _without_collector() -> Iterator[None]:
    """No cyclic garbage collection inside, unless it was off before."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _fields(citations: pa.Table) -> Iterable[tuple[Any, ...]]:
    names = ("pmid", "title", "abstract", "languages")
    columns = [citations.column(name).to_pylist() for name in names]
    return zip(*columns, _sections(citations.column("abstract_sections")), strict=True)


def _sections(column: pa.ChunkedArray) -> list[list[Section]]:
    """The sections of each citation; built from flat columns, ten times as fast as row by row."""
    found: list[list[Section]] = []
    for chunk in column.chunks:
        flat = chunk.flatten()
        labels, categories, texts = (flat.field(n).to_pylist() for n in Section._fields)
        every = [
            Section(label, category, text or "")
            for label, category, text in zip(labels, categories, texts, strict=True)
        ]
        at = 0
        for size in chunk.value_lengths().to_pylist():
            found.append(every[at : at + (size or 0)])
            at += size or 0
    return found


def _row(
    pmid: int,
    title: str | None,
    abstract: str | None,
    languages: Sequence[str] | None,
    sections: Sequence[Section],
) -> dict[str, Any]:
    words = prepare(title, abstract)
    reading = design.read(words)
    said = reading.signals
    return {
        "pmid": pmid,
        **_size(words, sections, languages),
        **_design(reading),
        **{name: signal in said.hits for name, signal in _SAYS},
        "signal_sentences": said.sentences(words),
        "extractor_version": EXTRACTOR_VERSION,
    }


def _size(
    words: Words, sections: Sequence[Section], languages: Sequence[str] | None
) -> dict[str, Any]:
    language = languages[0] if languages else "eng"
    n = sample_size.find_in(words, sections, language)
    return {
        "sample_size": n.value,
        "sample_size_source": n.source,
        "sample_size_evidence": n.evidence,
        "sample_size_start": n.start,
        "sample_size_end": n.end,
        "sample_size_confidence": n.confidence,
        "sample_size_analysed": n.analysed,
        "sample_size_alternatives": [
            {"value": a.value, "sentence": a.sentence, "confidence": a.confidence}
            for a in n.alternatives
        ],
        "arms": list(n.arms),
        "n_studies": n.n_studies,
        "n_participants": n.n_participants,
        "n_clusters": n.n_clusters,
    }


def _design(reading: design.Reading) -> dict[str, Any]:
    found = design.infer(reading)
    return {
        "design_inferred": found.name,
        "design_probability": found.probability,
        "design_evidence": found.evidence,
        "rct_probability": found.rct_probability,
    }
