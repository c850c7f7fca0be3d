"""All that the words of citations say, as rows of ``citation_signals``."""

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from etl.store.schema import TABLES, conform
from etl.text import design, sample_size
from etl.text.cues import prepare
from etl.text.sentences import Section

# Part of every row: a refresh extracts anew whatever another version wrote.
EXTRACTOR_VERSION = "2"

_TABLE = TABLES["citation_signals"]
# Taken over from the citation, so that the store replaces both in step.
_OF_RECORD = ("version", "seq")
_OF_WORDS = pa.schema([field for field in _TABLE.arrow if field.name not in _OF_RECORD])
_SAYS = tuple(name for name in _TABLE.arrow.names if name.startswith("says_"))


def extract(citations: pa.Table) -> pa.Table:
    """One row of ``citation_signals`` for each citation, in the same order.

    ``citations`` has at least ``pmid``, ``version``, ``seq``, ``title``, ``abstract``,
    ``abstract_sections`` and ``languages``. A record without words gets ``none``, nulls and false.
    """
    rows = [_row(*fields) for fields in _fields(citations)]
    found = pa.Table.from_pylist(rows, schema=_OF_WORDS)
    for name in _OF_RECORD:
        found = found.append_column(name, citations.column(name))
    return conform(_TABLE, found)


def _fields(citations: pa.Table) -> Iterable[tuple[Any, ...]]:
    names = ("pmid", "title", "abstract", "abstract_sections", "languages")
    return zip(*(citations.column(name).to_pylist() for name in names), strict=True)


def _row(
    pmid: int,
    title: str | None,
    abstract: str | None,
    sections: Sequence[dict[str, str | None]] | None,
    languages: Sequence[str] | None,
) -> dict[str, Any]:
    parts = [Section(s["label"], s["category"], s["text"] or "") for s in sections or ()]
    reading = design.read(prepare(title, abstract))
    said = reading.signals
    return {
        "pmid": pmid,
        **_size(title, abstract, parts, languages),
        **_design(reading),
        **{name: said.says(name.removeprefix("says_")) for name in _SAYS},
        "signal_sentences": said.sentences(reading.words),
        "extractor_version": EXTRACTOR_VERSION,
    }


def _size(
    title: str | None,
    abstract: str | None,
    sections: Sequence[Section],
    languages: Sequence[str] | None,
) -> dict[str, Any]:
    language = languages[0] if languages else "eng"
    n = sample_size.find(title, abstract, sections, language)
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
