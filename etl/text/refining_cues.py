"""Phrases that name a design which single words hide: the trained model does not weigh them.

They decide by themselves (``design.STATEMENTS``) or refine what the model found; a new one
needs no training run.
"""

from etl.text import design_patterns as parts
from etl.text.cues import CueSet, cue
from etl.text.signals import OTHERS

_TRIAL = r"(?:[\w/,()-]+ ){0,10}?(?:trials?|rcts?)\b"
_KIND = r"(?:(?:retrospective|planned|pre-?specified|exploratory|post[- ]?hoc|cross-sectional|longitudinal),? )*"
_PEOPLE = (
    r"(?:patients|participants|subjects|women|men|children|adults|adolescents|people|persons|"
    r"individuals|veterans|infants|volunteers)"
)

REFINING_CUES = CueSet(
    (
        cue(
            "secondary_analysis.stated", "secondary post hoc data",
            r"\b(?:this|our|the present|the current|(?:this|study|it|we) (?:is|was) an?|design ?:(?: an?)?) " + _KIND + r"secondary (?:data )?analys[ie]s\b|"
            r"\b(?:analy[sz]ed|used|examined|re-?analy[sz]ed|combined|pooled) (?:the |baseline |control group |existing |pooled )*data (?:from|of|on) "
            r"(?:[\w,-]+ ){0,14}?" + _PEOPLE + r" (?:[\w,()-]+ ){0,14}?(?:who (?:had )?(?:participated|enrolled|were enrolled|took part|been)|enrolled|participating|randomized) "
            r"in (?:an?|the|two|three|four) " + _TRIAL + r"|"
            r"\bcontrol (?:group|arm) data (?:from|of) (?:an?|the) " + _TRIAL + r"|"
            r"\bdata (?:were |was )?(?:drawn|derived|obtained|taken|pooled|came) from (?:an?|the|two|three|four|five) (?!present|current)" + _TRIAL,
            r"\bwill be\b|" + OTHERS, "abstract",
        ),
        cue(
            "pooled_analysis.title", "pooled",
            r"\bpooled (?:[\w-]+ ){0,3}?analys[ie]s\b", r"\bmeta-? ?analy|\bsystematic", "title",
        ),
        cue(
            "case_series.design", "series",
            parts.LABEL + r"(?:an? |this (?:is|was) an? )?(?:(?:retrospective|prospective|consecutive|observational|clinical|interventional|"
            r"non-?comparative|multi-?cent(?:er|re)|single[- ]cent(?:er|re)),? (?:and )?)*case series\b", None, "abstract",
        ),
        cue(
            "diagnostic_accuracy.title", "diagnostic accuracy screening sensitivity specificity",
            r"\bdiagnostic (?:test )?(?:accuracy|value|validity|performance)\b|\bscreening (?:tool|test)\b|"
            r"\b(?:accuracy|sensitivity|specificity)(?: and (?:sensitivity|specificity))? of\b",
            r"\b(?:effect|impact|trial|randomi|uptake|attend)", "title",
        ),
        cue(
            "case_control.nested", "nested",
            r"\bcase[- ]control (?:study|analysis|design|sample),? (?:was |that was )?nested (?:with)?in\b|"
            r"\b(?:this|a|our) (?:[\w-]+ ){0,3}?nested case[- ]control (?:study|analysis|design|sample)\b",
            r"\b(?:trials|studies)\b|" + OTHERS,
        ),
        cue(
            "cross_sectional.this", "sectional crosssectional",
            r"\b(?:in )?(?:this|the present|our) (?:[\w-]+ ){0,2}?cross-? ?sectional (?:[\w-]+ ){0,2}?(?:study|survey|analysis)\b",
            r"\blongitudinal|\blimit|\bcausal|" + OTHERS, "abstract",
        ),
    )
)  # fmt: skip
