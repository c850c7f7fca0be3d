# ruff: noqa: E501 - tables, one row a line
"""PubMed's filters and subsets (``[filter]``, ``[sb]``) as far as the warehouse can answer them."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from etl.store.index_text import fold
from warehouse.query.plan import Codes

_CODES: dict[str, str] = {
    "has abstract": "f:abstract", "hasabstract": "f:abstract", "abstract": "f:abstract",
    "preprint": "f:preprint", "preprints": "f:preprint",
    "retracted publication": "f:retracted",
    "pubmed pmc": "f:pmc", "pmc": "f:pmc",
    "books": "f:book", "pubmed books": "f:book", "books and documents": "f:book",
    "medline": "st:medline", "publisher": "st:publisher", "oldmedline": "st:oldmedline",
    "inprocess": "st:in-process", "in process": "st:in-process",
    "indatareview": "st:in-data-review", "in data review": "st:in-data-review",
    "pubmednotmedline": "st:pubmed-not-medline",
    "indexingmethod automated": "im:automated", "indexingmethod curated": "im:curated",
    "ahead of print": "ps:aheadofprint", "aheadofprint": "ps:aheadofprint",
    "jsubsetaim": "cs:aim", "jsubsetd": "cs:d", "jsubsetn": "cs:n", "jsubseth": "cs:h",
    "jsubsetim": "cs:im", "jsubsetq": "cs:q", "jsubsetk": "cs:k", "jsubsets": "cs:s",
}  # fmt: skip
# filters that are a tagged term of another field
_SAME_AS: dict[str, str] = {
    name: f"{name}[mh]" for name in ("humans", "animals", "male", "female")
} | {
    name.replace("-", " "): f"{name}[pt]"
    for name in (
        "clinical trial", "randomized controlled trial", "meta-analysis", "review", "guideline",
        "practice guideline", "case reports", "observational study", "controlled clinical trial",
        "multicenter study", "editorial", "letter", "comparative study", "clinical study",
        "clinical trial, phase i", "clinical trial, phase ii", "clinical trial, phase iii",
        "clinical trial, phase iv", "comment", "news",
    )
} | {
    "randomizedcontrolledtrial": "randomized controlled trial[pt]",
    "clinicaltrial": "clinical trial[pt]", "metaanalysis": "meta-analysis[pt]",
    "casereports": "case reports[pt]",
}  # fmt: skip
_AGES = {
    "all child": "child[mh] OR infant[mh] OR adolescent[mh]", "allchild": "child[mh] OR infant[mh] OR adolescent[mh]",
    "all infant": "infant[mh]", "allinfant": "infant[mh]",
    "all adult": "adult[mh]", "alladult": "adult[mh]", "adult": "adult[mh:noexp]",
    "child": "child[mh:noexp]", "adolescent": "adolescent[mh]", "newborn": "infant, newborn[mh]",
    "infant": "infant[mh]", "preschool child": "child, preschool[mh]",
    "middle aged": "middle aged[mh]", "aged": "aged[mh]", "80 and over": "aged, 80 and over[mh]",
    "middle aged aged": "middle aged[mh] OR aged[mh]",
}  # fmt: skip
_ABSENT = {
    "free full text": "which articles are free to read", "free fulltext": "which articles are free to read",
    "full text": "links to publishers' full text", "loattrfull text": "links to publishers' full text",
    "loattrfree full text": "which articles are free to read",
    "ffrft": "which articles are free to read", "fft": "links to publishers' full text",
    "free pmc article": "which articles are free to read", "data": "associated data links",
    "associated data": "associated data links", "cancer": "NLM's cancer subset strategy",
    "aids": "NLM's AIDS subset strategy", "bioethics": "NLM's bioethics subset strategy",
    "cam": "NLM's complementary medicine subset strategy", "dietsuppl": "NLM's dietary supplement strategy",
    "history": "NLM's history of medicine strategy", "tox": "NLM's toxicology subset strategy",
    "toxicology": "NLM's toxicology subset strategy", "space": "NLM's space life sciences strategy",
    "veterinary": "NLM's veterinary science strategy", "covid 19": "NLM's COVID-19 strategy",
    "exclude preprints": "", "excludepreprints": "",
}  # fmt: skip


def codes(name: str) -> Codes | None:
    """The whole terms behind filter ``name``; None when it is not of that kind."""
    code = _CODES.get(_key(name))
    return Codes((code,), f"{_key(name)}[Filter]") if code else None


def strategy(name: str) -> str | None:
    """The strategy that filter ``name`` stands for; None when it stands for none."""
    key = _key(name)
    return _SAME_AS.get(key) or _AGES.get(key) or _written_out().get(key)


def absent(name: str) -> str | None:
    """What the warehouse would have to know to answer filter ``name``; None for unknown names."""
    return _ABSENT.get(_key(name)) or None


def _key(name: str) -> str:
    return fold(name)


@cache
def clinical_queries() -> list[dict[str, str]]:
    """NLM's ten Clinical Queries: category, scope (broad, narrow), shorthand, expansion."""
    return [dict(entry) for entry in _file()["filter"]]


@cache
def systematic() -> str:
    """The strategy behind ``systematic[sb]``."""
    return str(_file()["systematic"]["expansion"])


@cache
def _written_out() -> dict[str, str]:
    found = {fold(f"{f['category']} {f['scope']}"): f["expansion"] for f in clinical_queries()}
    return found | {"systematic": systematic(), "systematic review": systematic(),
                    "systematic reviews": systematic()}  # fmt: skip


@cache
def _file() -> dict[str, Any]:
    text = files("warehouse.query").joinpath("clinical_queries.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
