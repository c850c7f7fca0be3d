"""What was understood of a query: the translation, what each operand finds, what finds nothing."""

from typing import TYPE_CHECKING, Any

from warehouse.query.compile import compile_plan
from warehouse.query.context import Context
from warehouse.query.expand import expand
from warehouse.query.mapping import any_of
from warehouse.query.parse import parse
from warehouse.query.plan import WILD, Leaf, Plan, Words, leaves, says
from warehouse.query.tree import Term
from warehouse.query.vocabulary import Vocabulary

if TYPE_CHECKING:
    from etl.store.index_search import SearchIndex


def understand(index: "SearchIndex", query: str) -> "tuple[Plan, Context]":
    """The plan of ``query`` for ``index``, with the vocabulary that lies beside it."""
    from etl.store.index import VOCABULARY

    return expand(query, Vocabulary(index.folder / VOCABULARY), index.frequency)


def loosened(index: "SearchIndex", text: str, least: float) -> "tuple[Plan | None, Context]":
    """Plain ``text`` as a search for at least the share ``least`` of its words (0: any one)."""
    from etl.store.index import VOCABULARY

    context = Context(text, Vocabulary(index.folder / VOCABULARY), index.frequency)
    return any_of(text, least, context), context


def is_plain(query: str) -> bool:
    """Whether ``query`` is words alone: no tag, operator, bracket, quotation mark or ``*``."""
    node, _ = parse(query)
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
    found = [leaf.says for leaf in leaves(plan) if _unknown(index, leaf)]
    return list(dict.fromkeys(found))


def _unknown(index: "SearchIndex", leaf: Leaf) -> bool:
    if not isinstance(leaf, Words) or leaf.variant:
        return False
    whole = [word for word in leaf.words if WILD not in word]
    return any(not any(index.frequency(name, word) for name in leaf.fields) for word in whole)
