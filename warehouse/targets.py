"""What a search may be limited to: designs by target grade."""

from collections.abc import Mapping

TARGETS = ("all", "rct_or_above", "guideline_only")

_GUIDELINES = ("guideline", "consensus")
# targets that name designs; the others let all through
DESIGNS: Mapping[str, tuple[str, ...]] = {
    "guideline_only": _GUIDELINES,
    "rct_or_above": (*_GUIDELINES, "meta_analysis", "systematic_review", "rct", "phase_3"),
}
