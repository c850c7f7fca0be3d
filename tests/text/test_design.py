"""What kind of study the words state; every text here is invented."""

import pytest

from etl.store.schema.evidence import WORD_DESIGNS
from etl.text.cues import prepare
from etl.text.design import STATEMENTS, Design, infer, name_of, read
from etl.text.design_cues import DESIGN_CUES
from etl.text.linear import load
from etl.text.refining_cues import REFINING_CUES

TRIAL = (
    "BACKGROUND: Leg cramps are common. METHODS: We randomly assigned 210 patients to quinidine or "
    "placebo for 8 weeks. RESULTS: Cramps fell by half in the quinidine group (P = 0.01). "
    "CONCLUSIONS: Quinidine reduced cramps."
)
RATS = (
    "METHODS: Forty Wistar rats were randomly divided into four groups and fed a high-fat diet. "
    "RESULTS: Liver weight of the rats fell in the treated groups. CONCLUSION: The compound "
    "protects the liver in rats."
)


def judge(title: str, abstract: str = "") -> Design:
    return infer(read(prepare(title, abstract)))


STATED = [
    ("Quinidine for leg cramps: a randomised controlled trial.", TRIAL, "rct"),
    ("Quinidine for leg cramps: a double-blind, placebo-controlled study.", TRIAL, "rct"),
    ("Text messages in village clinics: a cluster randomised trial.",
     "METHODS: Forty villages were randomised to messages or usual care. RESULTS: Of 2,100 "
     "patients, more in the intervention group took their tablets.", "cluster_rct"),
    ("Caffeine and sleep: a randomised, double-blind, crossover trial.",
     "METHODS: In a crossover design, 24 volunteers received caffeine or placebo in random order, "
     "with a washout of a week. RESULTS: Sleep was shorter with caffeine than with placebo.",
     "crossover_rct"),
    ("Statins in old age: a systematic review and meta-analysis.",
     "We searched MEDLINE and Embase for randomised trials. Twelve trials were included.",
     "meta_analysis"),
    ("Yoga for back pain: a systematic review.",
     "DATA SOURCES: MEDLINE. Randomised trials were searched to June 2019.",
     "systematic_review"),
    ("Nurse-led clinics: a scoping review.", "Databases were searched.", "scoping_review"),
    ("Genetically raised urate and gout: a Mendelian randomisation study.",
     "We used two-sample Mendelian randomisation in 400,000 people.", "mendelian_randomisation"),
    ("Early walking after hip surgery: study protocol for a randomised controlled trial.",
     "METHODS: 300 patients will be randomised to early walking or usual care.", "protocol"),
    ("Rationale and design of the LEGCRAMP trial.",
     "Patients will be randomly assigned to quinidine or placebo.", "protocol"),
    ("Comment on: quinidine for leg cramps, a randomised trial.", "", "commentary"),
    ("Re: Quinidine for leg cramps: a randomised controlled trial.",
     "The authors randomised 210 patients and report 105 in each group.", "commentary"),
    ("Quinidine for leg cramps: authors' reply.", "", "commentary"),
    ("Cost-effectiveness of screening for aortic aneurysm.",
     "A Markov model was used; the cost per quality-adjusted life-year was 12,000 euros.",
     "economic_evaluation"),
    ("Living with a stoma: a qualitative study.",
     "Semi-structured interviews with 18 people were analysed.", "qualitative"),
    ("Expert consensus statement on the care of leg cramps.", "", "consensus"),
    ("Intussusception in an adult: a case report.",
     "We report the case of a 54-year-old woman who presented with abdominal pain.",
     "case_report"),
    ("Outcome of hip fracture: a retrospective cohort study.",
     "METHODS: We retrospectively reviewed 412 consecutive patients who underwent surgery between "
     "1999 and 2008. Mean follow-up was 3 years. RESULTS: Mortality was 21%.",
     "cohort_retrospective"),
    ("Outcome of hip fracture: a prospective cohort study.",
     "METHODS: A cohort of 412 consecutive patients was followed prospectively for 3 years. "
     "RESULTS: Mortality was 21%.", "cohort_prospective"),
    ("Sodium intake and stroke: a nested case-control study.",
     "METHODS: We did a nested case-control study with 210 cases and 420 matched controls. Odds "
     "ratios were estimated by conditional logistic regression.", "nested_case_control"),
    ("Coffee and bladder cancer: a case-control study.",
     "METHODS: A case-control study of 210 cases and 420 hospital controls matched by age. Odds "
     "ratios were estimated by conditional logistic regression.", "case_control"),
    ("Depression among students: a cross-sectional study.",
     "METHODS: In this cross-sectional survey 1,204 students completed a questionnaire. RESULTS: "
     "The prevalence of depression was 18%.", "cross_sectional"),
    ("Drug X in advanced melanoma: a phase II trial.",
     "METHODS: In this single-arm phase II trial, 42 patients received drug X every 3 weeks. "
     "RESULTS: The response rate was 24%.", "phase_2"),
]  # fmt: skip


