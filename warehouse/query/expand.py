"""From the tree as typed to a plan: every term looked up, every abbreviation written out."""

from collections.abc import Callable
from dataclasses import replace
from itertools import islice, product

from warehouse.query import codes, dates, filters, headings
from warehouse.query.chinese import is_chinese, pieces, tell
from warehouse.query.context import Context, no_frequency
from warehouse.query.mapping import untagged
from warehouse.query.parse import parse
from warehouse.query.place import fault
from warehouse.query.plan import Dates, Except, Plan, Pmids, both, either
from warehouse.query.tags import ALL, Kind, Tag
from warehouse.query.terms import near, words
from warehouse.query.tree import Join, Node, Span, Term, Without
from warehouse.query.vocabulary import Vocabulary

OPEN_END = 99991231
_MEANINGS = 8  # English readings of one Chinese term
_TRANSLATED = (Kind.WORDS, Kind.HEADING, Kind.TYPE)  # kinds of field that Chinese is read in


def expand(
    query: str,
    vocabulary: Vocabulary | None = None,
    frequency: Callable[[str, str], int] = no_frequency,
) -> tuple[Plan, Context]:
    """The plan of ``query`` and what there is to say about it.

    ``vocabulary`` None is a warehouse without MeSH. Raises ``QueryError`` marking the place.
    """
    node, notices = parse(query)
    context = Context(query, vocabulary or Vocabulary(None), frequency, notices)
    plan = _node(node, context)
    if plan is None:
        raise fault(query, 0, "nothing is left to search: " + "; ".join(context.notices[-3:]))
    return plan, context


def _node(node: Node, context: Context) -> Plan | None:
    if isinstance(node, Join):
        return _join(node, context)
    if isinstance(node, Without):
        less = _node(node.part, context)
        return None if less is None else Except(None, less)
    if isinstance(node, Span):
        return _span(node, context)
    return _term(node, context)


def _join(node: Join, context: Context) -> Plan | None:
    parts = [_node(part, context) for part in node.parts]
    if node.operator == "NOT":
        base, less = parts[0], [part for part in parts[1:] if part is not None]
        return Except(base, either(less)) if less else base
    found = [part for part in parts if part is not None]
    if not found:
        return None
    return both(found) if node.operator == "AND" else either(found)


def _term(term: Term, context: Context) -> Plan | None:
    if is_chinese(term.text) and "*" not in term.text:
        if term.tag is None and term.quoted:
            return _chinese(replace(term, tag=Tag(ALL)), context)
        if term.tag is not None and term.tag.field.kind in _TRANSLATED:
            return _chinese(term, context)
    return untagged(term, context) if term.tag is None else _tagged(term, context)


def _tagged(term: Term, context: Context) -> Plan | None:
    assert term.tag is not None  # noqa: S101 - callers look
    return _BY_KIND[term.tag.field.kind](term, term.tag, context)


def _chinese(term: Term, context: Context) -> Plan | None:
    """A tagged Chinese term: in English where every word of it is known, and as written."""
    found = pieces(term.text)
    tell(found, context)
    choices = (piece.english or (() if piece.unknown else (piece.text,)) for piece in found)
    said = islice((" ".join(words) for words in product(*choices)), _MEANINGS)
    meanings = [_tagged(replace(term, text=text), context) for text in said if found]
    as_written = not meanings or (term.tag is not None and term.tag.field.kind is Kind.WORDS)
    written = _tagged(term, context) if as_written else None
    parts = [part for part in (*meanings, written) if part is not None]
    return either(parts) if parts else None


def _word_term(term: Term, tag: Tag, context: Context) -> Plan | None:
    if tag.distance is not None:
        return near(term, tag, tag.distance, context)
    return words(term, tag.field, context)


def _date_term(term: Term, tag: Tag, context: Context) -> Plan | None:
    found = dates.bounds(term.text) or dates.last(term.text)
    if found is None:
        raise context.fault(
            term.at, f'"{term.text}" is no date: write 2023, 2023/05, 2023/05/01 or "last 5 years"'
        )
    return _dates(tag, found[0], found[1], context)


def _dates(tag: Tag, low: int, high: int, context: Context) -> Dates:
    if tag.field.tag == "crdt":
        context.note("[crdt] searches the entry date: the creation date is not stored")
    said = f"{_day(low)}:{_day(high)}[{tag.field.name}]"
    return Dates(tag.field.where[0], low, high, said)


def _day(number: int) -> str:
    text = f"{number:08d}"
    return f"{text[:4]}/{text[4:6]}/{text[6:]}"


def _span(span: Span, context: Context) -> Plan | None:
    if span.tag.field.kind is Kind.PMID:
        low, high = _pmid(span.low, span.at, context), _pmid(span.high, span.at, context)
    else:
        low, high = _end(span, span.low, 0, context), _end(span, span.high, 1, context)
    if low > high:
        raise context.fault(span.at, f"the range {span.low}:{span.high} runs backwards")
    if span.tag.field.kind is Kind.PMID:
        return Pmids(low, high, f"{low}:{high}[PMID]")
    return _dates(span.tag, low, high, context)


def _end(span: Span, text: str, side: int, context: Context) -> int:
    if not text.strip():
        return OPEN_END if side else 0
    found = dates.bounds(text)
    if found is None:
        raise context.fault(span.at, f'"{text}" is no date: write 2023, 2023/05 or 2023/05/01')
    return found[side]


def _pmid(text: str, at: int, context: Context) -> int:
    plain = text.strip().lower().removeprefix("pmid:").strip()
    if not plain.isascii() or not plain.isdigit() or len(plain) > 12:
        raise context.fault(at, f'"{text}" is no PMID')
    return int(plain)


def _pmid_term(term: Term, tag: Tag, context: Context) -> Plan | None:
    numbers = [_pmid(part, term.at, context) for part in term.text.replace(",", " ").split()]
    return either([Pmids(number, number, f"{number}[PMID]") for number in numbers])


def _filter_term(term: Term, tag: Tag, context: Context) -> Plan | None:
    return filter_plan(term.text, term.at, context)


def filter_plan(name: str, at: int, context: Context) -> Plan | None:
    """The plan of the filter ``name``; None (and a notice) when the warehouse cannot answer it."""
    found = filters.codes(name)
    if found is not None:
        return found
    written = filters.strategy(name)
    if written is None and codes.language(name):
        return codes.language(name)
    if written is not None:
        inner = Context(written, context.vocabulary, context.frequency, context.notices)
        return _node(parse(written)[0], inner)
    lacking = filters.absent(name)
    if lacking is None:
        raise context.fault(at, f'unknown filter "{name}"')
    return _left_out(f"{name}[filter]", f"the warehouse does not hold {lacking}", context)


def _absent(term: Term, tag: Tag, context: Context) -> Plan | None:
    return _left_out(f"{term.text}[{tag.field.tag}]", tag.field.where[0], context)


def _left_out(what: str, why: str, context: Context) -> Plan | None:
    context.ignored.append(what)
    context.note(f"{what} was left out of the search: {why}")
    return None


_BY_KIND: dict[Kind, Callable[[Term, Tag, Context], Plan | None]] = {
    Kind.WORDS: _word_term,
    Kind.HEADING: headings.heading,
    Kind.QUALIFIER: headings.qualifier,
    Kind.TYPE: headings.publication_type,
    Kind.AUTHOR: codes.author,
    Kind.CODE: codes.code,
    Kind.DATE: _date_term,
    Kind.PMID: _pmid_term,
    Kind.FILTER: _filter_term,
    Kind.ABSENT: _absent,
}
