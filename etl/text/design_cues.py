"""Phrases by which a citation says what kind of study it is.

Title cues look at the part of a title that names the method; text cues look for the sentence
in which authors say what they did. Each is named ``<design>.<place>``; the names are features of
the trained model (docs/extraction.md), so a changed name needs a new training run.
"""

from etl.text import design_patterns as parts
from etl.text.cues import CueSet, cue
from etl.text.review_cues import REVIEW_CUES
from etl.text.signals import OTHERS

DESIGN_CUES = CueSet(
    (
        *REVIEW_CUES,
        cue(
            "rct.stated_title", "randomized",
            parts.METHOD + r"randomized,? (?:[\w/,'()-]+ ){0,8}?(?:trial|study|comparison|rct|experiment)" + parts.PLACE,
            r"\bnon-? ?randomi|\bprotocol\b|\breview\b|meta-?analy|\banalysis\b|mendelian|\b(?:results|data|findings|evidence|outcomes?|follow-?up|cohort|substudy|sub-study|lessons|baseline|design|rationale|subgroup|secondary) (?:of|from|in|study)\b|\bquasi|\btrials\b", "title",
        ),
        cue(
            "cohort.stated_title", "cohort retrospective prospective longitudinal",
            parts.METHOD + r"(?:cohort|(?:retrospective|prospective|longitudinal) (?:[\w/,-]+ ){0,4}?(?:observational|follow-up|cohort)) (?:study|analysis|investigation)" + parts.PLACE,
            r"\brandomi|\bprotocol\b|\breview\b|meta-?analy|\bcase[- ]control|\bcase[- ]cohort|\bcross-? ?sectional", "title",
        ),
        cue(
            "cohort.retrospective_title", "retrospective prospective",
            parts.METHOD + r"(?:retrospective,? (?:[\w/,-]+ ){0,4}?(?:study|analysis|review)|prospective,? (?:[\w/,-]+ ){0,3}?observational,? (?:[\w/,-]+ ){0,2}?study)(?: of (?:\d[\d,]*|[a-z-]+) (?:[\w-]+ ){0,3}(?:patients|cases|women|men|children|people|adults))?" + parts.PLACE,
            r"\brandomi|\bprotocol\b|\b(?:literature|systematic) review\b|meta-?analy|\bcase[- ]control|\bcase[- ]cohort|\bcross-? ?sectional|\btrial\b", "title",
        ),
        cue(
            "cohort.design", "cohort retrospective prospective longitudinal",
            parts.OPENS + r"(?:cohort|(?:retrospective|prospective|longitudinal),? (?:[\w/-]+,? (?:and )?){0,4}?(?:observational|follow-up|multicenter|multicentre|cohort)),? (?:[\w-]+ ){0,2}?(?:study|analysis|investigation)\b",
            r"\bcase[- ]control|\bcase[- ]cohort|\bcross-? ?sectional|\bdiagnostic|" + parts.NO_OBSERVATION, "abstract",
        ),
        cue(
            "case_control.design", "case", parts.OPENS + r"case[- ]control(?:led)?,? (?:[\w-]+ ){0,3}?(?:study|design|analysis|investigation|comparison)\b", parts.NO_OBSERVATION, "abstract",
        ),
        cue(
            "cross_sectional.design", "sectional crosssectional",
            r"(?:" + parts.OPENS + r"|(?:^|\. )(?:an? |this (?:was |is )?(?:an? )?)?(?:[\w/-]+,? ){0,3}?)cross-? ?sectional,? (?:[\w-]+ ){0,4}?(?:study|survey|design|analysis|investigation)\b",
            r"\bcase[- ]control|\bcohort\b|\blongitudinal|" + parts.NO_OBSERVATION, "abstract",
        ),
        cue(
            "cross_sectional.stated_title", "sectional crosssectional",
            parts.METHOD + r"cross-? ?sectional,? (?:[\w-]+ ){0,3}?(?:comparison|evaluation|assessment|observation|study|survey|analysis)\b",
            r"\brandomi|\breview\b|\blongitudinal", "title",
        ),
        cue(
            "animal.stated_text",
            "mice rats rabbits dogs beagles beagle pigs piglets minipigs swine sheep lambs goats monkeys macaques hamsters gerbils ferrets guinea",
            r"\b" + parts.BEASTS + r" (?:\([^)]{1,40}\) )?(?:were|was) (?:\w+ )?" + parts.EXPERIMENT + r"\b",
            r"\b(?:patients|participants|volunteers|women|children)\b", "abstract",
        ),
        cue(
            "animal.breed",
            "beagles beagle mongrel yorkshire yucatan gottingen göttingen sprague wistar evans lewis fischer zealand balb ferrets cynomolgus rhesus guinea hamsters minipigs c00bl",
            r"(?:\b(?:male|female|adult|young|weanling|inbred|healthy|mature|pregnant|castrated|newborn)|\b\d+|\b(?:five|six|eight|ten|twelve|sixteen|eighteen|twenty|thirty|forty|sixty)(?:-\w+)?|\bin) (?:[\w-]+ ){0,2}?" + parts.BREEDS + r"\b",
            r"\b(?:patients|participants|volunteers|women|children)\b", "abstract",
        ),
        cue(
            "phase_3.title", "phase", parts.METHOD + r"phase[- ](?:(?:ii|2)b? ?[/-] ?)?(?:iii|3)b?,? (?:[\w/,'()-]+ ){0,8}?(?:trial|study)" + parts.PLACE, parts.NOT_ITS_PHASE, "title",
        ),
        cue(
            "phase_2.title", "phase", parts.METHOD + r"phase[- ](?:(?:i|1)b? ?[/-] ?)?(?:ii|2)[ab]?,? (?:[\w/,'()-]+ ){0,8}?(?:trial|study)" + parts.PLACE, parts.NOT_ITS_PHASE, "title",
        ),
        cue(
            "phase_1.title", "phase", parts.METHOD + r"phase[- ](?:i|1)[ab]?,? (?:[\w/,'()-]+ ){0,8}?(?:trial|study)" + parts.PLACE, parts.NOT_ITS_PHASE, "title",
        ),
        cue(
            "animal.stated_title",
            "mice rats rabbits dogs pigs piglets minipigs swine sheep lambs goats zebrafish monkeys macaques hamsters gerbils ferrets calves cows cattle horses mares foals chickens broilers hens cats ewes sows steers heifers rodents",
            r"\b(?:in|of|on|by|to|for|from|among|between|and) (?:[\w/,'()-]+ ){0,5}?" + parts.ANIMALS + r"\b|\b" + parts.ANIMALS + r"\W*$|" + parts.METHOD + parts.ANIMALS + r"\b",
            r"\breview\b|\b(?:exposure|allerg\w+|bites?|contact|owners?|ownership) ", "title",
        ),
        cue(
            "consensus.title", "consensus position delphi",
            r"\bconsensus (?:statement|conference|development|report|guideline|recommendation|document|paper|opinion|meeting|panel|workshop)|"
            r"\b(?:expert|international|european|national|working group) consensus\b|: (?:a|an) (?:[\w-]+ ){0,3}consensus\W*$|\bposition (?:paper|statement)\b",
            r"\bconsensus sequence", "title",
        ),
        cue(
            "economic_evaluation.title", "cost economic budget",
            r"\bcost[- ](?:effectiveness|utility|benefit|minimi[sz]ation|consequence)\b|\beconomic (?:evaluation|analysis)\b|\bbudget impact\b",
            r"\breview\b", "title",
        ),
        cue(
            "qualitative.title", "qualitative focus grounded ethnographic phenomenological",
            r"\bqualitative (?:[\w-]+ )?(?:study|research|interview|analysis|exploration|investigation|inquiry|evaluation|descriptive)|\bfocus groups?\b|\bgrounded theory\b|\bethnograph|\bphenomenological\b",
            r"\bqualitative (?:and|or) quantitative\b|\breview\b", "title",
        ),
        cue(
            "economic_evaluation.any", "cost costs economic budget",
            r"\bcost[- ](?:effectiveness|utility|benefit|minimi[sz]ation|consequence)(?: (?:analysis|study|model|evaluation)|\W*$|\n| of)|"
            r"\beconomic evaluation\b|\bbudget impact\b|\b(?:markov|decision[- ]analytic) model\b|\bper quality[- ]adjusted life[- ]year|\bcost[- ]effectiveness analysis\b",
            OTHERS,
        ),
        cue(
            "qualitative.any", "qualitative focus semi semistructured grounded thematic phenomenological ethnographic interviews",
            r"\bqualitative (?:study|research|interview|method|analysis of interviews|descriptive|inquiry|exploration|investigation|design|data)|\bfocus groups?\b|"
            r"\b(?:semi-? ?structured|in-depth) (?:\w+ )?interviews?\b|\bgrounded theory\b|\bthematic (?:content )?analysis\b|\b(?:hermeneutic|interpretive|descriptive) phenomenolog|\bethnograph",
            r"\bqualitative (?:and|or) quantitative\b|" + OTHERS,
        ),
        cue(
            "secondary_analysis.any", "secondary post subgroup hoc ancillary substudy reanalysis exploratory",
            r"\bsecondary (?:data )?analys[ie]s (?:of|from|using|was|were|data)|\bpost[- ]?hoc (?:[\w-]+ ){0,3}analys|\b(?:pre-?specified|exploratory|planned|retrospective|ancillary) (?:\w+ ){0,2}(?:subgroup |secondary )?analys[ie]s of (?:the |data )|"
            r"\bsub-?group analysis of (?:the|a)\b|\b(?:ancillary|sub-?)-? ?study (?:of|to|from|within)\b|\bsubstudy\b|\bre-?analysis of (?:the|data|a)\b",
            r"\bpost[- ]?hoc (?:test|comparison|tukey|bonferroni)",
        ),
        cue(
            "cluster_rct.any", "cluster clusters stepped randomized",
            r"\b(?:cluster|group|community|place|village|practice|school)[- ](?:level )?randomi[sz]ed\b|\bstepped[- ]wedge\b|\bcluster[- ]?rct\b|\brandomi[sz]ed (?:by )?clusters?\b|\bcluster randomi[sz]ation\b|"
            r"\bclusters? (?:were|was) randomi",
            r"\bwas randomi[sz]ed\b(?!.*cluster)|" + OTHERS,
        ),
        cue(
            "crossover_rct.any", "crossover cross",
            r"\bcross-? ?over\b(?: (?:[\w-]+ ){0,3}(?:trial|study|design|comparison|fashion|manner|experiment|rct|phase|treatment|test)|\W)",
            r"\bcrossover (?:to|from|recombin|event|interference|frequen)|\bcrossed over\b|" + OTHERS,
        ),
        cue(
            "rct.title", "randomized random randomly rct placebo blind blinded masked controlled randomization",
            r"\brandomi[sz]ed\b(?!,? (?:[\w-]+ ){0,4}(?:trials|studies)\b)|\brandomly (?:assigned|allocated)\b|\brct\b|\bplacebo[- ]controlled\b(?! trials)|"
            r"\b(?:double|single|triple)[- ](?:blind|mask)(?:ed)?\b(?! trials)|\brandom(?:i[sz]ed)? assignment\b|\bversus placebo\b",
            r"\bnon-? ?randomi|\bquasi-? ?randomi|mendelian|\bprotocol\b|\breview\b|meta-? ?analy|\brandomi[sz]ed (?:[\w-]+ ){0,4}(?:trials|studies)\b", "title",
        ),
        cue(
            "rct.plural", "trials studies rcts",
            r"\brandomi[sz]ed (?:[\w,-]+ ){0,5}(?:trials|studies)\b|\brcts\b|\b(?:controlled|clinical) trials\b",
        ),
        cue(
            "placebo.text", "placebo sham",
            r"\b(?:placebo|sham)[- ](?:controlled|group|arm|treated)|\b(?:versus|vs\.?|or|and|with|to|than|of|received?) (?:\w+ )?(?:placebo|sham)\b", OTHERS,
        ),
        cue(
            "trial_named.text", "trial",
            r"\b(?:the|this|our) (?:[\w/-]+ ){0,5}trial\b(?!s)|\(?clinicaltrials\.gov\)?|\btrial registration\b|\bnct\d{8}\b|\bisrctn\d", r"\b(?:a|another|future) (?:\w+ )?trial (?:is|should)",
        ),
        cue(
            "arms.text", "group groups arm arms",
            r"\b(?:two|three|four|2|3|4) (?:[\w-]+ ){0,3}(?:groups|arms)\b|\b(?:control|intervention|treatment|experimental|placebo|comparison) (?:group|arm)s?\b",
        ),
        cue(
            "phase_3.any", "phase", r"\bphase[- ](?:iii|3)b?\b(?! (?:trials|studies))", OTHERS + r"|\bphase (?:iii|3) (?:[\w-]+ ){0,4}(?:trials|studies)\b",
        ),
        cue(
            "phase_2.any", "phase", r"\bphase[- ](?:i ?/ ?)?(?:ii|2)[ab]?\b(?! (?:trials|studies))|\bphase (?:1 ?/ ?2|1-2|i-ii)\b", OTHERS,
        ),
        cue(
            "phase_1.any", "phase escalation",
            r"\bphase[- ](?:i|1)[ab]?\b(?! ?/|-ii)(?! (?:trials|studies))|\bdose[- ]escalation (?:study|trial)\b|\bfirst[- ]in[- ]human\b", OTHERS,
        ),
        cue(
            "trial_other.any",
            "nonrandomized non label labelled pilot quasi uncontrolled feasibility arm trial before pre post",
            r"\bnon-? ?randomi[sz]ed\b(?! (?:[\w-]+ ){0,2}(?:trials|studies))|\bopen[- ]label(?:led)?\b|\bsingle[- ]arm\b|\bpilot (?:\w+ )?(?:trial|study)\b|\bquasi-? ?(?:experimental|randomi)|"
            r"\buncontrolled (?:\w+ )?(?:trial|study)\b|\bfeasibility (?:trial|study)\b|\b(?:intervention|interventional|clinical|controlled|open|therapeutic) (?:clinical )?trial\b(?!s)|"
            r"\bbefore[- ]and[- ]after\b|\bpre-? ?(?:and )?post-? ?(?:test|intervention)\b",
            OTHERS,
        ),
        cue(
            "diagnostic_accuracy.any", "diagnostic accuracy sensitivity specificity roc receiver",
            r"\bdiagnostic (?:test )?(?:accuracy|performance|value|yield|efficacy|validity)\b|\b(?:accuracy|sensitivity) of (?:[\w-]+ ){1,8}(?:for|in) (?:the )?(?:diagnos|detect|predict|identif|differenti)|"
            r"\bsensitivity(?:,| and) (?:and )?specificity\b|\breceiver operating|\bsensitivity (?:was|of) \d",
            OTHERS,
        ),
        cue(
            "nested_case_control.any", "nested", r"\bnested,? (?:matched )?case[- ]?control", OTHERS,
        ),
        cue("case_cohort.any", "cohort", r"\bcase[- ]cohort\b", OTHERS),
        cue(
            "case_control.any", "case control controls matched controlled referents",
            r"\bcase[- ]control(?:led)?\b(?! studies)|\bcases and (?:\d+ |\w+ )?(?:\w+ )?controls\b|\b(?:age|sex|frequency|individually|hospital|population)[ -]?(?:\w+[ -]){0,4}matched (?:[\w-]+ ){0,2}controls\b",
            OTHERS,
        ),
        cue(
            "case_control.groups", "controls control healthy normal matched",
            r"\b(?:healthy|normal|matched|control|unaffected|age-matched) (?:[\w-]+ ){0,3}(?:controls|volunteers|subjects|individuals|donors)\b|\b(?:and|from) \d+ (?:[\w-]+ ){0,4}controls\b|\bcompared (?:with|to) (?:[\w-]+ ){0,3}controls\b",
        ),
        cue(
            "cross_sectional.any", "sectional survey questionnaire crosssectional prevalence surveyed",
            r"\bcross-? ?sectional\b(?! (?:area|imag|echo|anatom|view|studies|geometry|plane|diamet))|\b(?:national|population|postal|mail|online|web-based|questionnaire|telephone|household|internet|this|our) (?:[\w-]+ )?survey\b|"
            r"\bsurvey (?:of|among|was)\b|\bquestionnaires? (?:was|were) (?:\w+ )?(?:sent|mailed|distribut|administ|complet)|\bprevalence (?:study|survey)\b",
            OTHERS,
        ),
        cue(
            "cohort.title", "cohort cohorts follow longitudinal retrospective prospective outcomes outcome survival experience predictors prognostic mortality risk consecutive patients registry observational",
            r"\b(?:cohort|longitudinal|retrospective|observational) (?:[\w-]+ ){0,2}(?:study|analysis|review|evaluation|investigation|comparison|survey|report|follow-up)|\bcohort\b|\bfollow-?up (?:study|of)\b|"
            r"\bprospective (?:[\w-]+ ){0,3}(?:study|evaluation|analysis|cohort|registry)|\b(?:analysis|review|study|report|results|outcomes?|series|experience) (?:of|in|with) (?:[\w-]+ ){0,3}\d+ (?:[\w-]+ ){0,3}(?:patients|cases|children)|\bconsecutive patients\b|"
            r"\b\d+[- ]year (?:experience|follow|outcome|result|surviv)",
            r"\brandomi[sz]ed\b|\breview of the literature\b|systematic|\bprotocol\b", "title",
        ),
        cue(
            "cohort.text", "cohort cohorts followed followup follow longitudinal longitudinally",
            r"\bcohort\b(?! studies)|\blongitudinal(?:ly)? (?:[\w-]+ )?(?:study|design|data|analysis|follow|evaluat|assess|survey)|\b(?:were|was) followed(?:[- ]up)?\b|\b(?:mean|median|average|minimum|long-term|a) (?:[\w-]+ ){0,2}follow-?up\b|\bfollow-?up (?:period|time|of|was|ranged|study)\b",
            OTHERS, "abstract",
        ),
        cue(
            "cohort.series", "consecutive series underwent experience reviewed treated operated identified diagnosed admitted",
            r"(?:patients|children|cases|women|men|adults|subjects|infants|adolescents|pts) (?:[\w-]+ ){0,9}?(?:underwent|(?:was|were) (?:\w+ )?(?:treated|operated|reviewed|identified|admitted)|treated|diagnosed|admitted|operated)\b|"
            r"consecutive (?:[\w-]+ ){0,3}(?:patients|cases|series|children|adults)|series of \d+|(?:our|institutional|clinical|year) experience\b|we (?:retrospectively )?reviewed\b",
        ),
        cue(
            "case_report.title", "case cases report patient girl boy man woman child infant newborn presenting brothers sisters siblings rare unusual",
            r"\bcase (?:report|study|presentation|history|record|illustration)s?\b|\b(?:a|an|one|two|three|four|five|six|2|3|4|5|\d) (?:[\w-]+ ){0,3}cases?\b|\breport of (?:a|an|one|two|three|four|2|3|4|\d)\b|\ba case of\b|\bcases? of\b|"
            r"\bin an? (?:[\w/-]+ ){0,5}(?:patient|girl|boy|man|woman|child|infant|neonate|newborn|adolescent|adult|male|female)\b|\bpresenting (?:as|with)\b|\b\d+[- ](?:year|month|day|week)[- ]old\b|\b(?:two|three) (?:brothers|sisters|siblings|patients)\b|"
            r"\b(?:unusual|rare) (?:case|cause|presentation|manifestation|complication|form|variant|entity|tumou?r)\b|\bclinicopathologic",
            r"\bcase[- ]control|\breview of \d\d|\bin (?:the )?case of\b|\bcohort\b|\bcase mix|\bcase[- ]fatality|\bcase management", "title",
        ),
        cue(
            "case_report.text", "case cases old report present describe describes reports",
            r"\b(?:we|authors|this (?:paper|article|report)|i) (?:here |herein |hereby )?(?:report|present|describe|encountered|experienced|treated|discuss)(?:s|ed)? (?:here )?(?:on )?(?:an?|the|our|one|two|three|four|five|\d) (?:[\w-]+ ){0,8}?(?:case|cases|patient|patients|woman|man|girl|boy|child|infant|"
            r"family|families|neonate|male|female|siblings|brothers|sisters|adult|adolescent)\b|\b(?:an?|the|this|our) (?:[\w-]+ ){0,2}\d+[- ](?:year|yr|month|week|day|yo)s?[- ]old\b|\bcase (?:report|presentation|description|summary|history)\b|\b(?:a|this|our|the present|rare) case (?:of|is|was|report|illustrat|demonstrat|highlight|emphasi)|"
            r"\b(?:a|the) (?:case|patient) (?:[\w-]+ ){0,4}(?:is|was|are) (?:reported|presented|described)|\bto our knowledge, (?:this|only)|\b(?:is|are|was) (?:reported|presented|described)\b",
            r"\bcase[- ]control\b", "abstract",
        ),
        cue(
            "case_series.any", "series", r"\bcase[- ]series\b|\bseries of (?:\w+ )?cases\b", OTHERS,
        ),
        cue(
            "review.title",
            "review overview update state advances perspectives perspective concepts current trends role approach management challenges "
            "progress primer what insights mechanisms implications therapeutic strategies options past new",
            r"\b(?:review|overview|update|state[- ]of[- ]the[- ]art|primer)\b(?! of (?:\d|\w+ (?:patients|cases)))|\b(?:recent|current|new|therapeutic|emerging) (?:[\w-]+ ){0,2}(?:advances|concepts|trends|perspectives?|status|approaches|options|strategies|insights|developments|progress|therapies|directions|opinion)\b|"
            r"\badvances in\b|\bperspectives? (?:on|of|in)\b|\bpast, present|\bthe role of\b|\bwhat (?:is|do|are|every)\b|\bfrom bench|\bchallenges (?:in|of|and)\b|\bmanagement of\b",
            r"\b(?:case|cases|patients|chart|retrospective|peer|systematic)\b (?:[\w-]+ ){0,3}review|report|review of \d|\brandomi[sz]ed\b", "title",
        ),
        cue(
            "review.text", "review reviews reviewed article paper chapter discuss discusses discussed summarize summarizes overview literature summarise",
            r"\b(?:this|the present|the current|our|present) (?:\w+ )?(?:review|overview|chapter)\b|\b(?:in|of) this (?:review|overview|chapter|article)\b|\b(?:we|article|paper|chapter|authors?) (?:will |here |also |briefly |first )*(?:review|summari[sz]e|discuss|outline|overview)(?:es|s)?\b|"
            r"\b(?:is|are) (?:briefly |also )?(?:reviewed|discussed|summari[sz]ed|outlined)\b|\bthis (?:article|paper) (?:\w+ )?(?:reviews|discusses|summari|describes|provides|presents|outlines|examines|focuses|explores|considers)|\bwe (?:highlight|focus on|provide an overview)|\b(?:review of|overview of) the (?:\w+ )?(?:literature|current|recent)",
            r"\bwe (?:retrospectively |prospectively )?review(?:ed)?\b|\b(?:chart|records|charts|patients|cases)\b", "abstract",
        ),
        cue(
            "animal.title", "mice mouse rats rat rabbits rabbit murine dogs dog canine pigs pig porcine piglets sheep zebrafish monkeys hamster horses cows cattle calves chickens cats feline equine bovine swine",
            parts.LAB, None, "title",
        ),
        cue(
            "animal.text", "mice mouse rats rat rabbits rabbit murine dogs pigs porcine piglets sheep zebrafish monkeys hamsters calves cows cattle horses chickens cats swine",
            parts.LAB, None, "abstract",
        ),
        cue(
            "in_vitro.any", "vitro cell cells transfected knockdown cultured sirna",
            r"\bin vitro\b|\bcell lines?\b|\bcells (?:were|was) (?:\w+ )?(?:cultured|treated|transfected|incubated|isolated|infected)|\bknock-?down\b|\btransfect|\bwestern blot|\bsirna\b|\bcultured (?:[\w-]+ ){0,3}cells\b|\bcadaver(?:s|ic)?\b|\bfinite element",
        ),
        cue(
            "people.text", "patients subjects participants women men children adults volunteers people persons individuals adolescents infants",
            r"(?:patients|subjects|participants|women|men|children|adults|volunteers|people|persons|individuals|adolescents|infants)\b",
        ),
        cue(
            "nonrandomised.any", "nonrandomized randomized quasi pseudorandomized pseudo",
            r"\bnon-? ?randomi[sz]|\bquasi-? ?(?:experimental|randomi)|\bpseudo-?randomi|\bnot (?:been )?randomi",
            r"\b(?:included|eligible|searched|reviewed)\b (?:[\w-]+ ){0,4}non-?",
        ),
        cue(
            "protocol.future", "will",
            r"\bwill (?:be )?(?:\w+ )?(?:randomi|recruit|enrol|assign|allocat|compar|evaluat|assess|follow|measur|collect|analy|test|examin|determin)",
            where="abstract",
        ),
        cue(
            "rct.design_sentence", "randomized random placebo blind blinded controlled",
            r"\b(?:study|trial|protocol|design|comparison|investigation) (?:was|is) (?:a |an )?(?:[\w,-]+ ){0,6}?(?:randomized|placebo-controlled|double-blind)|"
            r"\b(?:in|of|by|using|conducted|performed|completed|is) (?:a|an|this|our) (?:[\w/,%-]+ ){0,9}?(?:randomized|placebo-controlled|double[- ]blind(?:ed)?)[ ,](?:[\w/(),%-]+ ){0,8}?(?:trial|study|comparison|design|protocol)\b(?!s)|"
            r"\brandom(?:ized)? (?:order|sequence)\b",
            r"\bnon-?randomi|" + OTHERS, "abstract",
        ),
        cue(
            "participants_of_trial.text", "trial baseline",
            r"\b(?:participants|patients|subjects|women|men|veterans|adults|data|subset|subgroup|cohort|baseline data|enrolled|participating|enrolled) (?:[\w-]+ ){0,4}?(?:in|from|of) (?:an?|the|this|our|two|one) (?:[\w/,()-]+ ){0,7}?trial\b|\bbaseline (?:data|characteristics)\b|\bparent (?:study|trial)\b",
            r"\b(?:needed|warranted)\b", "abstract",
        ),
        cue(
            "intervention.text", "intervention usual education counseling program",
            r"\b(?:usual|standard|routine) (?:\w+ )?care\b|\bintervention (?:and|or|versus|vs) |\bwait(?:ing)?[- ]?list\b|\bintervention (?:group|arm)\b|\beffects? of (?:an?|the) (?:[\w-]+ ){0,5}(?:intervention|program(?:me)?|training|education)\b",
        ),
        cue(
            "case_control.title", "case",
            r"\bcase[- ]control(?:led)? (?:[\w-]+ )?(?:study|design|analysis|investigation|comparison)\b|[:.] (?:a |an )?(?:[\w-]+ ){0,4}case[- ]control\b",
            r"\brandomi|\breview\b", "title",
        ),
        cue(
            "cross_sectional.title", "sectional crosssectional",
            r"\bcross-? ?sectional (?:[\w-]+ ){0,3}?(?:study|survey|design|analysis|investigation)\b",
            r"\brandomi|\breview\b|\blongitudinal", "title",
        ),
        cue(
            "case_control.stated", "case",
            r"\bcase[- ]control(?:led)? (?:study|design|analysis|investigation|method|association|comparison|data|approach)|[:.] (?:a |an )?(?:[\w-]+ ){0,3}case[- ]control\b", OTHERS,
        ),
        cue(
            "case_control.odds", "odds logistic cases controls",
            r"\bodds ratios?\b.{0,400}\bcontrols\b|\bcontrols\b.{0,600}\bodds ratio|\bconditional logistic\b|\b\d+ (?:[\w-]+ ){0,4}(?:cases|patients) and \d+ (?:[\w-]+ ){0,5}(?:controls|healthy|normal)", None, "abstract",
        ),
        cue(
            "cross_sectional.stated", "sectional survey",
            r"\bcross-? ?sectional (?:[\w-]+ ){0,3}?(?:study|survey|design|analysis|investigation|data|sample|observational|assessment)|\bwe surveyed\b|[:.] (?:a |an )?(?:[\w-]+ ){0,3}survey\W*(?:$|\n)", OTHERS,
        ),
        cue(
            "cohort.stated", "cohort retrospective retrospectively longitudinal observational follow prospective",
            r"\b(?:retrospective|prospective|longitudinal|historical|observational|population-based|follow-up|birth|multicenter|single-center|consecutive) (?:[\w,-]+ ){0,4}?(?:study|analysis|review|cohort|series|evaluation|survey|comparison|design|chart|investigation|audit)\b(?! of the literature)|"
            r"\b(?:were|was|we) (?:\w+ )?retrospectively (?:\w+ )?(?:review|analy|evaluat|stud|identif|assess|compar|collect|examin|includ)|\b(?:review|analy[sz]|evaluat|assess|stud|compar|collect|examin)\w* retrospectively\b|\bcohort (?:study|of|design|analysis)",
            r"\brandomiz|" + OTHERS,
        ),
        cue(
            "single_person.text", "old she he his her",
            r"\d+[- ](?:year|yr|month|week|day)s?[- ]old\b|\b(?:she|he) (?:was|had|presented|underwent|developed|died|received)\b|\bhis |\bher ", None, "abstract",
        ),
        cue(
            "observational.any", "observational", r"\bobservational (?:[\w-]+ ){0,2}(?:study|analysis|research|design|data)\b", OTHERS,
        ),
    )
)  # fmt: skip