@pytest.mark.parametrize(("title", "abstract", "design"), STATED, ids=[s[2] for s in STATED])
def test_a_plain_statement_is_read(title: str, abstract: str, design: str) -> None:
    assert judge(title, abstract).name == design


# Title, abstract, design, and the least probability: a title that names its method decides.
TITLED = [
    ("Zinc lozenges and colds: a prospective cohort study.",
     "We enrolled 2,150 people and followed them for 6 winters.", "cohort_prospective", 0.8),
    ("Zinc lozenges and colds: a retrospective cohort study in two islands.",
     "Records of 240 patients were read.", "cohort_retrospective", 0.8),
    ("Zinc for colds - a randomised, placebo-controlled trial.", "Colds were shorter.", "rct", 0.9),
    ("Drug Y in thyroid cancer: a phase 2, single-arm trial.",
     "We enrolled 77 patients with thyroid cancer.", "phase_2", 0.75),
    ("Drug Y in thyroid cancer: an open-label phase III study.", "", "phase_3", 0.75),
    ("Drug Y in thyroid cancer: a first-in-human phase 1b trial.", "", "phase_1", 0.75),
    ("Drug Y in thyroid cancer: a randomised phase 2 trial.",
     "We randomly assigned 77 patients to drug Y or placebo.", "rct", 0.9),
    ("Leg cramps: a clinical practice guideline of the Ruritanian society of neurology.",
     "The guideline gives 9 recommendations.", "guideline", 0.75),
    ("Nebulised saline in ferrets: a randomised controlled trial.",
     "Ferrets were randomised to saline or air (n = 20).", "animal", 0.9),
]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "abstract", "design", "least"), TITLED, ids=[t[0] for t in TITLED]
)
def test_a_title_that_names_its_method_decides(
    title: str, abstract: str, design: str, least: float
) -> None:
    found = judge(title, abstract)
    assert (found.name, found.evidence) == (design, title)
    assert found.probability is not None and found.probability >= least


@pytest.mark.parametrize(
    ("title", "not_it"),
    [
        ("Adherence of nurses to clinical practice guidelines for leg cramps.", "guideline"),
        ("Leg cramps in clinics: effect of a clinical practice guideline.", "guideline"),
        ("Cats in the bedroom and asthma of children: a cohort study.", "animal"),
        ("Quinidine for leg cramps: an analysis of a randomised trial.", "rct"),
        ("Quinidine for leg cramps: a review of phase 2 trials.", "phase_2"),
        ("Quinidine for leg cramps: a review of cohort studies.", "cohort"),
        ("Quinidine for leg cramps: a non-randomised trial.", "rct"),
    ],
)
def test_a_method_that_is_only_mentioned_does_not_decide(title: str, not_it: str) -> None:
    assert judge(title).name != not_it or (judge(title).probability or 0) < 0.75


# Abstract, design, and its sentence: what an abstract says of its design decides like a title.
SECTIONS = [
    ("OBJECTIVE: To study cramps. DESIGN: Observational cross-sectional study. SETTING: A clinic.",
     "cross_sectional"),
    ("We studied cramps. Prospective cross-sectional observational study conducted at two clinics. "
     "Eighty patients were enrolled.", "cross_sectional"),
    ("OBJECTIVE: To study cramps. DESIGN: Population-based case-control study. SETTING: A city.",
     "case_control"),
    ("OBJECTIVE: To study cramps. DESIGN: Case-control observational study. SETTING: A city.",
     "case_control"),
    ("PURPOSE: To study cramps. STUDY DESIGN: A retrospective, multinational, and multicenter "
     "study was used. PATIENT SAMPLE: 310 patients.", "cohort_retrospective"),
    ("OBJECTIVE: To study cramps. DESIGN: Prospective observational study. SETTING: A clinic. "
     "PATIENT(S): Eight women.", "cohort_prospective"),
    ("METHODS: Twelve male beagles were randomly allocated to three groups.", "animal"),
    ("METHODS: Male Wistar rats were used, four by four.", "animal"),
    ("METHODS: The rats were sacrificed after 30 days and Western blot was done.", "animal"),
    ("METHODS: Female Yorkshire pigs were anesthetized, then randomized to quinidine or air. "
     "CONCLUSION: Patients may gain from it.", "animal"),
]  # fmt: skip


