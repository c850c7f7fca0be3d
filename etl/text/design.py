"""Study design from the words of title and abstract, where publication types say nothing.

Three steps. Plain statements decide first: a title that says "study protocol" needs no weighing.
Else the linear model weighs cues and words into the coarse classes. Then cues that only refine
(cluster, crossover, nested, prospective, phase) choose the finer name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from etl.text.cues import CueSet, Hit, Words
from etl.text.design_cues import DESIGN_CUES
from etl.text.linear import Model, form_of, load
from etl.text.refining_cues import REFINING_CUES
from etl.text.signals import SIGNALS, Signals

# Signals and designs are looked for in one pass; the names of design cues have a dot in them.
_ALL_CUES = CueSet((*SIGNALS.cues, *DESIGN_CUES.cues, *REFINING_CUES.cues))


@dataclass(frozen=True, slots=True)
class Design:
    """``name`` is one of WORD_DESIGNS; the rest is None where the record has no words."""

    name: str
    probability: float | None
    evidence: str | None
    rct_probability: float | None


# Below it the model leaves open what a study is; who reads a database of patients observed them.
_EVEN = 0.5
NO_WORDS = Design("none", None, None, None)


@dataclass(frozen=True, slots=True)
class Statement:
    """Cues that decide by themselves, unless one of ``unless`` is there too."""

    design: str
    cues: tuple[str, ...]
    probability: float
    unless: tuple[str, ...] = ()


# What makes a design that an abstract names doubtful.
_SECONDARY = ("secondary_analysis.stated", "secondary_analysis.any")
_NO_DESIGN_SECTION = ("rct.title", "animal.title", "review.title", *_SECONDARY)
# What makes a pooled analysis a synthesis: studies were looked for.
_SOUGHT = ("meta_analysis.text", "systematic_review.text", "systematic_review.title")

# In order; the first that holds decides. Probabilities: the share that was right on the labelled
# records whose types say something, where there are ten or more of them (rct.stated_title,
# animal.stated_title; benchmarks/labels.py); else a cautious guess (docs/extraction.md).
STATEMENTS = (
    Statement("commentary", ("commentary.title",), 0.9),
    Statement("protocol", ("protocol.title",), 0.95),
    Statement("protocol", ("protocol.text",), 0.8, ("meta_analysis.title", "review.title")),
    Statement("mendelian_randomisation", ("mendelian_randomisation.any",), 0.9),
    # data of the authors' own trials put together are no synthesis
    Statement("secondary_analysis", ("pooled_analysis.title",), 0.8, _SOUGHT),
    Statement("meta_analysis", ("meta_analysis.title",), 0.95, _SECONDARY),
    Statement("scoping_review", ("scoping_review.any",), 0.95),
    Statement("systematic_review", ("systematic_review.title",), 0.9),
    Statement("consensus", ("consensus.title",), 0.8),
    Statement("guideline", ("guideline.stated_title",), 0.75),
    Statement("animal", ("animal.stated_title",), 0.95, ("people.text",)),
    Statement("rct", ("rct.stated_title",), 0.98),
    Statement("economic_evaluation", ("economic_evaluation.title",), 0.85, ("rct.title",)),
    Statement("qualitative", ("qualitative.title",), 0.85, ("rct.title",)),
    Statement("case_control", ("case_control.title",), 0.85, ("animal.title",)),
    Statement("cross_sectional", ("cross_sectional.title",), 0.85, ("animal.title",)),
    Statement("cohort", ("cohort.stated_title",), 0.85, ("animal.title",)),
    Statement("phase_3", ("phase_3.title",), 0.75, ("rct.title", "animal.title")),
    Statement("phase_2", ("phase_2.title",), 0.75, ("rct.title", "animal.title")),
    Statement("phase_1", ("phase_1.title",), 0.75, ("rct.title", "animal.title")),
    Statement("cross_sectional", ("cross_sectional.stated_title",), 0.85, ("animal.title",)),
    Statement("cohort", ("cohort.retrospective_title",), 0.85, ("animal.title",)),
    Statement("animal", ("animal.breed",), 0.9, ("people.text",)),
    Statement("animal", ("animal.stated_text",), 0.9, ("rct.title", "case_control.title")),
    Statement("case_control", ("case_control.design",), 0.85, _NO_DESIGN_SECTION),
    Statement("case_control", ("case_control.nested",), 0.85, _NO_DESIGN_SECTION),
    Statement("cross_sectional", ("cross_sectional.this",), 0.8, _NO_DESIGN_SECTION),
    Statement("cross_sectional", ("cross_sectional.design",), 0.85, _NO_DESIGN_SECTION),
    Statement("cohort", ("cohort.design",), 0.85, _NO_DESIGN_SECTION),
)


_DECIDING = frozenset(cue for statement in STATEMENTS for cue in statement.cues)


@dataclass(frozen=True, slots=True)
class Reading:
    """The words of a record with the signals and design cues found in them."""

    words: Words
    signals: Signals
    cues: Mapping[str, Hit]

    def marks(self) -> dict[str, Hit]:
        """Hits by the names that the model knows: ``c:`` cues, ``s:`` signals."""
        found = {f"c:{name}": hit for name, hit in self.cues.items()}
        return found | {f"s:{name}": hit for name, hit in self.signals.hits.items()}


def read(words: Words) -> Reading:
    """Looks for every signal and design cue."""
    found = _ALL_CUES.find(words)
    signals = {name: hit for name, hit in found.items() if "." not in name}
    cues = {name: hit for name, hit in found.items() if "." in name}
    return Reading(words, Signals(signals), cues)


def infer(reading: Reading, model: Model | None = None) -> Design:
    """The design that the words state, its probability, the deciding sentence.

    ``model`` replaces the shipped one (cross-validation).
    """
    words, hits = reading.words, reading.cues
    if not words.vocabulary:
        return NO_WORDS
    model = model or load()
    marks = reading.marks()
    scores = model.score(words, [*marks, *form_of(words)])
    probabilities = model.probabilities(scores)
    coarse = max(probabilities, key=probabilities.__getitem__)
    rct = model.rct_probability(scores)
    stated = _stated(hits)
    if stated:
        statement, hit = stated
        name = _stated_name(statement, reading)
        agreed = probabilities[coarse] if _refine(coarse, reading) == name else 0.0
        if statement.design == "animal":
            rct = min(rct, 1 - statement.probability)
        return Design(name, max(statement.probability, agreed), words.sentence(hit), rct)
    name = _refine(coarse, reading)
    if probabilities[coarse] < _EVEN and (kept := reading.signals.hits.get("prospective_data")):
        return Design("observational", _EVEN, words.sentence(kept), rct)
    if name == "none":
        return Design("none", None, None, rct)
    loudest = model.loudest(marks, coarse)
    evidence = words.sentence(marks[loudest]) if loudest else words.title or words.abstract[:300]
    return Design(name, probabilities[coarse], evidence, rct)


def name_of(reading: Reading, coarse: str) -> str:
    """The name that a record gets where the model's largest class is ``coarse``."""
    if (stated := _stated(reading.cues)) is None:
        return _refine(coarse, reading)
    return _stated_name(stated[0], reading)


