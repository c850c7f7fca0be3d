"""From a plan to a search of the index."""

import re
from collections.abc import Callable
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

from etl.store.index_fields import GIST, WHOLE, WHOLE_FIELDS
from warehouse.query.plan import (
    WILD,
    Both,
    Codes,
    Dates,
    Either,
    Except,
    Gist,
    Near,
    Nothing,
    Pattern,
    Plan,
    Pmids,
    Words,
    placements,
)

if TYPE_CHECKING:
    from tantivy import Query, Schema

# Relevance: BM25, of each field added up where more than one is searched. A title is short, so a
# word in it scores high of itself and is held down.
_BOOSTS = {"title": 0.5, "terms": 1.5}
_RESTS = {"anything": ".*", "words": "( .*)?", "letters": "[^ ]*"}


def compile_plan(plan: Plan, schema: "Schema") -> "Query":
    """The tantivy query of ``plan``."""
    return _BY_KIND[type(plan)](plan, schema)


def _both(plan: Both, schema: "Schema") -> "Query":
    from tantivy import Occur, Query

    return Query.boolean_query([(Occur.Must, compile_plan(part, schema)) for part in plan.parts])


def _either(plan: Either, schema: "Schema") -> "Query":
    return _any([compile_plan(part, schema) for part in plan.parts])


def _except(plan: Except, schema: "Schema") -> "Query":
    from tantivy import Occur, Query

    base = compile_plan(plan.base, schema) if plan.base else _quiet(Query.all_query())
    less = compile_plan(plan.less, schema)
    return Query.boolean_query([(Occur.Must, base), (Occur.MustNot, less)])


def _any(queries: "list[Query]") -> "Query":
    from tantivy import Occur, Query

    if len(queries) == 1:
        return queries[0]
    return Query.boolean_query([(Occur.Should, query) for query in queries])


def _quiet(query: "Query") -> "Query":
    """``query`` without a say in relevance: a filter is true or not."""
    from tantivy import Query

    return Query.const_score_query(query, 0.0)


def _words(plan: Words, schema: "Schema") -> "Query":
    if len(plan.words) == 1 and plan.fields == WHOLE_FIELDS:
        return _in_field(plan.words, WHOLE, schema)  # the same citations, one list instead of five
    return _any([_in_field(plan.words, name, schema) for name in plan.fields])


def _in_field(words: tuple[str, ...], name: str, schema: "Schema") -> "Query":
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


def _near(plan: Near, schema: "Schema") -> "Query":
    return _any([_near_in(plan, name, schema) for name in plan.fields])


def _near_in(plan: Near, name: str, schema: "Schema") -> "Query":
    """Two words: a phrase with slop in each order. More, or one word twice: every placement.

    tantivy's slop is greedy from three words on and misses matches, so the placements are
    written out as phrases with fixed places; pairs of neighbours narrow the search first.
    """
    from tantivy import Occur, Query

    if len(plan.words) == 2 and plan.words[0] != plan.words[1]:
        return _pair(plan.words, plan.distance, name, schema)
    placed = _any(
        [
            Query.phrase_query(schema, name, [*zip(places, order, strict=True)])
            for order in sorted(set(permutations(plan.words)))
            for places in placements(len(plan.words), plan.distance)
        ]
    )
    wide = plan.distance + len(plan.words) - 2
    pairs = combinations(sorted(set(plan.words)), 2)
    narrow = [(Occur.Must, _pair(pair, wide, name, schema)) for pair in pairs]
    return Query.boolean_query([*narrow, (Occur.Must, placed)])


def _pair(words: tuple[str, ...], distance: int, name: str, schema: "Schema") -> "Query":
    from tantivy import Query

    orders = (words, words[::-1])
    return _any([Query.phrase_query(schema, name, [*order], slop=distance) for order in orders])


def _codes(plan: Codes, schema: "Schema") -> "Query":
    from tantivy import Query

    if len(plan.codes) == 1:
        found = Query.term_query(schema, "code", plan.codes[0], index_option="basic")
    else:
        found = Query.term_set_query(schema, "code", list(plan.codes))
    return Query.const_score_query(found, 1.0)


def _pattern(plan: Pattern, schema: "Schema") -> "Query":
    from tantivy import Query

    regex = re.escape(plan.start).replace(r"\ ", " ") + _RESTS[plan.rest]
    return _quiet(Query.regex_query(schema, "code", regex))


def _dates(plan: Dates, schema: "Schema") -> "Query":
    from tantivy import FieldType, Query

    kind = FieldType.Unsigned
    return _quiet(Query.range_query(schema, plan.field, kind, plan.low, plan.high))


def _pmids(plan: Pmids, schema: "Schema") -> "Query":
    from tantivy import FieldType, Query

    if plan.low == plan.high:
        return _quiet(Query.term_query(schema, "pmid", plan.low))
    return _quiet(Query.range_query(schema, "pmid", FieldType.Unsigned, plan.low, plan.high))


def _gist(plan: Gist, schema: "Schema") -> "Query":
    return _any([_in_field((stem,), GIST, schema) for stem in plan.stems])


def _nothing(plan: Nothing, schema: "Schema") -> "Query":
    from tantivy import Query

    return Query.empty_query()


_BY_KIND: dict[type, Callable[[Any, "Schema"], "Query"]] = {
    Both: _both,
    Either: _either,
    Except: _except,
    Words: _words,
    Near: _near,
    Codes: _codes,
    Pattern: _pattern,
    Dates: _dates,
    Pmids: _pmids,
    Nothing: _nothing,
    Gist: _gist,
}
