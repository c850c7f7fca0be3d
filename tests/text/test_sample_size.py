# ruff: noqa: E501 (each case of a table stands on one line)
"""Sample size from words: what counts, and what must not be taken for it."""

import pytest

from etl.text.sample_size import find

TITLE = "Tea and gout"

# (what it is about, title, abstract, the right total)
TOTALS = [
    ("number words", TITLE, "One hundred and twenty-four patients were randomised to tea or water.", 124),
    ("grouped by comma", TITLE, "A total of 12,388 women were randomly assigned to tea or placebo.", 12388),
    ("grouped by blank", TITLE, "A total of 13 388 women were randomly assigned to tea or placebo.", 13388),
    ("grouped by point", TITLE, "A total of 1.234 patients were enrolled in the registry.", 1234),
    ("capital N", TITLE, "Adults with gout (N = 64) were recruited into this trial from four clinics.", 64),
    ("screened, randomised", TITLE, "Of 512 patients screened, 240 were randomised to tea or water.", 240),
    ("screened, nobody named", TITLE, "Of 512 screened, 240 were randomised. A total of 231 completed the study.", 240),
    ("out of", TITLE, "Out of 121 patients referred, 112 women were allocated randomly to two groups.", 112),
    ("sum of arms", TITLE, "Patients were randomly assigned: 62 received tea and 59 placebo.", 121),
    ("each of three", TITLE, "Patients were randomised into three groups (n = 30 each).", 90),
    ("table-like", TITLE, "Arm A: n = 52; age 61 (12); male 55%. Arm B: n = 50; age 60 (11); male 51%. Patients were randomised.", 102),
    ("after exclusions", TITLE, "A total of 300 patients were randomised. After exclusions, 281 patients were analysed.", 300),
    ("percentage with count", TITLE, "Of 200 women enrolled, 50 (25%) had headache.", 200),
    ("eyes", "Lens A", "We implanted lens A in 60 eyes of 40 patients with cataract.", 40),
    ("twin pairs are two people", TITLE, "Fifty twin pairs were enrolled in the study.", 100),
    ("couples are two people", TITLE, "A total of 45 couples were randomised to counselling or control.", 90),
    ("crossover", TITLE, "In this crossover trial, 24 healthy volunteers received tea and water in random order.", 24),
    ("stopped early", TITLE, "The trial was planned to enrol 400 patients but was stopped early. A total of 187 patients were randomised.", 187),
    ("follow-up, not the parent", "Ten-year follow-up of the TEA trial", "In the original trial, 1,200 patients were randomised. For this follow-up study we included 845 of these participants.", 845),
    ("cases and controls", TITLE, "We compared 310 cases with gout and 420 controls.", 730),
    ("cohort", TITLE, "In this cohort study of 1,800,643 persons born in Sweden, 1,204 developed gout.", 1800643),
    ("survey", TITLE, "A cross-sectional survey of 1,502 adults in Norway was performed. The response rate was 54%.", 1502),
    ("one case", "Gout of the ear: a case report", "We report the case of a 45-year-old woman with gout of the ear.", 1),
    ("two cases", "Gout of the ear: report of two cases", "We report two patients with gout of the ear aged 45 and 52 years.", 2),
    ("right after its own trial", TITLE, "In this equivalence trial 1,312 adults with gout were randomised to weekly or daily tea.", 1312),
    ("a part was recruited", TITLE, "From May 1991 to June 1999, 71 (64%) of 111 patients with gout were recruited.", 71),
    ("person-years are no people", TITLE, "We followed 4,310 women. During 96,250 person-years of follow-up 173 cases of gout were diagnosed.", 4310),
    ("both sexes", TITLE, "RESULTS: There were 10 women and eight men with gout of the toe.", 18),
    ("both sexes, men first", TITLE, "There were 30 men and 16 women, whose age ranged from 32 to 86 years.", 46),
    ("both sexes of a total", TITLE, "A total of 100 (76 females and 24 males) consecutive patients were included.", 100),
    ("one sex and rats", TITLE, "We studied 40 pregnant women and 12 male rats.", 40),
    ("whole and two unequal arms", TITLE, "Of 660 women enrolled, 440 (median age, 59 [32-91] years) were randomised to tea and 220 (median age, 62 [32-87] years) were randomised to water.", 660),
    ("scores with intervals", TITLE, "Seventy-two women with gout. Participants were randomised to tea or water. The score was higher in the tea group (158 [153.8 to 159.3]) than in the control group (141 [139.2 to 145.3]).", 72),
    ("specimens of patients", TITLE, "Seventy Frisian patient specimens of gout were analysed. Genotype AA was found in 41 (59%) cases.", 70),
    ("span of years", TITLE, "From 1961 to 1987 two hundred and twelve cases of gout were diagnosed in islanders.", 212),
    ("limit", TITLE, "Fever up to 41 and gout were seen. We enrolled 32 patients.", 32),
    ("enrolled from a database", TITLE, "Patients with gout were selected from a database of 90,210 patients. A total of 152 patients (70 men) were enrolled in this study.", 152),
    ("nation enrolled", TITLE, "We randomized 96 Asian Americans with gout to tea or water.", 96),
    ("randomised beats analysed", TITLE, "We randomly assigned 871 participants, 850 (98%) of whom were included in the primary analysis.", 871),
    ("exposed and unexposed", TITLE, "We studied gout in a cohort of 3120 Frisian patients treated with tea, and 2990 frequency-matched nonexposed subjects.", 6110),
    ("compared with the risk among others", TITLE, "No higher risk of gout was found among 810 persons who had been treated with tea when compared with the risk among 1,810 persons who were treated with water or not at all.", 2620),
    ("as many controls", TITLE, "We interviewed 205 cases of gout and an equal number of age-matched controls.", 410),
    ("teeth and vertebrae", "Lens B", "Cement was given in 14 vertebrae of 11 patients and on 90 teeth.", 11),
    ("code of a product", "Tea and memory", "Tea leaf (TEG 871) was given in a randomised trial to women. Patients took 60 mg of TEG 871 or placebo. Sixty-six women provided evaluable data.", 66),
    ("share of a trial", TITLE, "In total, this analysis included 440 women (40% of the 1100 randomised patients).", 440),
    ("numbers of trials", "Tea and sleep", "A pooled analysis was done on 83 patients enrolled on trials 9807 and 0144.", 83),
    ("examined, then some randomised", TITLE, "Over 3 years, 83 patients with gout were examined at our clinic. Finally, 36 cases were included in this study and randomly divided in two groups: tea (n = 18) or water (n = 18).", 36),
    ("met eligibility criteria", TITLE, "In this trial, 1,640 patients who met eligibility criteria for tea were evaluated for headache. Headache was seen in 31 (4.0%) of 840 patients who received tea versus 10 (1.4%) of 700 patients in the control arm.", 1640),
    ("n with a percentage", TITLE, "Adults with gout (N = 177, 61% men) were recruited from four clinics.", 177),
    ("treatment protocol", "A high-dose protocol of tea in gout: a randomised trial", "We randomised 140 patients to tea or water. Tea will help many.", 140),
    ("those left of the screened", TITLE, "Of 5,000 volunteers screened, 2,300 had gout and were assigned to tea or water.", 2300),
    ("who treats is not who is treated", TITLE, "In this study 17 nurses and 502 patients were included.", 502),
    ("things of people", TITLE, "We examined 180 tea marks in 130 patients with gout.", 130),
    ("largest of several studies", "Two studies of tea", "In study 1, 120 students drank tea. In study 2, 80 students drank water.", 120),
]  # fmt: skip