@pytest.mark.parametrize(("abstract", "design"), SECTIONS, ids=[s[0][:60] for s in SECTIONS])
def test_a_design_named_in_the_abstract_decides(abstract: str, design: str) -> None:
    found = judge("Leg cramps in the tropics.", abstract)
    assert found.name == design
    assert found.probability is not None and found.probability >= 0.85


@pytest.mark.parametrize(
    ("title", "design"),
    [
        ("Quinidine for leg cramps: A retrospective study of 44 patients.", "cohort_retrospective"),
        ("Leg cramps by ultrasound: a cross-sectional comparison with touch.", "cross_sectional"),
        ("Leg cramps at night: a prospective, observational study.", "cohort_prospective"),
    ],
)
def test_other_titles_that_name_a_method(title: str, design: str) -> None:
    found = judge(title, "Data of people with cramps were read.")
    assert (found.name, found.evidence) == (design, title)
    assert found.probability is not None and found.probability >= 0.85


NOT_TRIALS = [
    ("reviews search for trials", "Drugs for leg cramps: a review.",
     "Randomised trials were searched in MEDLINE. Few randomised controlled trials exist."),
    ("trials are called for", "Quinidine for leg cramps in 31 patients.",
     "We retrospectively reviewed 31 patients treated between 1999 and 2003. Randomised "
     "controlled trials are needed."),
    ("a random sample is no trial", "Leg cramps among the elderly: a population survey.",
     "In this cross-sectional survey, 800 people were randomly selected from the register and "
     "completed a questionnaire."),
    ("negated", "Quinidine or stretching for leg cramps: a non-randomised comparison.",
     "Patients were not randomised: 40 chose quinidine and 38 stretching."),
    ("animals", "Effect of compound Y on the liver of rats.", RATS),
    ("cells", "Compound Y inhibits growth of hepatoma cells in vitro.",
     "Cell lines were cultured and transfected with siRNA. Cells were randomly assigned to plates. "
     "Western blot showed lower expression."),
    ("genes", "Genetically raised urate and gout: a Mendelian randomisation study.",
     "We used two-sample Mendelian randomisation."),
    ("case of", "A rare case of quinidine toxicity.",
     "We report a 71-year-old man who had taken quinidine in a randomised trial."),
    ("letter with numbers", "Letter to the editor: leg cramps.",
     "Of 210 patients randomised in the trial, only 180 were analysed."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "abstract"), [t[1:] for t in NOT_TRIALS], ids=[t[0] for t in NOT_TRIALS]
)
def test_words_that_must_not_make_a_trial(title: str, abstract: str) -> None:
    found = judge(title, abstract)
    assert found.name not in ("rct", "cluster_rct", "crossover_rct")


@pytest.mark.parametrize(
    "abstract",
    [
        "METHODS: This is a secondary analysis of a randomised trial in 210 patients assigned to "
        "quinidine or placebo. RESULTS: Sleep predicted cramps.",
        "METHODS: We did a post hoc analysis of the LEGCRAMP trial, in which 210 patients were "
        "randomised to quinidine or placebo. RESULTS: Sleep predicted cramps.",
    ],
)
def test_an_analysis_of_another_trial_is_not_the_trial(abstract: str) -> None:
    assert judge("Sleep and leg cramps.", abstract).name == "secondary_analysis"


SECONDARY = [
    "DESIGN: In this secondary analysis we used control group data from a randomized trial of "
    "cramps. RESULTS: Sleep was worse in the 99 participants with cramps.",
    "METHODS: The authors analyzed data from 142 persons aged 60 years or older with cramps who "
    "participated in a 12-week randomized controlled trial comparing quinidine with placebo. "
    "RESULTS: Sleep at baseline predicted cramps.",
    "METHODS: Data were drawn from a randomized trial of quinidine or placebo in 210 patients. "
    "RESULTS: Sleep at baseline predicted cramps in the patients assigned to placebo.",
]


@pytest.mark.parametrize("abstract", SECONDARY)
def test_data_of_another_trial_are_a_secondary_analysis(abstract: str) -> None:
    assert judge("Sleep and leg cramps in old age.", abstract).name == "secondary_analysis"


def test_a_further_analysis_of_a_trial_leaves_it_a_trial() -> None:
    more = TRIAL.replace("CONCLUSIONS", "In a secondary analysis, sleep was the same. CONCLUSIONS")
    assert judge("Quinidine for leg cramps: a randomised trial.", more).name == "rct"
    assert judge("Quinidine for leg cramps.", more).name == "rct"


COHORT = (
    "METHODS: All 320 patients treated between 2001 and 2009 were followed for two years. "
    "RESULTS: Cramps fell in the treated patients."
)


