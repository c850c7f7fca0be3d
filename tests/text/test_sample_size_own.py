# ruff: noqa: E501 (each case of a table stands on one line)
"""Whose number it is: planned, of a parent trial, of controls, of groups that nobody adds up."""

import pytest

from etl.text.sample_size import find

T = "Tea and gout"

# (what it is about, title, abstract, the right total; None: nobody is counted)
CASES = [
    ("doses of radiation", T, "Ten patients were treated with 5,000 to 6,000 rads and 8 patients with 20 Gray.", 10),
    ("worldwide incidence", T, "With an estimated annual incidence of about one million cases, gout is common worldwide.", None),
    ("incidence of cases", T, "The incidence of gout was 1,200 cases in adults.", None),
    ("review of pairs", "Gout in newcomers", "This review aimed at covering gout risk. We used 77,000 and 990,000 cases among newcomers and natives.", None),
    ("couples in treatment", "Tea and conception", "A total of 2,200 couples undergoing IVF drank tea.", 2200),
    ("embryos of couples", "Tea and conception", "Three thousand embryos generated from 620 couples undergoing IVF were studied.", 620),
    ("two groups of women", T, "Fifty-three non-smoking and fifty-four smoking women were enrolled from two clinics.", 107),
    ("age of a case", "A case of gout during tea treatment", "A 47-case-year old male was admitted to our hospital because of gout.", 1),
    ("part that makes the population", T, "Of 500 patients enrolled in a database, 230 were treated with tea and 270 with water. Forty-four of those who had gout and more than 6 months of follow-up constitute the population.", 44),
    ("controls of each case", T, "Eighty incident cases were each matched for sex and age to 2 controls.", 240),
    ("groups used as controls", T, "METHODS: Thirty patients with gout were studied. Twenty patients with warts, 70 healthy donors, and 10 patients with colds were used as control groups.", 130),
    ("a control group apart", T, "A consecutive series of patients treated with tea (tea group, n = 150; 140 females and 10 males) or water (water group, n = 120) were followed. An age-matched control group of 100 persons was randomly selected.", 370),
    ("birds", "Tea and birds", "We observed 130 birds at feeders while people drank tea.", None),
    ("houses", "Tea at home", "We inspected 240 houses in which patients lived.", None),
    ("court cases", "Tea in court", "We found 88 court cases about tea given to patients.", None),
    ("regimens", "Tea regimens", "All four treatment regimens gave tea to patients.", None),
    ("biopsies", "Tea and biopsy", "A total of 64 biopsies from patients with gout were stained.", None),
    ("studies", "Tea", "We read 45 studies of patients with gout.", None),
    ("planned, stopped after", T, "The trial was to enrol 2000 patients. It was stopped after 300 patients had been randomised.", 300),
    ("planned sample, stopped after", T, "A planned sample of 2000 patients was to be randomised; the trial was stopped after 300 patients because of slow recruitment.", 300),
    ("planned recruitment, stopped", T, "Recruitment of 2,000 patients was planned, but the trial stopped early with 300 participants.", 300),
    ("substudy", "Tea and bone: a substudy of the TEA trial", "The TEA trial randomised 1,200 women to tea or water. This substudy included 85 women with bone scans.", 85),
    ("sub-study in the text", "Tea and bone: a sub-study", "TEA is a randomised trial of 1,200 women. Bone density was measured in 85 women who took part in the sub-study.", 85),
    ("follow-up of a trial", "Five-year follow-up of the TEA trial", "BACKGROUND: In the TEA trial 1,200 patients were randomly assigned to tea or water. METHODS: We followed 85 patients for five years.", 85),
    ("n and a percentage", T, "Adults with gout (N = 177, 61 % men) were recruited.", 177),
    ("data of some were included", T, "Of 150 participants, data from 137 were included in the analysis.", 150),
    ("randomised, data of some", T, "Of 150 randomised participants, data from 137 were included.", 150),
    ("a protocol of treatment", "Ipratropium in croup: a randomised trial", "We gave a protocol of ipratropium. We randomised 90 children. This will help doctors.", 90),
    ("protocol of a drug in the title", "A protocol of ipratropium in asthma", "We randomised 90 children to a protocol of ipratropium or placebo. Results will be used by doctors.", 90),
    ("score of a case", "Air in a leg: a case", "METHOD: Case-report. A 38-year-old woman had a stroke score of 11 approximately 10 min after the patient drank tea.", 1),
    ("number of genes", T, "From the total number of genes (n=376) found in patients, 53 genes changed.", None),
    ("pixels", T, "Areas were 43 371, 8465, 6771 and 2215 pixels in cases and controls.", None),
    ("cases of the literature", "Gout after a transplant: a case report", "We report a 50-year-old man with gout of a transplant. In the literature, 12 other cases of gout infection in solid-organ transplant recipients have been reported.", 1),
    ("experimental cases", "Assembly of tea", "Two experimental cases were used to show the method in yeast.", None),
    ("three groups", T, "Tea was assayed in eight patients with gout, 28 patients with warts, and 13 controls without pain.", 49),
    ("two cohorts", T, "Blood was taken from a cohort of 67 women with gout and from a cohort of 62 women with warts.", 129),
    ("healthy and ill", T, "Biopsies were obtained from 20 healthy human subjects and 18 patients with gout.", 38),
    ("rates per person years", T, "Total incidence ranged from 95 to 255 per million person years in patients.", None),
    ("cases found in the literature", "A case of gout of the ear", "A 40-year-old woman had gout of the ear. On a review of the literature, the course was not simple, as 4 of the 7 cases found had a poor outcome.", 1),
    ("name of a syndrome", T, "Syndromes such as CATCH 22 syndrome were documented in some subjects.", None),
    ("codons", T, "Samples obtained from individuals with gout were genotyped at codons 51, 59, and 108.", None),
    ("dose in micrograms", T, "Six patients were enrolled, 4 of these treated with tea (500 micrograms two times a day) and the other 2 were a control group.", 6),
    ("powers of ten", "Gout in a patient with a cold", "We report a 30-year-old patient. Laboratory data included red blood cells 2.14 x 10(12)/L in this patient.", 1),
    ("individuals of a species", "Lice of plovers", "Seven individuals of crab plovers were trapped on an island.", None),
    ("societies", "A conference", "More than 400 nurses and patient advocates participated in the workshop cosponsored by 44 professional societies.", None),
    ("muscles and controls", T, "We examined 27 biopsies, including 13 torn muscles, 9 inflamed muscles, and 5 controls.", None),
    ("n of three groups", T, "Patients with gout (n = 61), gout-free women (n = 35), and healthy women (n = 30) were included in the study.", 126),
    ("articles that met the criteria", "Mimes of patients: a synthesis", "We looked for tools that students use. Of 412 articles identified, 50 met our inclusion criteria.", None),
    ("procedures", "Harm of two procedures", "Questionnaires of patients detailing 3210 AB and 5130 CDE procedures were included for evaluation.", None),
    ("clots", "Clots in pumps", "Thrombi (n = 6) were obtained from the pumps of patients with gout.", None),
    ("year after a name", "Lice of plovers", "Seven crab plovers Dromas alba Miller, 1805 were trapped on an island by volunteers.", None),
    ("towns", "Gout by mosquitoes", "Studies were done on individual mosquitoes from larvae collected from 31 endemic towns where people live.", None),
    ("population of the study", T, "From a database of patients with gout (960 patients), 530 who had completed 1 year of follow-up (370 tea, 160 water), constitute the population of this study.", 530),
    ("series and review", "Tea for gout: case series and review of literature", "Current series of five subjects who took tea found great relief.", 5),
    ("at the level of adults", T, "These measures were acquired at the level of 21 healthy adult subjects.", 21),
    ("in a study 40 carers", T, "In a cross-sectional study 40 key caregivers of patients with gout were recruited.", 40),
    ("this paper, patients underwent", "Tea after surgery", "This paper examines tea. One hundred seventy patients underwent surgery during the study period.", 170),
    ("courses", T, "RESULTS: Twenty-six patients received a total of 109 courses.", 26),
    ("age- and sex-matched controls", T, "Genotyping was performed for 71 Frisian patients and 100 age- and sex-matched healthy controls.", 171),
    ("of all, after a label", T, "RESULTS: Of 138 Frisian patients, 31 patients had low counts and 37 patients had normal counts (>150,000/mm3).", 138),
]  # fmt: skip


@pytest.mark.parametrize(
    ("about", "title", "abstract", "total"), CASES, ids=[one[0] for one in CASES]
)
def test_own_number(about: str, title: str, abstract: str, total: int | None) -> None:
    assert find(title, abstract).value == total, about


def test_analysed_stands_beside_all_participants() -> None:
    size = find(T, "Of 150 participants, data from 137 were included in the analysis.")
    assert (size.value, size.analysed) == (150, 137)


def test_controls_of_each_case_are_no_arm() -> None:
    size = find(T, "Eighty incident cases were each matched for sex and age to 2 controls.")
    assert (size.value, size.arms) == (240, ())
