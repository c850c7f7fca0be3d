"""Phrases of texts that report no study of their own: comments, protocols, reviews, guidelines.

Rules for the names as in ``design_cues``.
"""

from etl.text import design_patterns as parts
from etl.text.cues import cue
from etl.text.signals import OTHERS

REVIEW_CUES = (
    cue(
        "commentary.title",
        "comment commentary comments re reply replies response letter correspondence editorial erratum correction "
        "retraction corrigendum rebuttal author authors editor obituary news interview memoriam viewpoint opinion",
        r"^\W*(?:comment(?:s|ary)?\b|re:|re \W|in reply|reply\b|author'?s'? (?:reply|response)|authors' reply|"
        r"response to\b|letter\b|correspondence\b|editorial\b|invited comment|erratum|correction(?: to)?:|retraction|"
        r"corrigendum|rebuttal|in memoriam|obituary|news\b|interview\b|viewpoint\b|opinion\b)|"
        r"(?:[:.?(\[] ?|- )(?:an? )?(?:invited )?(?:comment(?:s|ary)?|reply|response|letters?(?: to the editor)?|editorial(?: comment)?|"
        r"author'?s'? (?:reply|response)|rebuttal|viewpoint|opinion|erratum|correspondence)\W*$|\bcomment(?:ary)? on\b|\bletter to the editor\b|"
        r"\b(?:reply|response) to (?:the )?(?:letter|comment|editor|dr)",
        where="title",
    ),
    cue(
        "protocol.title", "protocol rationale design plan",
        r"\b(?:study|trial|review|research|meta-analysis) protocol\b|\bprotocol (?:for|of) (?:an? |the )?(?:[\w/,'()-]+ ){0,14}?(?:trial|study|review|meta-analysis|"
        r"survey|cohort|evaluation|rct|comparison)\b|[:.] (?:an? |the )?(?:[\w-]+ ){0,3}protocol\W*$|\bdesign and rationale\b|\brationale(?:,| and)? (?:and )?(?:study )?design\b|\bstatistical analysis plan\b"
        r"|[:.] (?:study |trial )?design(?: and (?:methods?|methodology|baseline)\b.*)?\W*$",
        r"\b(?:treatment|deviation|adherence|chemotherapy|imaging|scan|exercise|feeding) protocol\b", "title",
    ),
    cue(
        "protocol.text", "protocol will dissemination",
        r"\b(?:this|the present|the current|our) (?:study |trial |review )?protocol (?:describes|outlines|presents|details|is for|for)\b|"
        r"\bethics and dissemination\b|\b(?:this|the) (?:paper|article|manuscript) describes the (?:[\w-]+ ){0,3}(?:protocol|design|rationale)\b|"
        r"\b(?:patients|participants|subjects|women|men|children|adults|individuals|we|trial|study) will (?:be )?(?:\w+ )?"
        r"(?:randomi|recruit|enrol|assign|allocat|includ|receiv|compar|evaluat|follow|assess|search|conduct|undergo)",
        r"\b(?:future|in the future|next|forthcoming) ", "abstract",
    ),
    cue(
        "mendelian_randomisation.any", "mendelian", r"\bmendelian randomiz",
        r"\breview\b|" + OTHERS,
    ),
    cue(
        "meta_analysis.title", "meta metaanalysis metaanalyses metaanalytic analyses pooled",
        r"\bmeta-? ?analy(?:sis|ses|tic)\b|\bmeta-? ?regression\b|\bpooled analysis of\b",
        parts.PLANNED, "title",
    ),
    cue(
        "meta_analysis.text", "meta metaanalysis metaanalyses analyses",
        r"\b(?:" + parts.DONE + r"|perform|using|by|used|through|this|present|our|in a|updated|of a) (?:an? |the |our |updated |this )?(?:[\w-]+ ){0,4}?meta-? ?analy(?:sis|ses)\b|"
        r"\bmeta-? ?analys(?:is|es) (?:was|were|is) (?:then |also )?(?:perform|conduct|carried|undertaken|done|used|to)|"
        r"\bmeta-? ?analysis of\b|\bincluded in (?:the|this|our) (?:[\w-]+ )?meta-? ?analy|\brandom[- ]effects? model",
        r"\b(?:previous|recent|earlier|published|prior|large|several|other)\b (?:[\w-]+ ){0,3}meta-?|" + OTHERS,
        "abstract",
    ),
    cue(
        "scoping_review.any", "scoping mapping",
        r"\bscoping (?:review|study|literature)\b|\bsystematic mapping review\b", parts.PLANNED,
    ),
    cue(
        "systematic_review.title", "systematic systematically umbrella evidence cochrane critical",
        r"\b(?:systematic|umbrella|rapid|integrative) (?:\w+ ){0,3}?(?:review|overview|search)\b|\bsystematically review|\bevidence[- ](?:synthesis|based review)\b|"
        r"\bqualitative synthesis\b", parts.PLANNED, "title",
    ),
    cue(
        "systematic_review.text",
        "systematic systematically medline pubmed embase cochrane databases cinahl searched prisma literature",
        r"\b(?:this|our|present|an?|the|" + parts.DONE + r") (?:[\w-]+ ){0,3}?systematic(?:ally)? (?:[\w-]+ ){0,3}(?:review|search|overview)\b|"
        r"\bwe systematically (?:review|search|identif)|\bsystematic (?:literature )?(?:review|search)(?:es)? (?:was|were|of)\b|"
        r"\b(?:medline|pubmed|embase|cochrane (?:library|central|database|controlled|register)|cinahl|web of science|scopus|electronic (?:\w+ )?databases?|databases)"
        r"(?:[^.]{0,160})\b(?:were|was) (?:\w+ )?searched\b|\bwe searched (?:[^.]{0,80})(?:medline|pubmed|embase|cochrane|cinahl|databases?|web of science|scopus)|"
        r"\b(?:search(?:es)?|review) (?:of|in|on|using) (?:the )?(?:[\w/-]+ ){0,4}(?:medline|pubmed|embase|cochrane|cinahl|electronic databases)|"
        r"\b(?:data sources|search strategy|selection criteria|study selection|data extraction)\s?:|\bprisma\b",
        r"\b(?:previous|recent|earlier|published|prior) (?:[\w-]+ ){0,2}systematic review|\b(?:needed|warranted)\b", "abstract",
    ),
    cue(
        "guideline.title", "guideline guidelines recommendations recommendation standards practice parameter advisory",
        r"^\W*(?:[\w&/-]+ ){0,8}?(?:clinical )?(?:practice )?guidelines?\b(?: (?:for|on|of|from|to|in|by|update|201\d|20\d\d)\b|\W|$)|\bguidelines? (?:for|on) (?:the )?(?:\w+ )?"
        r"(?:management|diagnosis|treatment|prevention|use|care|screening|evaluation)|\bpractice (?:guidelines?|parameters?|advisory)\b|"
        r"\brecommendations? (?:of|from|by) the\b|\brecommendations (?:for|on)\b|\bclinical practice recommendations?\b|\b(?:position|policy|scientific) statement\b",
        r"\b(?:adherence|complian\w+|concordan\w+|impact|effect|effects|implementation|implementing|knowledge|awareness|following|according|use|"
        r"uptake|comparison|evaluation|survey|validation|critical appraisal|quality|barriers|impact|attitudes?|based|review) (?:\w+ ){0,4}(?:guideline|recommendation)|"
        r"guidelines?[- ](?:based|directed|concordant|adheren\w+|recommended|implementation)|\bguidelines? (?:adherence|implementation|compliance)", "title",
    ),
    cue(
        "guideline.text", "guideline guidelines recommendations",
        r"\b(?:this|these|the present|updated?|present) (?:[\w-]+ ){0,4}?(?:guidelines?|recommendations) (?:[\w-]+ ){0,3}(?:provide|address|offer|recommend|is|are|was|were|aim|present|cover|summari|updat|replac|describ)|"
        r"\b(?:panel|committee|task force|working group|society|college|academy|association) (?:[\w-]+ ){0,6}(?:developed|issued|formulated|produced|recommends|makes) (?:[\w-]+ ){0,6}(?:guidelines?|recommendations?)?",
        None, "abstract",
    ),
    cue(
        "guideline.stated_title", "guideline guidelines",
        r"\bclinical practice guidelines?\b|\bguidelines? (?:of|from|by) the\b|\bguidelines? (?:for|on) (?:the )?(?:management|diagnosis|treatment|prevention|care|screening) of\b|" + parts.METHOD + r"guidelines?" + parts.PLACE,
        r"\b(?:adher\w+|complian\w+|concordan\w+|impact|effects?|implement\w+|knowledge|awareness|following|according|use|uptake|comparison|evaluation|survey|validation|"
        r"apprais\w+|quality|barriers|attitudes?|based on|review|trial|before|after|with|versus|do|does|are|is)\b[^:.?]{0,100}guideline|guidelines?[- ](?:based|directed|concordant|adher|recommend|implement|complian)", "title",
    ),
)  # fmt: skip
