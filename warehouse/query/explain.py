"""What was understood of a query: the translation, what each operand finds, what finds nothing."""

import re
from typing import TYPE_CHECKING, Any

from etl.store.index_fields import GIST
from warehouse.query.compile import compile_plan
from warehouse.query.context import Context
from warehouse.query.expand import expand
from warehouse.query.parse import parse
from warehouse.query.plan import WILD, Gist, Leaf, Plan, Words, leaves, says
from warehouse.query.question import gist
from warehouse.query.tree import Join, Node, Term
from warehouse.query.vocabulary import Vocabulary

if TYPE_CHECKING:
    from etl.store.index_search import SearchIndex

_OPERATOR = re.compile(r"\b(?:AND|OR|NOT)\b|[|#]")


def understand(index: "SearchIndex", query: str) -> "tuple[Plan, Context]":
    """The plan of ``query`` for ``index``, with the vocabulary that lies beside it."""
    from etl.store.index import VOCABULARY

    return expand(query, Vocabulary(index.folder / VOCABULARY), index.frequency)


def nearest(index: "SearchIndex", text: str) -> "tuple[Gist | None, Context]":
    """Plain ``text`` as a search for the records nearest to it; None when it holds no word."""
    from etl.store.index import VOCABULARY

    context = Context(text, Vocabulary(index.folder / VOCABULARY), index.frequency)
    return gist(text, context), context


def is_plain(query: str) -> bool:
    """Whether ``query`` is a sentence: no tag, operator, quotation mark, ``*`` or line number.

    Brackets may stand in it, as around an abbreviation.
    """
    return _OPERATOR.search(query) is None and _is_words(parse(query)[0])


def _is_words(node: Node) -> bool:
    if isinstance(node, Join):
        return node.operator == "AND" and all(_is_words(part) for part in node.parts)
    return isinstance(node, Term) and node.tag is None and not node.quoted and "*" not in node.text


def explain(index: "SearchIndex", query: str) -> dict[str, Any]:
    """The translation of ``query``, as PubMed's query details show it.

    Keys: ``query``, ``query_translation``, ``operands`` (``term``, ``count`` of citations, each
    distinct term once), ``without_match``, ``mapped`` (``typed``, ``heading``), ``ignored``,
    ``notices``, ``snapshot``. Citations not indexed yet carry no headings, which is said where
    headings are searched. Raises ``QueryError``.
    """
    plan, context = understand(index, query)
    extra = {leaf.says for leaf in leaves(plan) if isinstance(leaf, Words) and leaf.variant}
    counts: dict[str, int] = {}
    for leaf in leaves(plan):
        if leaf.says not in counts:
            counts[leaf.says] = index.count(compile_plan(leaf, index.schema))
    return {
        "query": query,
        "query_translation": says(plan),
        "operands": [{"term": term, "count": count} for term, count in counts.items()],
        "without_match": [
            term for term, count in counts.items() if not count and term not in extra
        ],
        "mapped": [{"typed": typed, "heading": name} for typed, name in context.mapped],
        "ignored": context.ignored,
        "notices": [*index.notices, *context.notices, *_unindexed(counts)],
        "snapshot": index.snapshot,
    }


def _unindexed(counts: dict[str, int]) -> list[str]:
    if any("[MeSH" in term for term in counts):
        return ["citations that NLM has not indexed yet carry no headings and match none"]
    return []


def without_match(index: "SearchIndex", plan: Plan) -> list[str]:
    """Words of ``plan`` that no citation holds (phrases: when one of their words is in none)."""
    found = [term for leaf in leaves(plan) for term in _unknown_terms(index, leaf)]
    return list(dict.fromkeys(found))


def _unknown_terms(index: "SearchIndex", leaf: Leaf) -> list[str]:
    if isinstance(leaf, Gist):
        pairs = zip(leaf.stems, leaf.typed, strict=True)
        return [f'"{word}"' for stem, word in pairs if not index.frequency(GIST, stem)]
    return [leaf.says] if _unknown(index, leaf) else []


def _unknown(index: "SearchIndex", leaf: Leaf) -> bool:
    if not isinstance(leaf, Words) or leaf.variant:
        return False
    whole = [word for word in leaf.words if WILD not in word]
    return any(not any(index.frequency(name, word) for name in leaf.fields) for word in whole)
