"""Published strategies and recorded translations of PubMed."""

import json
import re
from pathlib import Path

import pytest

from etl.errors import QueryError
from tests.query.conftest import Corpus
from warehouse.query.expand import expand
from warehouse.query.plan import says

# the faulty ones of the collection: what is said, and where
FAULTY = {
    "clef-CD007394": ("quotation mark is missing", "line 9, column 9"),
    "clef-CD008643": ("reads as a title", "line 1"),
    "clef-CD008686": ("reads as a title", "line 1"),
    "clef-2017-10": ("reads as a title", "line 1"),
    "br-cohort-filter": ("a term is missing after OR", "column 167"),
}


def _lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def strategies(shared_data: Path) -> list[dict[str, str]]:
    return _lines(shared_data / "strategies" / "strategies.jsonl")


def test_published_strategies_are_read_or_their_fault_is_named(
    strategies: list[dict[str, str]],
) -> None:
    failed = {}
    for one in strategies:
        try:
            expand(one["query"])
        except QueryError as error:
            failed[one["id"]] = str(error)
    assert set(failed) == set(FAULTY)
    for name, (message, place) in FAULTY.items():
        assert message in failed[name] and place in failed[name]


def test_published_strategies_find_what_the_slow_reference_finds(
    strategies: list[dict[str, str]], corpus: Corpus
) -> None:
    found = 0
    for one in strategies:
        if one["id"] in FAULTY:
            continue
        plan = corpus.plan(one["query"])
        assert corpus.found(plan) == corpus.expected(plan), one["id"]
        found += bool(corpus.found(plan))
    assert found >= 15


def _meaning(translation: str) -> set[str]:
    """The operands of a translation, in one spelling."""
    plain = translation.lower().replace("[journal:__jid7505876]", "[journal]")
    return set(re.findall(r'"[^"]+"\[[^\]]+\]', plain))


# recordings whose meaning can be had from MeSH and the query alone
AGREEING = {
    "tr-01": "biopython",
    "tr-03": "PNAS[ta] AND 97[vi]",
    "tr-11": "PTEN[tiab] AND D326N[tiab]",
    "tr-15": '"Disease Ontology"[tw]',
    "tr-18": "research design OR test",
    "tr-32": '"[18F]FDG"[tiab]',
}


def test_recorded_translations_agree_in_meaning(shared_data: Path, corpus: Corpus) -> None:
    recorded = {r["id"]: r for r in _lines(shared_data / "strategies" / "translations.jsonl")}
    ours = {name: _meaning(says(corpus.plan(query))) for name, query in AGREEING.items()}
    assert ours["tr-01"] >= _meaning(recorded["tr-01"]["translation"])
    assert ours["tr-11"] == _meaning(recorded["tr-11"]["translation"])
    assert ours["tr-15"] == _meaning(recorded["tr-15"]["translation"])
    assert ours["tr-32"] == _meaning(recorded["tr-32"]["translation"])
    # a phrase is part of its words, so it is not written out beside them
    assert _meaning(recorded["tr-18"]["translation"]) - ours["tr-18"] == {
        '"research design"[all fields]'
    }
    # the name as typed; the search itself takes the abbreviation
    assert ours["tr-03"] == {'"pnas"[journal]', '"97"[volume]'}


def test_a_mapped_word_has_the_parts_that_pubmed_gives_it(corpus: Corpus) -> None:
    assert _meaning(says(corpus.plan("asthma"))) == {
        '"asthma"[mesh terms]',
        '"asthma"[all fields]',
        '"asthmas"[all fields]',
    }
    breast = _meaning(says(corpus.plan("science[journal] AND breast cancer AND 2008[pdat]")))
    assert breast >= {
        '"breast neoplasms"[mesh terms]',
        '"breast"[all fields]',
        '"neoplasms"[all fields]',
        '"cancer"[all fields]',
        '"science"[journal]',
    }


def test_wearables_keep_the_phrase_that_pubmed_drops(corpus: Corpus) -> None:
    query = '(wearable*[tiab] OR Oura[tiab]) AND ("readiness score"[tiab] OR "body battery"[tiab])'
    assert _meaning(says(corpus.plan(query))) == {
        '"wearable*"[title/abstract]',
        '"oura"[title/abstract]',
        '"readiness score"[title/abstract]',
        '"body battery"[title/abstract]',
    }