@pytest.mark.parametrize(
    ("title", "abstract", "design"),
    [
        ("Outcome of leg cramps.", f"DESIGN: Prospective case series. {COHORT}", "case_series"),
        ("Outcome of leg cramps.", f"DESIGN: Retrospective comparative case series. {COHORT}",
         "cohort_retrospective"),
        ("A questionnaire as a screening tool for cramps.",
         f"DESIGN: Retrospective cohort study. {COHORT}", "diagnostic_accuracy"),
        ("Outcome of leg cramps.", f"DESIGN: Retrospective cohort study. {COHORT}",
         "cohort_retrospective"),
    ],
)  # fmt: skip
def test_finer_names_of_a_cohort(title: str, abstract: str, design: str) -> None:
    assert judge(title, abstract).name == design


def test_patients_of_a_prospective_database_were_observed() -> None:
    found = judge(
        "Screws in the sacrum; a very high rate of failure.",
        "Of 504 patients enrolled in a prospective multicentric database, 45 had screws of two "
        "types. Sixteen complications were identified.",
    )
    assert (found.name, found.evidence is not None) == ("observational", True)


def test_a_pooled_analysis_is_a_synthesis_only_where_studies_were_sought() -> None:
    title = "Outcome of quinidine for cramps: a pooled analysis of LEG 12 and LEG 14."
    own = "METHODS: A pooled analysis was performed on 119 patients enrolled on LEG 12 and LEG 14."
    assert judge(title, own).name == "secondary_analysis"
    sought = "METHODS: We searched MEDLINE for randomised trials. Nine were included."
    found = judge("Quinidine for cramps: a pooled analysis of trials.", sought)
    assert found.name in ("meta_analysis", "systematic_review")


def test_the_authors_own_words_for_a_design_within_a_cohort() -> None:
    nested = (
        "A case-control study nested within a large cohort was conducted to test whether "
        "family history raises the risk of cramps. The cohort of 40,000 women was followed to 1972."
    )
    found = judge("Family history and leg cramps.", nested)
    assert found.name in ("case_control", "nested_case_control")
    baseline = (
        "METHODS: CRAMP is a prospective population-based cohort study of old people. This "
        "cross-sectional analysis gives the prevalence of cramps at baseline in 2069 participants."
    )
    found = judge("Prevalence of leg cramps in old age: the CRAMP study.", baseline)
    assert found.name == "cross_sectional"


def test_animals_randomised_are_not_people_randomised() -> None:
    people = judge("Quinidine for leg cramps: a randomised trial.", TRIAL)
    assert judge("Effect of compound Y on the liver of rats.", RATS).rct_probability < 0.2
    assert people.rct_probability > 0.9
    ferrets = judge("Saline in ferrets: a randomised controlled trial.", "Ferrets were randomised.")
    assert ferrets.rct_probability < 0.1


def test_a_treatment_protocol_is_no_study_protocol() -> None:
    found = judge(
        "A new chemotherapy protocol in childhood leukaemia: results in 58 patients.",
        "METHODS: 58 patients were treated with the protocol and followed for 5 years. RESULTS: "
        "Survival was 71%.",
    )
    assert found.name != "protocol"


def test_evidence_is_the_sentence_that_decided() -> None:
    found = judge("Leg cramps.", TRIAL)
    assert found.evidence is not None
    assert "We randomly assigned 210 patients" in found.evidence


def test_no_words_no_design() -> None:
    assert judge("", "") == Design("none", None, None, None)


def test_names_are_declared_and_cues_are_known() -> None:
    cues = {one.name for one in (*DESIGN_CUES.cues, *REFINING_CUES.cues)}
    for statement in STATEMENTS:
        assert statement.design in WORD_DESIGNS
        assert cues >= {*statement.cues, *statement.unless}


def test_the_model_knows_every_design_cue() -> None:
    """A renamed cue must be trained again; a cue that no record shows has no weight."""
    named = {mark[2:] for mark in load().marks if mark.startswith("c:")}
    assert named <= {one.name for one in DESIGN_CUES.cues}


def test_a_name_by_class_gives_way_to_a_plain_statement() -> None:
    stated = read(prepare("Zinc for colds: a study protocol", "Adults will be recruited."))
    assert name_of(stated, "rct") == "protocol"
    silent = read(prepare("Zinc for colds", "Villages were cluster randomised to zinc."))
    assert name_of(silent, "rct") == "cluster_rct"
    assert name_of(silent, "trial") == "trial_other"


def test_words_of_each_sentence() -> None:
    words = prepare("Zinc. A trial", "Zinc helps. Il-6 fell by 12.5%. More is needed.")
    said = [["zinc", "a", "trial"], ["zinc", "helps"], ["il", "0", "fell", "by", "00", "0"]]
    assert list(words.by_sentence) == [*said, ["more", "is", "needed"]]
    assert words.closing_words() == ["more", "is", "needed"]
    assert prepare("Zinc. A trial", None).closing_words() == ()
