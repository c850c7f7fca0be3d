"""Quality signals that the words of a citation state, each with its sentence.

A signal speaks of this study only: negated words ("not randomised"), other people's studies
("randomised trials are needed", "we searched for prospective studies") and words that mean
something else ("randomly selected", "trial registry") do not count.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from etl.text.cues import CueSet, Hit, Words, cue

# The sentence asks for studies, cites them, or says that they were looked for.
OTHERS = (
    r"\b(?:trials?|stud(?:y|ies)|research|investigations?|data|evidence|rcts?|validation|evaluation)\b.{0,80}?"
    r"\b(?:needed|warranted|required|necessary|lacking|awaited|recommended|should be)\b|"
    r"\b(?:future|further|larger|additional|more) (?:[\w,-]+ ){0,6}(?:trials?|stud(?:y|ies)|research|rcts?|investigations?)\b|"
    r"\b(?:need|call|lack|absence) (?:for|of) (?:[\w,-]+ ){0,6}(?:trials?|stud(?:y|ies)|rcts?)\b|"
    r"\b(?:were (?:searched|eligible)|(?:we|was|were) (?:systematically )?search|"
    r"inclusion criteria were|search of)"
)
_STUDIES = r"(?:trials|studies|rcts)\b"
_CENTRE = r"(?:cent(?:er|re)|institution|hospital|clinic)"
_NUMBER = (
    r"(?:[2-9]|[1-9]\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|"
    r"fourteen|fifteen|sixteen|eighteen|twenty|several|multiple)"
)

# What is kept prospectively, when it is not the study itself.
_KEPT = (
    r",? (?:(?!study|cohort|trial|analysis|review|of\b|in\b|from\b|and\b)[\w-]+,? ){0,5}?"
    r"(?:data ?bases?|data ?banks?|data ?sets?|registry|registries|registers?)\b(?! (?:study|cohort|trial))"
)
_REGISTRY = r"(?:registry|registries|registers?)\b"
_THE = r"(?:the |an? |our |its |data (?:from|of) )?(?:[\w'&/.,()-]+ ){0,8}?"
_DRAWN = (
    r"(?:identified|recorded|registered|reported|enrolled|entered|included|collected|obtained|drawn|extracted|"
    r"selected|retrieved|abstracted|ascertained|derived|diagnosed|listed|captured|taken|gathered|assembled|recruited|sampled|came|come|comes)"
)
# A registry that only tells what became of people, or what was to be expected.
_OUTCOME = (
    r"\bvital status\b|\bcauses? of death\b|\bdates? of death\b|\b(?:expected|predicted)\b|\bcompared (?:with|to)\b|"
    r"\bfollow(?:ed|-?up)? ?(?:was |were )?(?:through|using|via|by)\b|\bvalidat|"
    r"\b(?:outcomes?|cancers?|incidence|deaths?|mortality|events?|diagnos[ie]s|tumou?rs|relapses?) (?:[\w-]+ ){0,5}?"
    r"(?:is|are|was|were) (?:\w+ )?(?:ascertain|verif|confirm|determin|assess|identif|obtain|coupl|collect|trac)"
)

RANDOMISED = (
    # this study's own act of randomising
    r"(?<!not )(?<!non)(?<!non-)(?<!non )(?:"
    r"\brandomly selected (?:sub-?)?groups\b|"
    r"\brandomly (?:and \w+ )?(?:re-?)?(?:assign|allocat|divid|receiv|distribut|group|split|treat|"
    r"separat|placed|given|administ|classif|enter|categor)\w*"
    r"|\b(?:assigned|allocated|divided|distributed|grouped|split|separated) (?:\w+ ){0,3}"
    r"(?:at random|randomly)\b"
    r"|\brandom(?:ized)? (?:assignment|allocation)\b|\bassigned in (?:a )?random\b"
    r"|\b(?:was|were|been|being|are) (?:\w+ly )?(?:then |also |first |stratified and )?randomized\b"
    r"|\brandomized (?:in a|to|into|between|equally|either|with a|1:1|2:1|\(|using|by (?:computer|block))"
    r"|\b(?:patients|participants|subjects|women|men|children|adults|individuals|volunteers|"
    r"infants|practices|schools|clusters|villages|pairs) (?:\w+ )?(?:randomized|randomised)\b"
    r"|\bwe (?:then )?(?:randomized|randomly (?:assign|allocat))"
    r"|\brandomization (?:was|were|list|code|sequence|schedule|scheme|procedure|to|ratio|in blocks|"
    r"stratified|took|occurred)\b|\bunderwent randomization\b|\b(?:block|stratified|after|central) randomization\b"
    r"|\b(?:a|an|this|our|the|present|of|as|in|using) (?:[\w/,%-]+ ){0,9}?randomi[sz]ed[ ,](?:[\w/(),%-]+ ){0,8}?"
    r"(?:trial|study|comparison|design|experiment|investigation|pilot|evaluation|rct|protocol|manner|fashion|phase)\b(?!s)"
    r"|(?:^|: |- |\. )(?:a |an )?(?:[\w/,-]+ ){0,7}?randomi[sz]ed[ ,](?:[\w/(),-]+ ){0,8}?"
    r"(?:trial|study|comparison|evaluation|crossover|cross-over|design)\b(?!s)"
    r"|\b(?:design|methods?|setting|trial design|study design|interventions?)[:.] (?:[\w/,-]+ ){0,8}?randomized\b"
    r")"
)
_NOT_RANDOMISED = (
    r"\b(?:not|never|without|no) (?:\w+ ){0,2}randomi[sz](?:ed|ation)|\bnon-?\s?randomi[sz]|quasi-?\s?randomi[sz]|"
    r"mendelian randomi|\bwill be (?:\w+ )?(?:randomi[sz]ed|randomly)|"
    r"randomi[sz]ed (?:[\w-]+ ){0,4}(?:trials|studies|rcts) (?:\w+ ){0,3}(?:compar|evaluat|that|of|were|with|in|on|investigat|published|identified)|"
    + OTHERS
)

SIGNALS = CueSet(
    (
        cue(
            "prospective", "prospective prospectively",
            r"\bprospective(?:ly)?\b(?!\W+(?:regist(?:er|rat)|donor|parent|student|candidate|applicant|resident|"
            r"patients? (?:who|should)|(?:[\w-]+ )?" + _STUDIES + ")|" + _KEPT + ")|"
            # the registry is the study
            r"\b(?:is|was|design ?:|in this) (?:an? )?(?:[\w-]+,? ){0,3}?prospective,? (?:[\w-]+,? ){0,5}?regist(?:ry|er)\b",
            r"\b(?:not|non|no) ?-?prospective|prospectively[- ](?:maintained|kept|collected|held|compiled|acquired) "
            r"(?:[\w-]+ ){0,3}(?:database|registry|register|data ?bank)|" + OTHERS,
        ),
        cue(
            "prospective_data", "prospective prospectively",
            r"\bprospective(?:ly)?" + _KEPT, OTHERS,
        ),
        cue(
            "retrospective", "retrospective retrospectively chart charts records notes",
            r"(?<!non-)(?<!not )\bretrospective(?:ly)?\b(?!\W+(?:[\w-]+ )?" + _STUDIES + r")|"
            r"\bchart review\b|\b(?:medical|clinical|hospital|patient) (?:charts|records|notes) (?:\w+ ){0,4}(?:were|was) (?:\w+ )?"
            r"(?:review|analy[sz]|examin|stud|search|evaluat)|\breview of (?:the )?(?:\w+ ){0,3}(?:charts|records|notes)\b",
            OTHERS,
        ),
        cue(
            "multicentre",
            "multicenter multicentre multicentric multi centers centres hospitals institutions "
            "clinics multiinstitutional multinational sites practices",
            r"\bmulti-? ?(?:cent(?:er|re|ric)|institution(?:al)?|site|hospital|national)\b(?!\W+(?:[\w-]+ ){0,2}" + _STUDIES + ")|"
            r"\b" + _NUMBER + r" (?:[\w-]+ ){0,4}?(?:cent(?:er|re)s|hospitals|institutions|clinics|"
            r"(?:study|clinical|trial|investigative|investigational|research) sites|sites in|(?:primary care|general|family) practices)\b",
            r"\b(?:not|non) ?-?multi-?cent|" + OTHERS,
        ),
        cue(
            "single_centre",
            "single one monocentric monocenter monocentre unicentric mono",
            r"\bsingle[- ](?:tertiary |referral |academic |university |large |specialist )*(?:cent(?:er|re)|institution(?:al)?|hospital|clinic)\b"
            r"(?!\W+(?:[\w-]+ )?" + _STUDIES + r")|\bmono-?cent(?:er|re|ric)\b|\bunicentric\b"
            r"|\b(?:at|in|from|of) one (?:\w+ )?" + _CENTRE + r"\b"
            # a site of the body is no centre: "within a single site", "single-site surgery"
            r"|\bsingle[- ](?:study|clinical|trial|research|recruit\w+) site\b|\b(?:at|from) an? single site\b"
            r"|\bsingle-site,? (?:[\w-]+,? ){0,4}?(?:study|trial|cohort|experience|analysis|design|database|review|registry|pilot)\b",
            # the work of others: "only few single-institution series exist"
            r"\b(?:few|several|many|most|mostly|previous|prior|published|other|numerous|limited to) (?:[\w-]+ ){0,2}single[- ]|" + OTHERS,
        ),
        cue(
            "registry", "registry registries register registers seer",
            r"\b(?:from|in|using|of|through|by|with|via|to|and) (?:the |a |an |our |data |data from |its )?(?:[\w'&/.-]+ ){0,7}?"
            r"(?:registry|registries|registers?)\b|\bregistry-based\b|\bregister-based\b|\bregistry (?:data|study|cohort|analysis)\b"
            r"|\b(?:national|population|cancer|patient|disease|birth|death|hospital|prospective|international) (?:\w+ )?regist(?:ry|er)\b"
            r"|\bsurveillance, epidemiology,? and end results\b",
            r"(?:trials?|isrctn|prospero|cochrane|controlled trials|clinicaltrials|central|specialised|specialized|group's|protocol) "
            r"regist|regist(?:er|ry) of (?:controlled|clinical|systematic|randomi)|registry (?:number|identifier|no\b|id\b|:)|"
            r"\b(?:to|not|can|could|may|should|must) register\b|registered (?:in|at|with|on|under)|clinicaltrials\.gov|"
            r"\btrial registration|" + OTHERS,
        ),
        cue(
            "registry_data", "registry registries register registers seer surveillance",
            r"\bregist(?:ry|er)-based\b|\bregistry (?:data|study|cohort|analysis)\b|\bregister data\b|"
            r"\b" + _DRAWN + r" (?:\w+ )?(?:from|in|by|to|through|using|with|via) " + _THE + _REGISTRY + r"|"
            r"\b(?:patients|cases|people|persons|individuals|women|men|children|adults|infants|births|pregnancies|procedures|operations|"
            r"recipients|survivors|data|records|cohort) (?:from|in|of) " + _THE + _REGISTRY + r"|"
            r"\b(?:using|used|analy[sz]ed|analysis of|queried|searched|reviewed|linked|linking) " + _THE + _REGISTRY + r"|"
            r"\blink(?:age|ed) (?:of|between) (?:[\w-]+ ){0,6}?(?:registries|registers)\b|"
            r"\bsurveillance, epidemiology,? and end results\b|\bseer[- ](?:database|program|registr)",
            r"(?:trials?|isrctn|prospero|cochrane|clinicaltrials|central|speciali[sz]ed|group's|protocol) regist|"
            r"\bregist(?:er|ry) of (?:controlled|clinical|systematic|randomi)|registry (?:number|identifier|no\b|id\b|:)|"
            r"\b(?:research|genetic|prescription|memory) regist|" + _OUTCOME + "|" + OTHERS,
        ),
        cue(
            "randomised", "randomized random randomly randomization", RANDOMISED, _NOT_RANDOMISED
        ),
        cue(
            "blinded", "blind blinded blinding masked masking dummy doubleblind",
            r"(?<!not )(?<!non-)\b(?:double|single|triple|observer|assessor|evaluator|investigator|examiner|patient|participant|"
            r"rater|reader)s?[- ]?(?:blind|mask)(?:ed|ing)?\b|\b(?:was|were|been) (?:\w+ )?(?:blinded|masked)\b|"
            r"\b(?:blinded|masked) (?:to (?:the )?(?:\w+ ){0,2}(?:treatment|allocation|group|intervention|assign|stud|drug|clinical)|assess|evaluat|"
            r"observer|investigat|outcome|review|rater|reader|fashion|manner|randomi)|\bdouble[- ]dummy\b|"
            r"\bin a blind(?:ed)? (?:fashion|manner)\b",
            r"\b(?:not|non|without|no|neither|nor|un) ?-?(?:\w+ ){0,2}(?:blind|mask)|\bunblind|" + OTHERS,
        ),
        cue(
            "concealed", "concealment concealed envelopes envelope interactive central centrally conceal",
            r"\ballocation (?:was |were )?(?:\w+ )?conceal|\bconcealed (?:allocation|random|opaque|envelope)|\bconcealment of allocation\b|"
            r"\b(?:sealed|opaque)(?:,| and)? ?(?:[\w-]+,? ){0,3}envelopes?\b|\binteractive (?:voice|web)|"
            r"\bcentral(?:ly|ized)? (?:telephone |computer(?:ized)? |web-based )?random",
            r"\b(?:no|not|without|lack of|unclear|inadequate|poor|lacked) (?:\w+ ){0,4}conceal|\b(?:included|reviewed|eligible) (?:trials|studies)|"
            r"\b(?:trials|studies) (?:\w+ ){0,4}(?:report|had|describ|use)|\bquality\b|" + OTHERS,
        ),
        cue(
            "itt", "intention intent itt",
            r"\bintention?[- ]to[- ]treat\b|\bitt[- ](?:analys|population|set|principle|basis|cohort)",
            r"\b(?:not|no|without) (?:\w+ ){0,4}(?:intention?[- ]to[- ]treat|itt)\b|" + OTHERS,
        ),
        cue(
            "coi", "conflict conflicts competing disclosure disclosures interest interests",
            r"\bconflicts? of interests?\s?:|\b(?:competing|declarations? of|declared) interests?\s?:|"
            r"(?:^|\. |\] ?)(?:financial )?disclosure(?:s|\(s\))?(?: statement| summary)?\s?:|"
            r"\b(?:declar|disclos|report|hav|has|with|stat)\w* (?:that )?(?:they |he |she )?(?:have |has |had )?(?:no |any )?(?:known |potential |financial |relevant |commercial )*"
            r"(?:competing|conflicts? of|financial|proprietary) interests?\b|\bno conflicts? of interests?\b|"
            r"\b(?:no|any) (?:[\w-]+ ){0,3}(?:proprietary|commercial|financial) (?:or (?:[\w-]+ ){1,2})?(?:interest|disclosure)",
        ),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Signals:
    """Hits of the signals that are true, by signal name."""

    hits: Mapping[str, Hit]

    def says(self, name: str) -> bool:
        """Whether the words state the signal ``name``."""
        return name in self.hits

    def sentences(self, words: Words) -> list[dict[str, str]]:
        """``signal`` and ``sentence`` of each that is true, in the order of declaration."""
        return [{"signal": s, "sentence": words.sentence(h)} for s, h in self.hits.items()]


NAMES = tuple(one.name for one in SIGNALS.cues)


def find(words: Words) -> Signals:
    """The signals that ``words`` state."""
    return Signals(SIGNALS.find(words))
