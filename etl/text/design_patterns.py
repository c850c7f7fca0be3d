"""Pieces of patterns that several design cues share; ``design_cues`` puts them together."""

from etl.text.signals import OTHERS

DONE = r"(?:perform|conduct|did|undert[ao]ok|carr(?:y|ied) out|report|present|complet)\w*"
PLANNED = r"\b(?:study|trial|review|research|analysis) protocol\b|\bprotocol (?:for|of)\b"
LAB = r"\b(?:mice|mouse|rats?|rabbits?|murine|dogs?|canine|pigs?|porcine|piglets?|swine|sheep|zebrafish|monkeys?|macaques?|hamsters?|guinea pigs?|calves|cows|cattle|horses|chickens?|broilers?|cats)\b"

NOT_ITS_PHASE = r"\brandomi|\bprotocol\b|\breview\b|meta-?analy|\banalysis of\b|\b(?:results|data|patients) (?:of|from)\b"

# Where a title names its method: after a colon, a full stop, a question mark or a dash.
METHOD = r"(?:[:.?!;]|\s-) (?:an? |the )?(?:[\w/,'()-]+ ){0,9}?"
# After the method a title may still say where or in whom, nothing else.
PLACE = r"(?:,? (?:in|of|from|with|at|among|on|to|using|for|conducted|based) [^:.?]{1,120})?\W*$"
ANIMALS = (
    r"(?:mice|rats|rabbits|dogs|pigs|piglets|minipigs|swine|sheep|lambs|goats|zebrafish|monkeys|macaques|hamsters|gerbils|"
    r"guinea pigs|ferrets|calves|cows|cattle|horses|mares|foals|chickens|broilers|hens|cats|ewes|sows|steers|heifers|rodents)"
)

# Where an abstract names its design: under such a label, or as the beginning of a sentence.
LABEL = r"\b(?:(?:study |research |trial )?design(?:[ ,/&]+(?:and |or )?[a-z]+){0,3}|methods?|methods/design) ?: "
OPENS = (
    LABEL
    + r"(?:an? |the |this |we (?:did|conducted|performed|undertook) |this (?:is|was) |it (?:is|was) )*(?:[\w/-]+,? (?:and )?){0,6}?"
)
NO_OBSERVATION = r"\brandomi|\breview\b|meta-?analy|\btrial\b|\bprotocol\b|" + OTHERS

# Animals that stand for nothing else, and what is only done with them.
BREEDS = (
    r"(?:beagles?|(?:beagle|mongrel) dogs|yorkshire (?:pigs|swine|piglets)|(?:yucatan|gottingen|göttingen) (?:mini-?)?(?:pigs|swine)|sprague[- ]dawley|wistar|long[- ]evans|lewis rats|"
    r"fischer 344|new zealand white|c57bl/6\w*|balb/c|ferrets|cynomolgus|rhesus (?:monkeys|macaques)|guinea pigs|hamsters|minipigs)"
)
BEASTS = r"(?:mice|rats|rabbits|dogs|beagles|pigs|piglets|minipigs|swine|sheep|lambs|goats|monkeys|macaques|hamsters|gerbils|guinea pigs|ferrets)"
EXPERIMENT = r"(?:randomized|randomly|an(?:a)?esthetized|divided|assigned|allocated|instrumented|fed|sacrificed|euthanized|killed|injected|inoculated|implanted)"
