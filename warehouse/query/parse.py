"""From tokens to a tree: strictly left to right, brackets alone change the order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from warehouse.query import tags
from warehouse.query.lex import Sort, Token, check, tokens
from warehouse.query.place import fault
from warehouse.query.tags import Kind, Tag, UnknownTag
from warehouse.query.tree import Join, Node, Span, Term, Without

DEPTH = 80  # brackets within brackets, and changes of operator in one chain
TERMS = 5_000

_SMALL = ("and", "or", "not")


@dataclass
class Reader:
    """One pass over the tokens of one line. ``lines`` are the lines that ``#n`` may name."""

    query: str
    tokens: Sequence[Token]
    lines: Mapping[int, Node]
    notices: list[str]
    place: int = 0
    used: set[int] = field(default_factory=set)
    terms: int = 0

    def peek(self, ahead: int = 0) -> Token | None:
        """The token ``ahead`` places on; None past the end."""
        at = self.place + ahead
        return self.tokens[at] if at < len(self.tokens) else None

    def sort(self, ahead: int = 0) -> Sort | None:
        """What sort of token stands ``ahead`` places on."""
        token = self.peek(ahead)
        return token.sort if token else None

    def take(self) -> Token:
        """The next token, passed over."""
        token = self.tokens[self.place]
        self.place += 1
        return token

    def note(self, text: str) -> None:
        """Tell the user ``text``, once."""
        if text not in self.notices:
            self.notices.append(text)


def parse(query: str) -> tuple[Node, list[str]]:
    """The tree of ``query`` and notices about what was read in an unexpected way.

    A text of several numbered lines (``#1 AND #2``) is read as a search history, whose last
    line counts. Raises ``QueryError`` marking the place of a fault.
    """
    from warehouse.query.history import history

    check(query)
    if not query.strip():
        raise fault(query, 0, "the query is empty: write words, a PubMed strategy or a question")
    notices: list[str] = []
    entries = history(query) if "\n" in query.strip() else None
    if entries is None:
        return read(query, 0, None, {}, notices)[0], notices
    return _read_history(query, entries, notices), notices


def read(
    query: str, start: int, stop: int | None, lines: Mapping[int, Node], notices: list[str]
) -> tuple[Node, set[int]]:
    """The tree of ``query[start:stop]``, and which of ``lines`` it names."""
    found = tokens(query, start, stop)
    reader = Reader(query, found, lines, notices)
    node = _chain(reader, 0)
    extra = reader.peek()
    if extra is not None:
        raise fault(query, extra.at, "')' without '(' before it")
    return node, reader.used


def _read_history(
    query: str, entries: "Sequence[tuple[int, int, int]]", notices: list[str]
) -> Node:
    from warehouse.query.history import numbers_as_lines

    lines: dict[int, Node] = {}
    used: set[int] = set()
    for number, start, stop in entries:
        shorthand = numbers_as_lines(query, start, stop, lines, notices)
        if shorthand is not None:
            lines[number], named = shorthand
        else:
            lines[number], named = read(query, start, stop, lines, notices)
        used |= named
    unused = sorted(set(lines) - used - {entries[-1][0]})
    if unused:
        said = ", ".join(f"#{number}" for number in unused)
        notices.append(f"lines that the last line does not use: {said}")
    return lines[entries[-1][0]]


def _chain(reader: Reader, depth: int) -> Node:
    """Operands and operators up to a closing bracket or the end."""
    if depth > DEPTH:
        at = reader.tokens[reader.place - 1].at
        raise fault(reader.query, at, f"brackets are nested deeper than {DEPTH}")
    node = _first(reader, depth)
    turns, before = 0, ""
    while reader.sort() not in (None, Sort.CLOSE):
        operator = _operator(reader)
        turns += operator != before
        if turns > DEPTH:
            at = reader.tokens[reader.place - 1].at
            raise fault(
                reader.query, at, f"the operator changes more than {DEPTH} times: use brackets"
            )
        node, before = _join(node, operator, _operand(reader, depth)), operator
    return node


def _first(reader: Reader, depth: int) -> Node:
    token = reader.peek()
    if token is not None and token.sort is Sort.OPERATOR:
        if token.text != "NOT":
            raise fault(reader.query, token.at, f"nothing stands before this {token.text}")
        reader.take()
        reader.note("a query that begins with NOT finds everything but what follows")
        return Without(_operand(reader, depth))
    return _operand(reader, depth)


def _join(left: Node, operator: str, right: Node) -> Node:
    if isinstance(left, Join) and left.operator == operator:
        return Join(operator, (*left.parts, right))
    return Join(operator, (left, right))


def _operator(reader: Reader) -> str:
    """The operator before the next operand; two operands side by side are joined by AND."""
    token = reader.peek()
    if token is None:
        return "AND"
    if token.sort is Sort.OPERATOR:
        reader.take()
        return _pair(reader, token)
    small = token.text.lower()
    if token.sort is Sort.WORD and small in _SMALL and _small_operator(reader):
        reader.take()
        reader.note(
            f'"{token.text}" between two terms was read as {small.upper()}; write it in capitals'
        )
        return small.upper()
    return "AND"


def _pair(reader: Reader, token: Token) -> str:
    following = reader.peek()
    if following is None or following.sort is not Sort.OPERATOR:
        return token.text
    if (token.text, following.text) == ("AND", "NOT"):
        reader.take()
        reader.note("AND NOT was read as NOT")
        return "NOT"
    raise fault(
        reader.query, following.at, f"{token.text} {following.text}: a term is missing between"
    )


