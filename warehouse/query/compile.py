"""From a plan to a search of the index."""

import re
from itertools import permutations
from typing import TYPE_CHECKING

from warehouse.query.plan import (
    WILD,
    Both,
    Codes,
    Dates,
    Either,
    Except,
    Near,
    Nothing,
    Pattern,
    Plan,
    Pmids,
    Words,
)

if TYPE_CHECKING:
    from tantivy import Query, Schema

# relevance: a word in the title or among the headings says more than one in the abstract
_BOOSTS = {"title": 2.5, "terms": 1.5}
_RESTS = {"anything": ".*", "words": "( .*)?", "letters": "[^ ]*"}


def compile_plan(plan: Plan, schema: "Schema") -> "Query":
    """The tantivy query of ``plan``."""
    from tantivy import Occur, Query

    if isinstance(plan, Both):
        return Query.boolean_query([(Occur.Must, compile_plan(p, schema)) for p in plan.parts])
    if isinstance(plan, Either):
        return Query.boolean_query([(Occur.Should, compile_plan(p, schema)) for p in plan.parts])
    if isinstance(plan, Except):
        base = compile_plan(plan.base, schema) if plan.base else _quiet(Query.all_query())
        return Query.boolean_query(
            [(Occur.Must, base), (Occur.MustNot, compile_plan(plan.less, schema))]
        )
    return _leaf(plan, schema)


def _leaf(plan: Plan, schema: "Schema") -> "Query":
    from tantivy import FieldType, Query

    if isinstance(plan, Words):
        return _any([_words(plan.words, name, schema) for name in plan.fields])
    if isinstance(plan, Near):
        return _any([_near(plan, name, schema) for name in plan.fields])
    if isinstance(plan, Codes):
        return _codes(plan.codes, schema)
    if isinstance(plan, Pattern):
        regex = re.escape(plan.start).replace(r"\ ", " ") + _RESTS[plan.rest]
        return _quiet(Query.regex_query(schema, "code", regex))
    if isinstance(plan, Dates):
        bounds = (plan.low, plan.high)
        return _quiet(Query.range_query(schema, plan.field, FieldType.Unsigned, *bounds))
    if isinstance(plan, Pmids):
        if plan.low == plan.high:
            return _quiet(Query.term_query(schema, "pmid", plan.low))
        return _quiet(Query.range_query(schema, "pmid", FieldType.Unsigned, plan.low, plan.high))
    assert isinstance(plan, Nothing)  # noqa: S101 - the union is closed
    return Query.empty_query()


def _any(queries: "list[Query]") -> "Query":
    from tantivy import Occur, Query

    if len(queries) == 1:
        return queries[0]
    return Query.boolean_query([(Occur.Should, query) for query in queries])


def _quiet(query: "Query") -> "Query":
    """``query`` without a say in relevance: a filter is true or not."""
    from tantivy import Query

    return Query.const_score_query(query, 0.0)


def _codes(codes: tuple[str, ...], schema: "Schema") -> "Query":
    from tantivy import Query

    if len(codes) == 1:
        found = Query.term_query(schema, "code", codes[0], index_option="basic")
    else:
        found = Query.term_set_query(schema, "code", list(codes))
    return Query.const_score_query(found, 1.0)


def _words(words: tuple[str, ...], name: str, schema: "Schema") -> "Query":
    from tantivy import Query

    if any(WILD in word for word in words):
        found = _wild(words, name, schema)
    elif len(words) == 1:
        found = Query.term_query(schema, name, words[0], index_option="freq")
    else:
        found = Query.phrase_query(schema, name, list(words))
    boost = _BOOSTS.get(name)
    return Query.boost_query(found, boost) if boost else found


def _wild(words: tuple[str, ...], name: str, schema: "Schema") -> "Query":
    from tantivy import Query

    patterns = [re.escape(word).replace(WILD, ".*") for word in words]
    if len(patterns) == 1:
        return Query.regex_query(schema, name, patterns[0])
    return Query.regex_phrase_query(schema, name, list(patterns))


def _near(plan: Near, name: str, schema: "Schema") -> "Query":
    """One phrase search an order of the words, each with room for the words between."""
    from tantivy import Query

    orders = sorted(set(permutations(plan.words)))
    found = [Query.phrase_query(schema, name, list(o), slop=plan.distance) for o in orders]
    return _any(found)
