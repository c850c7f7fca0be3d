"""Reviews and protocols: texts whose numbers of people are not those of a study of their own.

For a systematic review or meta-analysis the included studies and their participants are read
apart; a protocol gives only what is planned.
"""

from collections.abc import Set

from etl.text.patterns import Pattern

_REVIEW_TITLE = Pattern(
    r"meta-?\s?analy|systematic(?:ally)? (?:literature )?(?:review|overview|search)|scoping review|"
    r"review of (?:the )?(?:literature|randomi|controlled|clinical trials|published|current|"
    r"recent)|"
    r"literature review|umbrella review|pooled analysis of (?:published|randomi)|"
    r"evidence-based review|rapid review|integrative review|cochrane|narrative review|"
    r"(?:[:.-]|\ba) (?:critical |brief |mini-?|comprehensive |clinical |state-of-the-art |"
    r"updated )?review\b(?! of \d)"
)
_NOT_REVIEW_TITLE = Pattern(
    r"(?:case|chart|record|retrospective|database|institutional|single-cent\w+|year|"
    r"\bour) (?:\w+ )?review|"
    r"case report|case series|individual (?:patient|participant)|report of|peer review|a case\b"
)
_SEARCH = Pattern(
    r"(?:we|were|was|systematically|electronic|literature|comprehensive|"
    r"systematic) (?:\w+ ){0,3}search(?:ed|es)?\b|"
    r"search(?:ed|es)? (?:of |in |was |were )?[^.]{0,80}\b(?:medline|pubmed|embase|cochrane|"
    r"databases)|"
    r"(?:medline|pubmed|embase|cochrane|databases)[^.]{0,120} search"
)
_SELF = Pattern(r"(?:this|performed a|conducted a|undertook a) (?:systematic review|meta-analysis)")
_THIS = Pattern(
    r"this (?:article|review|paper|chapter) (?:reviews|summari[sz]es|discusses|provides|"
    r"describes|focuses|outlines|"
    r"highlights|will|aims|aimed|presents|examines|explores|considers|covers)"
)
_WE = Pattern(
    r"we (?:review|summari[sz]e|discuss|outline) (?:the |recent |current |and |here |how |what )"
)
_STUDIES_WERE = Pattern(
    r"(?:trials|studies|articles) (?:(?:were|was) (?:included|eligible|identified|selected)|"
    r"(?:that )?(?:met|meeting|fulfilled) (?:the |our |all )?(?:\w+ )?(?:inclusion|eligib|"
    r"criteria))"
)
_TRIALS_WITH = Pattern(
    r"(?:trials|studies) (?:\([^)]{1,30}\) )?(?:involving|including|comprising|enrolling|"
    r"with a total of|with) "
    r"(?:a total of )?\d[\d,]* (?:\w+ ){0,2}?(?:patients|participants|children|women|subjects|"
    r"adults|people)"
)
_DRAWN = Pattern(
    r"(?:drawn|pooled|combined|data) from (?:the |all )?(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve|[3-9]|"
    r"\d\d) (?:[\w-]+ ){0,4}(?:trials|studies)\b"
)
# Headings that only an abstract of a systematic review has, in pairs.
_REVIEW_HEADINGS = (
    ("selection criteria: ", "search strategy: "),
    ("selection criteria: ", "search methods: "),
    ("study selection: ", "data sources: "),
    ("study selection: ", "data extraction: "),
)
# Each pattern with what must stand in the text before it is worth a try: a word, and with it
# one of the phrases that begin or end with it.
_BODY: tuple[tuple[str, tuple[str, ...], Pattern], ...] = (
    (" search", (), _SEARCH),
    (" from", ("drawn from", "pooled from", "combined from", "data from"), _DRAWN),
    ("this ", ("this article", "this review", "this paper", "this chapter"), _THIS),
    ("systematic review", (), _SELF),
    ("meta-analysis", (), _SELF),
    ("trials ", (), _TRIALS_WITH),
    ("studies ", (), _TRIALS_WITH),
    ("we ", ("we review", "we summari", "we discuss", "we outline"), _WE),
    ("studies ", ("studies were", "studies met", "studies that met", "studies meeting",
                  "studies fulfilled"), _STUDIES_WERE),
    ("trials ", ("trials were", "trials met", "trials that met", "trials meeting",
                 "trials fulfilled"), _STUDIES_WERE),
    ("articles ", ("articles were", "articles met"), _STUDIES_WERE),
)  # fmt: skip