def _stated_name(statement: Statement, reading: Reading) -> str:
    if statement.design == "animal":  # what is done in a live animal is not in vitro
        return "animal"
    return _refine(statement.design, reading)


def _stated(hits: Mapping[str, Hit]) -> tuple[Statement, Hit] | None:
    """The first plain statement that holds, with the hit of its cue."""
    if _DECIDING.isdisjoint(hits):
        return None
    for statement in STATEMENTS:
        deciding = next((c for c in statement.cues if c in hits), None)
        if deciding and hits.keys().isdisjoint(statement.unless):
            return statement, hits[deciding]
    return None


_SECONDARY_NAMES = tuple(("secondary_analysis", cue) for cue in _SECONDARY)
# coarse class: finer names in order, each with the cue or signal that it needs
_FINER: Mapping[str, Sequence[tuple[str, str]]] = {
    "rct": (
        *_SECONDARY_NAMES,
        ("cluster_rct", "cluster_rct.any"),
        ("crossover_rct", "crossover_rct.any"),
    ),
    "trial": (
        ("secondary_analysis", "secondary_analysis.stated"),
        ("phase_3", "phase_3.any"),
        ("phase_2", "phase_2.any"),
        ("phase_1", "phase_1.any"),
    ),
    "case_control": (
        ("nested_case_control", "nested_case_control.any"),
        ("case_cohort", "case_cohort.any"),
    ),
    "case_report": (("case_series", "case_series.any"),),
    "guideline": (("consensus", "consensus.title"),),
    "animal": (("in_vitro", "in_vitro.any"),),
    "cohort": (
        *_SECONDARY_NAMES,
        ("case_series", "case_series.design"),
        ("diagnostic_accuracy", "diagnostic_accuracy.title"),
        ("cohort_retrospective", "retrospective"),
        ("cohort_prospective", "prospective"),
    ),
    "none": (
        ("economic_evaluation", "economic_evaluation.any"),
        ("qualitative", "qualitative.any"),
        ("diagnostic_accuracy", "diagnostic_accuracy.any"),
    ),
}
_COARSE_NAME = {"trial": "trial_other"}


def _refine(coarse: str, reading: Reading) -> str:
    for name, needed in _FINER.get(coarse, ()):
        if needed in reading.cues or reading.signals.says(needed):
            return name
    return _COARSE_NAME.get(coarse, coarse)
