"""Design labels of real records: NLM's types and headings as docs/grading.md maps them."""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

FOLDS = 5
EXCLUDED = frozenset((
    "Editorial", "Letter", "Comment", "News", "Newspaper Article", "Biography", "Autobiography",
    "Portrait", "Interview", "Personal Narrative", "Address", "Lecture", "Lectures", "Congress",
    "Congresses", "Published Erratum", "Retraction of Publication", "Expression of Concern",
))  # fmt: skip
RCT_TYPES = frozenset(
    ("Randomized Controlled Trial", "Pragmatic Clinical Trial", "Equivalence Trial")
)
COHORT = frozenset((
    "Cohort Studies", "Follow-Up Studies", "Longitudinal Studies", "Prospective Studies",
    "Retrospective Studies",
))  # fmt: skip
BASE = {
    "excluded_type": "excluded", "guideline": "A", "consensus": "A", "meta_analysis": "A",
    "systematic_review": "A", "rct": "B", "phase_3": "B", "prospective_multicenter": "B",
    "cohort": "C", "case_control": "C", "cross_sectional": "C", "phase_2": "C",
    "trial_other": "C", "observational": "C", "case_report": "D", "review": "D", "phase_1": "D",
    "protocol": "ungraded", "none": "ungraded",
}  # fmt: skip


@dataclass(frozen=True)
class Labelled:
    """One record: its words, where it comes from and what NLM says of it.

    ``indexed``: headings were assigned, so that their absence says something. ``typed``: NLM's
    indexers looked at the publication types.
    """

    key: str
    source: str
    title: str
    abstract: str
    types: tuple[str, ...]
    headings: tuple[str, ...]
    journal: str
    indexed: bool
    typed: bool

    @property
    def design(self) -> str:
        """Class of docs/grading.md's table by types and headings; none when they say nothing."""
        return design_of(frozenset(self.types), frozenset(self.headings), self.journal)

    @property
    def is_rct(self) -> bool:
        """Whether a type says randomised controlled trial."""
        return not RCT_TYPES.isdisjoint(self.types)

    @property
    def is_animal(self) -> bool:
        """Whether headings name animals and no people."""
        return "Animals" in self.headings and "Humans" not in self.headings


def design_of(types: frozenset[str], headings: frozenset[str], journal: str = "") -> str:
    """The first class of docs/grading.md's table that matches; exclusions first."""
    if types & EXCLUDED:
        return "excluded_type"
    if types & {"Practice Guideline", "Guideline"}:
        return "guideline"
    if any(t.startswith("Consensus") for t in types):
        return "consensus"
    if types & {"Meta-Analysis", "Network Meta-Analysis"}:
        return "meta_analysis"
    if "Systematic Review" in types or ("Review" in types and "Cochrane" in journal):
        return "systematic_review"
    if types & RCT_TYPES:
        return "rct"
    return _other_design(types, headings)


def _other_design(types: frozenset[str], headings: frozenset[str]) -> str:
    if "Clinical Trial, Phase III" in types:
        return "phase_3"
    if "Multicenter Study" in types and "Prospective Studies" in headings:
        return "prospective_multicenter"
    trial = any(t.startswith("Clinical Trial") for t in types) or types & {
        "Controlled Clinical Trial", "Clinical Study", "Adaptive Clinical Trial",
    }  # fmt: skip
    review = any("Review" in t for t in types)
    if not trial and not review and "Case Reports" not in types:
        if headings & COHORT:
            return "cohort"
        if "Case-Control Studies" in headings:
            return "case_control"
        if "Cross-Sectional Studies" in headings:
            return "cross_sectional"
    order = (
        ("phase_2", "Clinical Trial, Phase II" in types),
        ("trial_other", bool(trial) and "Clinical Trial, Phase I" not in types),
        ("observational", "Observational Study" in types),
        ("case_report", "Case Reports" in types),
        ("review", review),
        ("phase_1", "Clinical Trial, Phase I" in types),
    )
    return next((name for name, matches in order if matches), "none")


def folds(found: Iterable[Labelled]) -> dict[str, int]:
    """The fold in which each record is held out, by key; one fold for records of one title."""
    first: dict[str, str] = {}
    return {
        one.key: zlib.crc32(first.setdefault(_group(one), one.key).encode()) % FOLDS
        for one in found
    }


def _group(one: Labelled) -> str:
    """What two deliveries of one paper share: the letters of a title that is long enough."""
    letters = "".join(filter(str.isalpha, one.title.lower()))
    return letters if len(letters) > 15 else one.key


def records(data: Path) -> list[Labelled]:
    """Every labelled record below ``data``, one a PMID, gold records first."""
    found: dict[str, Labelled] = {}
    for one in (*_medline(data), *_pubmed(data)):
        found.setdefault(one.key, one)
    return list(found.values())


def known_trials(data: Path) -> Iterator[tuple[str, str, float]]:
    """Title, abstract and weight of papers that others collected as randomised trials.

    Evidence Inference and the oncology trials count in full, the breast-cancer trials of the
    PICO corpus (one disease) by half.
    """
    for name in ("evidence_inference/articles", "pos_neg_rct/trials"):
        for row in _lines(data / f"gold/{name}.jsonl"):
            if row.get("abstract"):
                yield row["title"], row["abstract"], 1.0
    for row in _lines(data / "gold/pico_corpus/abstracts.jsonl"):
        title, _, abstract = row["text"].partition(". ")
        yield f"{title}.", abstract, 0.5


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _medline(data: Path) -> Iterator[Labelled]:
    for row in _lines(data / "gold/medline_pt/records.jsonl"):
        headings = tuple(h.split("/")[0].replace("*", "") for h in row["mesh"])
        yield Labelled(
            row["pmid"] or row["title"], row["src"], row["title"] or "", row["abstract"] or "",
            tuple(row["publication_types"]), headings, row["journal"] or "", bool(headings), True,
        )  # fmt: skip


def _pubmed(data: Path) -> Iterator[Labelled]:
    for name in ("modern0001", "modern0002", "legacy0001"):
        with gzip.open(data / "pubmed" / f"{name}.xml.gz") as xml:
            root = etree.parse(xml).getroot()
        for citation in root.iter("MedlineCitation"):
            yield _citation(citation)


def _citation(citation: etree._Element) -> Labelled:
    headings = tuple(_texts(citation.iter("DescriptorName")))
    parts = []
    for part in citation.iterfind("Article/Abstract/AbstractText"):
        label = part.get("Label")
        parts.append(f"{label}: {_text(part)}" if label else _text(part))
    return Labelled(
        citation.findtext("PMID") or "", "pubmed", _text(citation.find("Article/ArticleTitle")),
        " ".join(parts), tuple(_texts(citation.iter("PublicationType"))), headings,
        citation.findtext("MedlineJournalInfo/MedlineTA") or "", bool(headings),
        citation.get("Status") == "MEDLINE",
    )  # fmt: skip


def _text(element: etree._Element | None) -> str:
    if element is None:
        return ""
    return " ".join("".join(element.itertext()).split())


def _texts(elements: Iterable[etree._Element]) -> Iterator[str]:
    return (_text(e) for e in elements)