def _small_operator(reader: Reader) -> bool:
    """Whether a lower-case and/or/not here joins two terms: the one before ends with a tag,
    a quotation mark or a bracket, or the one after begins with a quotation mark or a bracket."""
    before = reader.tokens[reader.place - 1].sort if reader.place else None
    complete = before in (Sort.TAG, Sort.PHRASE, Sort.CLOSE, Sort.LINE)
    return (
        reader.sort(1) is not None
        and reader.sort(1) is not Sort.CLOSE
        and (complete or reader.sort(1) in (Sort.OPEN, Sort.PHRASE, Sort.LINE))
    )


def _operand(reader: Reader, depth: int) -> Node:
    token = reader.peek()
    if token is None or token.sort in (Sort.CLOSE, Sort.OPERATOR):
        at = token.at if token else (reader.tokens[-1].end if reader.tokens else 0)
        raise fault(reader.query, at, _missing(reader, token))
    if token.sort is Sort.OPEN:
        return _group(reader, depth)
    if token.sort is Sort.LINE:
        return _line(reader)
    if token.sort is Sort.TAG:
        raise fault(reader.query, token.at, f"nothing stands before the tag [{token.text}]")
    return _term(reader)


def _missing(reader: Reader, token: Token | None) -> str:
    before = reader.tokens[reader.place - 1] if reader.place else None
    if before is not None and before.sort is Sort.OPERATOR:
        return f"a term is missing after {before.text}"
    if token is not None and token.sort is Sort.CLOSE:
        return "nothing stands between these brackets" if before else "')' without '(' before it"
    return "a term is missing here"


def _group(reader: Reader, depth: int) -> Node:
    opened = reader.take()
    node = _chain(reader, depth + 1)
    if reader.sort() is not Sort.CLOSE:
        raise fault(reader.query, opened.at, "'(' without ')' after it")
    reader.take()
    if reader.sort() is not Sort.TAG:
        return node
    tag = _tag(reader)
    if isinstance(node, Term) and node.tag is None:
        return Term(node.text, tag, node.quoted, node.at)
    said = f"[{tag.field.tag}] after a bracket was applied to each untagged term in it"
    reader.note(f"{said}; PubMed ignores it")
    return _spread(node, tag)


def _spread(node: Node, tag: Tag) -> Node:
    if isinstance(node, Term):
        return Term(node.text, tag, node.quoted, node.at) if node.tag is None else node
    if isinstance(node, Join):
        return Join(node.operator, tuple(_spread(part, tag) for part in node.parts))
    if isinstance(node, Without):
        return Without(_spread(node.part, tag))
    return node


def _line(reader: Reader) -> Node:
    token = reader.take()
    number = int(token.text)
    if number not in reader.lines:
        raise fault(reader.query, token.at, f"there is no line #{number} before this one")
    reader.used.add(number)
    return reader.lines[number]


def _term(reader: Reader) -> Node:
    first = reader.take()
    reader.terms += 1
    if reader.terms > TERMS:
        raise fault(reader.query, first.at, f"the query has more than {TERMS:,} terms")
    if first.sort is Sort.PHRASE:
        text, quoted = first.text, True
    else:
        text, quoted = _words(reader, first), False
    tag = _tag(reader) if reader.sort() is Sort.TAG else None
    following = reader.peek()
    if following is not None and following.sort is Sort.WORD and following.text == ":":
        span = _two_terms(reader, text, tag, first.at)
        if span is not None:
            return span
    return _finish(reader, text, tag, quoted, first.at)


def _words(reader: Reader, first: Token) -> str:
    run = [first.text]
    while reader.sort() is Sort.WORD and not _ends_run(reader):
        word = reader.take().text
        if word == "*":  # NLM's own "diagnostic * [MeSH:noexp]"
            run[-1] += word
        else:
            run.append(word)
    return " ".join(run)


def _ends_run(reader: Reader) -> bool:
    """A word that is not part of the words before it: a lone colon, or a lower-case operator
    before a bracket or a quotation mark."""
    token = reader.peek()
    if token is None or (token.text == ":" and reader.sort(1) is Sort.PHRASE):
        return True
    return token.text.lower() in _SMALL and reader.sort(1) in (Sort.OPEN, Sort.PHRASE, Sort.LINE)


def _two_terms(reader: Reader, low: str, tag: Tag | None, at: int) -> Node | None:
    """A range of two terms, ``"2017/01/01"[dp] : "2018/12/31"[dp]``."""
    place = reader.place
    reader.take()
    if reader.sort() in (Sort.PHRASE, Sort.WORD):
        high = reader.take().text
        end = _tag(reader) if reader.sort() is Sort.TAG else None
        chosen = end or tag
        if chosen is not None and chosen.field.kind in (Kind.DATE, Kind.PMID):
            return Span(low.strip(), high.strip(), chosen, at)
    reader.place = place
    return None


def _finish(reader: Reader, text: str, tag: Tag | None, quoted: bool, at: int) -> Node:
    if "∗" in text:
        reader.note("the sign ∗ is no truncation sign in PubMed; write *")
    if "&amp;" in text:
        reader.note("&amp; was read as &")
        text = text.replace("&amp;", "&")
    if tag is not None and tag.field.kind in (Kind.DATE, Kind.PMID) and ":" in text:
        low, _, high = "".join(text.split()).partition(":")
        return Span(low, high, tag, at)
    return Term(" ".join(text.split()), tag, quoted, at)


def _tag(reader: Reader) -> Tag:
    token = reader.take()
    try:
        return tags.read(token.text)
    except UnknownTag as error:
        raise fault(reader.query, token.at, str(error)) from None