# (what it is about, title, abstract): no sample size of this study's own.
NOTHING = [
    ("a dose", "The 300 IR dose of tea", "The 300 IR dose of tea is associated with higher adherence and patient satisfaction."),
    ("estimated burden", TITLE, "We estimate that the annual burden in Ruritania would include 17,500 cases of gout."),
    ("pooled from many trials", TITLE, "PARTICIPANTS: 960 adults without other diseases drawn from eight randomized controlled trials."),
    ("headings of a review", TITLE, "SEARCH STRATEGY: MEDLINE. SELECTION CRITERIA: Trials in which patients were randomised to tea. MAIN RESULTS: Twenty trials with 948 children were found."),
    ("new cases of a nation", TITLE, "In Ruritania, about 46,000 new cases are still expected in patients in 2007 alone."),
    ("case-control studies", TITLE, "Four case-control studies have examined this in patients; all were supportive."),
    ("number of a serotype", TITLE, "In children and adults, gout virus serotype 36 is linked with pain."),
    ("number of a trial", TITLE, "In trial 305 patients with gout took tea."),
    ("randomised ferrets", "Tea in ferrets: a randomised trial", "Ferrets were randomised to tea or water (n = 20)."),
    ("protocol by title", "Tea in gout: study protocol for a trial", "METHODS: A total of 240 patients will be recruited and randomised to tea or water."),
    ("protocol by tense", TITLE, "We will enroll 300 adults with gout. Participants will be randomly assigned to tea or water."),
    ("trials were searched", "Tea and sleep", "We searched MEDLINE for randomised trials. Twelve trials with 3,456 participants were included."),
    ("randomised trials were searched", TITLE, "Randomised trials were searched. We discuss the 25 patients of one report."),
    ("randomly selected lines", TITLE, "We randomly selected 20 sentences from 12 textbooks for patients."),
    ("a cited trial", "Letter on aspirin", "In the earlier ASPIRE trial, published in 2010, 12,546 patients were randomised. We think that its conclusion should be read with care."),
    ("interval, dose, p, years", TITLE, "The hazard ratio was 0.85 (95% CI 12-45; P = 0.03) in patients given 200 mg for 12 weeks in 2015 and 2016."),
    ("codes, genes, pages", TITLE, "Patients with ICD-10 code 250 and BRCA1 mutation 185 delAG, see pages 120-134, were described."),
    ("a total of weeks", TITLE, "Patients drank tea for a total of 12 weeks and were followed for 24 months."),
    ("ages", TITLE, "Eligible patients were aged 18 to 65 years and had 3 or more attacks."),
    ("rats by n", "Tea in rats", "Male Wistar rats (n = 12) were given tea or water."),
    ("rats in words", "Tea and blood pressure", "Sixty-four adult male Sprague-Dawley rats were randomly assigned to four groups (n = 16 each)."),
    ("year in words", TITLE, "Since two thousand and three, patients have been offered tea at our hospital."),
    ("events only", TITLE, "During follow-up 34 deaths and 56 strokes occurred; 12 events were fatal in patients."),
    ("burden of disease", TITLE, "Gout affects 0.63 million people globally and 41,000 patients per year in Norway."),
    ("translocation, ratio", TITLE, "A translocation t(9;14) was seen in patients who were randomised 2:1."),
    ("rate", TITLE, "The incidence was 92 per 100,000 patients."),
    ("inexact", TITLE, "Tea has been given to more than 500 patients."),
    ("since a year", TITLE, "Since 1840, more than ninety cases of gout of the ear have been reported."),
    ("models of devices", TITLE, "Patients were measured with 2 devices (GoutMeter 400; optical Toescan LS 800)."),
    ("donor cycles", TITLE, "Data came from 7,410 donor cycles in patients with gout."),
    ("prescriptions", TITLE, "A total of 1312 (51.2%) of the total prescriptions included tea for patients."),
    ("surgeons at work", TITLE, "Toes of the study group were operated on by 1 of 6 surgeons."),
    ("points of data", TITLE, "Seventy-two data points were collected on patients with gout."),
    ("pressure", TITLE, "In ventilated patients, pressure was set to 12 cmH2O."),
    ("pigs by n", "Tea and the lung", "Female pigs were randomized into (1) tea (n = 4), pressure 5 cmH2O, or (2) water (n = 4). Help for patients is hoped for."),
    ("cycles in the title too", "Tea and donors: an analysis of 8,140 pregnancies", "Data from 8,140 cycles were read."),
    ("no words", "", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("about", "title", "abstract", "total"), TOTALS, ids=lambda one: str(one)[:30]
)
def test_total(about: str, title: str, abstract: str, total: int) -> None:
    size = find(title, abstract)
    assert size.value == total, about
    assert size.source == "abstract"
    assert size.confidence is not None and 0 < size.confidence <= 1


@pytest.mark.parametrize(("about", "title", "abstract"), NOTHING, ids=lambda one: str(one)[:30])
def test_no_total(about: str, title: str, abstract: str | None) -> None:
    size = find(title, abstract)
    assert size.value is None, about
    assert (size.source, size.evidence, size.confidence) == ("none", None, None)


def test_evidence_is_the_sentence_with_its_offsets() -> None:
    abstract = "BACKGROUND: Gout hurts. METHODS: We randomised 240 patients to tea vs. water. RESULTS: It helped."
    size = find(TITLE, abstract)
    assert size.evidence == "METHODS: We randomised 240 patients to tea vs. water."
    assert abstract[size.start : size.end] == size.evidence


def test_title_is_read_when_the_abstract_says_nothing() -> None:
    size = find("Tea in 240 patients with gout", None)
    assert (size.value, size.source, size.evidence) == (
        240,
        "title",
        "Tea in 240 patients with gout",
    )


def test_arms_in_the_order_of_the_text() -> None:
    abstract = "A total of 121 patients were randomised to tea (n = 62) or placebo (n = 59)."
    assert find(TITLE, abstract).arms == (62, 59)
    abstract = "Women were randomized to tea (n = 97), coffee (n = 98), or control group (n = 48)."
    assert find(TITLE, abstract).arms == (97, 98, 48)


def test_men_and_women_of_one_group_are_no_arms() -> None:
    found = find(TITLE, "Thirty patients (26 males and four females) with gout were enrolled.")
    assert (found.value, found.arms) == (30, ())


def test_analysed_stands_beside_the_randomised_total() -> None:
    size = find(TITLE, "A total of 300 patients were randomised; 281 patients were analysed.")
    assert (size.value, size.analysed) == (300, 281)


def test_meta_analysis_keeps_studies_and_participants_apart() -> None:
    size = find(
        "Tea for gout: a systematic review and meta-analysis",
        "We searched PubMed. RESULTS: Fourteen trials involving 2,345 participants were included.",
    )
    assert (size.value, size.n_studies, size.n_participants) == (None, 14, 2345)


def test_clusters_are_noted_and_people_counted() -> None:
    size = find(TITLE, "Twenty practices were randomised; 1,240 patients were recruited from them.")
    assert (size.value, size.n_clusters) == (1240, 20)


def test_planned_number_is_only_an_alternative() -> None:
    size = find("Tea in gout: study protocol", "A total of 240 patients will be randomised.")
    assert size.value is None
    assert [other.value for other in size.alternatives] == [240]
    assert size.alternatives[0].confidence < 0.1


@pytest.mark.parametrize(
    ("language", "abstract", "total"),
    [
        ("fre", "Nous avons inclus 120 patients (n = 120) dans cette étude prospective.", 120),
        ("chi", "将120例患者随机分为两组。", 120),
        ("ger", "Es wurden Patienten mit Gicht über 12 Wochen behandelt.", None),
        ("fre", "A total of 64 patients with gout were included in the study.", 64),
    ],
)
def test_other_languages_only_where_digits_make_it_certain(
    language: str, abstract: str, total: int | None
) -> None:
    assert find("x", abstract, None, language).value == total


def test_letters_that_grow_in_lower_case_keep_offsets_right() -> None:
    abstract = "İstanbul is large. We randomised 240 patients to tea or water."
    size = find(TITLE, abstract)
    assert size.value == 240
    assert abstract[size.start : size.end] == "We randomised 240 patients to tea or water."
