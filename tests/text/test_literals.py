"""What a pattern needs is never more than what it matches."""

import re

import pytest

from etl.text import literals
from etl.text.cues import prepare
from etl.text.design import _ALL_CUES
from etl.text.literals import Needs, may_match, needs

_PATTERNS = (
    (r"\bcase[- ]control\b|\bin vitro\b", "cell lines in vitro"),
    (r"\bcases? and (?:\d+ )?controls\b", "12 case and 30 controls"),
    (r"\bmono-?cent(?:er|re|ric)\b", "a monocentric trial"),
    (r"(?:a|b|\d) (?:[\w-]+ ){0,3}?(?:report|review)(?:ed|s)?\b", "7 charts reviewed"),
    (r"(?:cohort|series){2} of\b", "cohortseries of"),
    (r"(?<!not )randomi[sz]ed(?! studies)", "was randomised"),
    (r"randomly (?:and \w+ )?(?:re-?)?(?:assign|allocat)\w*", "randomly re-assigned"),
)


@pytest.mark.parametrize(("pattern", "text"), _PATTERNS)
def test_what_matches_has_the_needed_words(pattern: str, text: str) -> None:
    need = needs(pattern)
    assert re.search(pattern, text)
    assert need is not None
    assert may_match(need, text)
    assert not may_match(need, "nothing of this kind")


@pytest.mark.parametrize("pattern", [r"\d+ \w+", r"abc|\d", r"(?:abc)?", r"[a-z]+|cohort"])
def test_patterns_without_needed_words(pattern: str) -> None:
    assert needs(pattern) is None


def test_this_python_still_tells_how_it_reads_a_pattern() -> None:
    """Fails where ``re._parser`` is gone or tells other things: ``literals`` needs a look."""
    pattern = r"(?:a|b|\d) (?:[\w-]+ ){0,3}?(?:report|review)(?:ed)?\b|\bsirna(?! x)|^in[- ]vitro$"
    words = ("in vitro", "in-vitro", "report", "review", "sirna")
    assert needs(pattern) == Needs(words, ())


@pytest.mark.parametrize("wrong", [ImportError, AttributeError, ValueError])
def test_without_the_parser_every_pattern_is_searched(
    wrong: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise wrong(name)

    monkeypatch.setattr(literals, "import_module", missing)
    assert needs.__wrapped__(r"\bcase[- ]control\b") is None


_TEXT = (
    "We report a 45-year-old woman. Patients were randomized to two groups in 12 hospitals. "
    "A retrospective cohort study of 120 cases and 240 matched controls. Odds ratios were higher "
    "in cases than controls. This systematic review searched MEDLINE; two trials were included. "
    "Further studies are needed. Mice were fed. Cell lines were cultured in vitro. "
    "DESIGN: A prospective, single-centre, double-blind study. We declare no competing interests."
)


def test_no_cue_is_lost_by_the_look_before_the_search() -> None:
    words = prepare("A cohort study of 30 patients: a randomised trial protocol", _TEXT)
    found = 0
    for one in _ALL_CUES.cues:
        for need, pattern in ((one.needs, one.pattern), (one.veto_needs, one.veto)):
            for part in [words.title_low, *words.low.split(". ")]:
                if pattern and need and pattern.search(part):
                    found += 1
                    assert may_match(need, part), (one.name, part)
    assert found > 40
