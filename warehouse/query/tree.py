"""The query as typed: terms joined by AND, OR, NOT."""

from dataclasses import dataclass

from warehouse.query.tags import Tag


@dataclass(frozen=True)
class Term:
    """Words before a tag (or without one). ``at`` is the offset in the query."""

    text: str
    tag: Tag | None
    quoted: bool
    at: int


@dataclass(frozen=True)
class Span:
    """A range ``low:high[tag]``; either end may be an open one (3000, or empty)."""

    low: str
    high: str
    tag: Tag
    at: int


@dataclass(frozen=True)
class Join:
    """Operands joined by one operator: AND, OR, or NOT (the first without all the others)."""

    operator: str
    parts: tuple["Node", ...]


@dataclass(frozen=True)
class Without:
    """Everything except ``part``: a strategy that begins with NOT."""

    part: "Node"


Node = Term | Span | Join | Without


def canonical(node: Node) -> str:
    """The tree in one spelling: short tags, capitals for operators, brackets around every join."""
    if isinstance(node, Join):
        return "(" + f" {node.operator} ".join(canonical(part) for part in node.parts) + ")"
    if isinstance(node, Without):
        return f"(NOT {canonical(node.part)})"
    if isinstance(node, Span):
        return f"{node.low}:{node.high}{_tag(node.tag)}"
    text = f'"{node.text}"' if node.quoted else node.text
    return text + (_tag(node.tag) if node.tag else "")


def _tag(tag: Tag) -> str:
    option = "" if tag.explode else ":noexp"
    if tag.distance is not None:
        option = f":~{tag.distance}"
    return f"[{tag.field.tag}{option}]"