def _says_review(text: str) -> bool:
    """Whether the body says so; a pattern is tried only where its words stand."""
    for word, phrases, pattern in _BODY:
        if word not in text:
            continue
        for phrase in phrases or (word,):
            if phrase in text:
                if pattern.search(text):
                    return True
                break
    return False


_OWN_PEOPLE = Pattern(
    r"\b(?:patients|women|participants|subjects|men|children) (?:\([^)]{0,20}\) )?(?:were|"
    r"was) (?:\w+ )?(?:randomi|enrol|recruit|assigned)|\bpatients underwent\b"
)
_PROTOCOL_TITLE = Pattern(
    r"(?:study|trial|review|research|methods) protocol|"
    r"protocol (?:for|of) (?:[\w/,'()-]+ ){0,14}?(?:trial|study|review|meta-analysis|survey|"
    r"cohort|evaluation|rct|comparison)\b|"
    r"rationale(?:,| and)[^.]{0,30}design|study design\b[^.]{0,30}rationale|"
    r"design and (?:rationale|methods|protocol)|"
    r"(?::| -) ?(?:a )?(?:\w+ )?protocol\b"
)
_FUTURE = Pattern(
    r"\bwill (?:also )?be (?:\w+ly )?(?:randomi|recruit|enrol|includ|assign|allocat|invited|assess|"
    r"conducted|compared|measured|analy|collected|performed|followed|obtained)"
)
# A title of a protocol needs less: "we will randomize", "the trial will enrol", not just "will".
_PLANS = Pattern(
    r"\bwill (?:\w+ ){0,3}(?:randomi|recruit|enrol|includ|assign|allocat|invite|assess|conduct|"
    r"compar|measur|analy|collect|perform|follow|obtain|receiv|evaluat|investigat|examin|test)"
)
_DONE = Pattern(
    r"\b(?:were|was) (?:\w+ly )?(?:randomi[sz]ed|enrolled|recruited|included|assigned|"
    r"analy[sz]ed|allocated|higher|lower|similar|observed|found)"
)


def is_review(title: str, text: str) -> bool:
    """Whether title or text (lower case) say that this is a review or meta-analysis."""
    if "[review]" in title:
        return True
    titled = any(word in title for word in _REVIEW_WORDS)
    if titled and _REVIEW_TITLE.search(title) and not _NOT_REVIEW_TITLE.search(title):
        return True
    if any(word in title for word in _OTHER_WORDS) and _NOT_REVIEW_TITLE.search(title):
        return False
    if any(one in text and other in text for one, other in _REVIEW_HEADINGS):
        return True
    return _says_review(text) and _OWN_PEOPLE.search(text) is None


# One of these stands in whatever the pattern of the same name matches.
_REVIEW_WORDS = ("review", "meta", "systematic", "pooled", "cochrane")
_OTHER_WORDS = ("review", "case", "individual", "report of")


def is_protocol(title: str, text: str) -> bool:
    """Whether title or text (lower case) say that the study is still to come."""
    titled = ("protocol" in title or "rationale" in title or "design" in title) and (
        _PROTOCOL_TITLE.search(title) is not None
    )
    if titled and (_PLANS.search(text) or not _DONE.search(text)):
        return True
    if " will " not in text:
        return False
    return _FUTURE.search(text) is not None and _DONE.search(text) is None


_MEETINGS = frozenset({"conference", "meeting", "workshop", "symposium", "congress"})


def is_meeting(title: Set[str]) -> bool:
    """Whether the words of a title say that a meeting is reported: its participants are no sample."""
    return "report" in title and "case" not in title and not _MEETINGS.isdisjoint(title)
