"""The words that tell what a number counts: people, animals, studies, clusters, units, events.

Each word has one or more class letters; ``CLASS.get(word, "")`` is all that the hot path does.
"""


def words(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


# Letter -> words. A word may stand under several letters.
_LISTS: dict[str, str] = {
    # people
    "P": """patient patients participant participants subject subjects woman women man men child
        children adult adults individual individuals person persons people volunteer volunteers
        infant infants neonate neonates newborn newborns baby babies adolescent adolescents
        teenager teenagers youth youths girl girls boy boys toddler toddlers mother mothers father
        fathers parent parents caregiver caregivers carer carers survivor survivors respondent
        respondents student students nurse nurses physician physicians doctor doctors resident
        residents worker workers employee employees veteran veterans smoker smokers drinker
        drinkers athlete athletes player players recipient recipients donor donors inpatient
        inpatients outpatient outpatients attendee attendees enrollee enrollees beneficiary
        beneficiaries male males female females couple couples twin twins preterm preschooler
        preschoolers schoolchildren user users client clients inhabitant inhabitants dyad dyads
        pair pairs case cases control controls proband probands sufferer sufferers candidate
        candidates pregnancy pregnancies professional professionals practitioner practitioners
        surgeon surgeons dentist dentists pharmacist pharmacists member members citizen citizens
        elderly seniors survivor carers teacher teachers soldier soldiers recruit recruits
        prisoner prisoners refugee refugees migrant migrants immigrant immigrants twins
        primigravida primigravidas primiparas nulliparas gravidas parturient parturients
        noncarriers carriers carrier offspring siblings sibling relatives relative births
        livebirths radiologist radiologists oncologists psychologists
        midwives latinas latinos trainee trainees interns intern clinicians clinician therapists personnel staff
        learners probands responders nonsmokers attenders pts""",
    # people who are compared with the patients, or cases in the epidemiological sense
    "K": "case cases control controls comparator comparators sibling siblings relative relatives",
    # counts of people in twos or more
    "W": "pairs couples dyads",
    "M": """rat rats mouse mice dog dogs cat cats pig pigs piglet piglets rabbit rabbits sheep lamb
        lambs goat goats cow cows calf calves cattle steers heifers bulls horse horses mare mares
        foals monkey monkeys macaque macaques primate primates chicken chickens broiler broilers
        hen hens chick chicks hamster hamsters gerbil gerbils ferret ferrets zebrafish fish larvae
        flies animal animals ewe ewes sow sows boars swine pup pups guinea rodent rodents beagle
        beagles embryos frogs birds quail bees mosquitoes ticks worms nematodes sprague wistar
        bovine canine feline equine porcine murine""",
    "D": """trial trials study studies article articles publication publications report reports
        paper papers record records abstract abstracts citation citations rcts rct review reviews
        references guidelines comparisons datasets cohorts meta""",
    "H": """families households hospital hospitals centre centres center centers clinic clinics
        practice practices school schools village villages site sites institution institutions
        country countries ward wards units unit cluster clusters facility facilities community
        communities classroom classrooms nation nations state states district districts communes
        cities city towns provinces counties regions islands pharmacies universities university laboratories departments icus""",
    "O": """sample samples specimen specimens tumor tumors tumour tumours biopsy biopsies lesion
        lesions eye eyes tooth teeth implant implants procedure procedures operation operations
        knee knees hip hips node nodes slides cells cell isolates strains visits episodes
        admissions admission hospitalizations discharges calls encounters items item questions
        genes gene proteins snps snp variants loci mirnas metabolites cycle cycles sites limb
        limbs breasts nodules stents restorations lesions scans images examinations measurements
        deliveries surgeries treatments prescriptions interviews questionnaires questionnaire survey surveys
        responses response observations polymorphisms markers species sequences peptides vertebrae shoulders ankles wrists elbows feet
        ears kidneys lungs ovaries arteries veins vessels aneurysms grafts thrombi courses infusions injections transfusions screws xenografts xenograft
        cysts polyps oocytes follicles sections electrodes regimens houses homes vials strips""",
    "U": """mg nmol pmol umol µmol μmol g kg ug mcg μg µg ng pg ml l dl mmol mol nm um μm µm mm cm m km week weeks wk wks day
        days d month months mo mos year years yr yrs y hour hours hr hrs h min minute minutes
        second seconds s sec msec ms times time fold percent percentage percentiles points point
        gy cgy mv ma iu u units kcal kj cal mmhg hz khz mhz degrees c °c db session sessions dose
        doses cycle cycles weekly daily decades decade century centuries ppm bpm bp kb kda mci mbq cmh2o
        mg/d mgy steps step levels level grade grades stage stages phase type types version scale
        score scores vs versus nd rd th st items item factors dimensions domains categories lines
        repetitions sets min/day milligrams grams kilometers milliliters pounds lb inches ft feet
        dollars euros usd visits tablets capsules drops weeks' degree fractions fraction quartiles
        tertiles microgram micrograms rad rads gray grays pixel pixels voxels""",
    "R": """randomized randomised randomly randomization randomisation randomize randomise
        randomizing randomising allocated allocation assigned randomly apportioned ramdomised""",
    "E": """enrolled enroled enrolling enrol enroll enrollment enrolment recruited recruiting
        recruitment included including inclusion entered entering entrants accrued accrual
        registered participated participating studied joined involved involving involves comprised
        comprising constitute constituted consisted selected consented agreed volunteered conducted performed carried
        investigated examined followed underwent recruits enrols observed reviewed identified
        prospectively retrospectively surveyed interviewed collected obtained""",
    "A": """analysed analyzed analysis analyzable evaluable evaluated assessed assessable evaluation
        assessment available data valid tested measured compared evaluating analyzing assayed
        genotyped""",
    "X": """screened screening approached eligible eligibility invited contacted potentially
        identified considered referred refused declined excluded withdrawn withdrew dropped
        dropout dropouts lost ineligible attrition exclusion exclusions exclude missed
        discontinued discontinuations""",
    "C": """completed completing completers complete finished followed returned responded remained
        remaining provided evaluable assessable retained retention""",
    "V": """died death deaths dead relapsed relapse relapses relapsing recurrence recurrences event
        events developed experienced reported responded responders progressed progression toxicity
        adverse complications complication hospitalized survived alive presented occurred
        exhibited showed failures failure infections infection fractures had experiencing achieved
        reached demonstrated diagnosed died positive negative recovered improved discontinued
        stopped required were_alive cured""",
    "G": """group groups arm arms placebo control controls experimental intervention interventional
        cohort cohorts subgroup subgroups subset comparator comparison sham waitlist usual
        standard respectively each per apiece alone or versus vs""",
    "T": """received receiving treated underwent assigned took taking given treatment receive
        undergo undergoing allocated randomly to""",
    "F": """will planned plan anticipated needed required require target projected expected shall
        would necessary planning intend aims aim goal estimated sufficient""",
    "Q": """original parent main previous previously earlier published literature prior reported
        reports retrieved recent worldwide approximately annually estimated nationwide annual""",
    "S": "total totally overall altogether sample sum entire whole all totalling totaling",
}


def _classes() -> dict[str, str]:
    found: dict[str, str] = {}
    for letter, listed in _LISTS.items():
        for word in listed.split():
            if letter not in found.get(word, ""):
                found[word] = found.get(word, "") + letter
    return found


CLASS: dict[str, str] = _classes()

# Quick look: an abstract with none of these has nobody to count.
PEOPLE_MARKS = (
    "patient", "women", "participant", "subject", " men ", "child", "case", "individual",
    "adults", "people", "person", "volunteer", "infant", "student", "respondent", "n =", "n=",
    "enrol", "recruit", "randomi", "neonat", "newborn", "adolescent", "birth", "nurse",
    "residents", "physician", "survivor", "workers", "mothers", "pregnan", "controls", "famil",
    "couples", "recipient", "donors", "smokers", "veterans", "males", "girls", "boys", "athlet",
)  # fmt: skip

# Whole words that hold one of the marks, the commonest, for a look into a set.
PEOPLE_WORDS = words("patient patients women participants subjects children case cases adults")
