"""Quality signals and what must not count as one; every text here is invented."""

import pytest

from etl.text import cues, signals
from etl.text.cues import prepare
from etl.text.design_cues import DESIGN_CUES


def said(text: str) -> set[str]:
    return set(signals.find(prepare("Leg cramps.", text)).hits)


YES = [
    ("prospective", "We prospectively followed 40 patients."),
    ("retrospective", "This retrospective study included 40 patients."),
    ("retrospective", "The medical records of 40 patients were reviewed."),
    ("multicentre", "This multi-centre study included 40 patients."),
    ("multicentre", "Patients were enrolled at 12 hospitals in Chile."),
    ("single_centre", "This single-center study included 40 patients."),
    ("registry", "Data came from the Danish Hip Fracture Registry."),
    ("registry", "We used the national cancer register of Norway."),
    ("registry_data", "Data came from the Danish Hip Fracture Registry."),
    ("registry_data", "We used the national cancer register of Norway."),
    ("registry_data", "All 4000 cases recorded in the Lima Cancer Registry were analysed."),
    ("registry_data", "This register-based cohort study included all births in Malta."),
    ("registry_data", "Patients were identified through the national stroke registry."),
    ("registry_data", "A study using contemporary registry data from Chile."),
    ("registry_data", "We did a linkage of national health registers."),
    ("registry_data", "Data are from the Surveillance, Epidemiology, and End Results program."),
    ("prospective", "This is a prospective, multicentre registry of gout."),
    ("prospective", "A prospective study was done in patients of a prospective database."),
    (
        "prospective_data",
        "Forty patients of a prospective, multicenter gout registry were reviewed.",
    ),
    ("prospective_data", "We reviewed a prospectively maintained database."),
    ("randomised", "Patients were randomised to quinidine or placebo."),
    ("randomised", "We randomly allocated 40 patients."),
    ("randomised", "DESIGN: Randomized, open-label trial."),
    ("blinded", "In this double-blind study 40 patients took part."),
    ("blinded", "Assessors were masked to treatment."),
    ("concealed", "Allocation was concealed with sealed opaque envelopes."),
    ("itt", "Analysis was by intention to treat."),
    ("coi", "Conflict of interest: none declared."),
    ("coi", "The authors declare no competing interests."),
]


@pytest.mark.parametrize(("signal", "text"), YES)
def test_a_signal_is_read(signal: str, text: str) -> None:
    assert signal in said(text)


NO = [
    ("randomised", "Patients were not randomised."),
    ("randomised", "This was a non-randomised study of 40 patients."),
    ("randomised", "In this nonrandomized trial, 40 patients took part."),
    ("randomised", "People were randomly selected from the register."),
    ("randomised", "A random sample of 400 people was drawn."),
    ("randomised", "Randomised controlled trials are needed."),
    ("randomised", "We searched MEDLINE for randomised trials."),
    ("randomised", "A large randomised controlled trial is warranted."),
    ("randomised", "We used Mendelian randomisation."),
    ("randomised", "A random-effects model was used."),
    ("randomised", "Patients will be randomised to early or late walking."),
    ("blinded", "This open-label study was unblinded."),
    ("blinded", "Patients were not blinded."),
    ("blinded", "An open-label trial was done without blinding."),
    ("blinded", "Forty blind people took part."),
    ("prospective", "Prospective studies are needed."),
    ("prospective", "Prospective parents were asked."),
    ("prospective", "The trial was prospectively registered."),
    ("multicentre", "Multicentre trials are warranted."),
    ("single_centre", "Evidence comes from single-centre studies."),
    ("single_centre", "The gene is not specific to cramps within a single site."),
    ("single_centre", "Single-site laparoscopic surgery was done."),
    ("single_centre", "There are only few single-institution series who report on cramps."),
    ("registry", "The trial is in the Chinese Clinical Trial Registry."),
    ("registry", "Patients could register online."),
    ("registry_data", "We assessed vital status at municipal population registries."),
    ("registry_data", "Causes of death were obtained from the national register."),
    ("registry_data", "Cancers were ascertained by linkage with the cancer registry."),
    ("registry_data", "Expected numbers were calculated with data from the cancer registry."),
    ("registry_data", "Rates were compared with those of patients in the cancer registry."),
    ("registry_data", "Data of the trial are in the Chinese Clinical Trial Registry."),
    ("prospective", "Forty patients of a prospective, multicenter gout registry were reviewed."),
    ("prospective", "Of 504 patients enrolled in a prospective multicentric database, 45 fell."),
    ("prospective_data", "In this prospective study patients were drawn from a database."),
    ("prospective_data", "A prospective cohort study of a registry."),
    ("itt", "Results were not analysed by intention to treat."),
    ("coi", "We studied competing demands and conflict in families."),
]


@pytest.mark.parametrize(("signal", "text"), NO)
def test_what_is_no_signal(signal: str, text: str) -> None:
    assert signal not in said(text)


def test_each_signal_has_its_sentence() -> None:
    abstract = (
        "Cramps hurt. We did a double-blind trial in 3.5 years. Analysis was by intention to treat."
    )
    words = prepare("Leg cramps.", abstract)
    found = {s["signal"]: s["sentence"] for s in signals.find(words).sentences(words)}
    assert found["blinded"] == "We did a double-blind trial in 3.5 years."
    assert found["itt"] == "Analysis was by intention to treat."


def test_a_signal_of_the_title_gives_the_title() -> None:
    words = prepare("Zinc: a multicentre study.", "Zinc is a metal.")
    assert signals.find(words).sentences(words) == [
        {"signal": "multicentre", "sentence": "Zinc: a multicentre study."}
    ]


def test_capitals_that_grow_in_lower_case_keep_offsets() -> None:
    words = prepare("İstanbul: İİİ.", "Patients were randomised to quinidine or placebo.")
    assert len(words.low) == len(words.title) + 1 + len(words.abstract)
    assert signals.find(words).sentences(words)[0]["sentence"] == words.abstract


@pytest.mark.parametrize("cue", [*signals.SIGNALS.cues, *DESIGN_CUES.cues], ids=lambda c: c.name)
def test_triggers_are_words_as_the_tokenizer_gives_them(cue: cues.Cue) -> None:
    assert all(cues.tokens(trigger) == {trigger} for trigger in cue.triggers)


def test_signals_are_the_declared_columns() -> None:
    from etl.store.schema import TABLES

    declared = {n for n in TABLES["citation_signals"].arrow.names if n.startswith("says_")}
    assert declared == {f"says_{name}" for name in signals.NAMES}
