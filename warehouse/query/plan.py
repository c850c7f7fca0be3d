"""What a query asks of the index: everything written out, nothing left to look up."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

WILD = "ꙮ"  # stands for * inside a word: a letter that no citation holds and no folding changes


@dataclass(frozen=True)
class Words:
    """``words`` one after the other in any one of ``fields``; ``WILD`` is any run of signs.

    ``says`` is how PubMed's query details would write it. ``variant`` when nobody typed it: the
    plural or singular of an untagged word.
    """

    fields: tuple[str, ...]
    words: tuple[str, ...]
    says: str
    variant: bool = False


@dataclass(frozen=True)
class Near:
    """``words`` in any order in one of ``fields``, at most ``distance`` others between them."""

    fields: tuple[str, ...]
    words: tuple[str, ...]
    distance: int
    says: str


def placements(words: int, distance: int) -> Iterator[tuple[int, ...]]:
    """Places of ``words`` words, the first at 0, with at most ``distance`` others between them."""
    for rest in combinations(range(1, words + distance), words - 1):
        yield (0, *rest)


@dataclass(frozen=True)
class Codes:
    """Any one of the whole terms ``codes``."""

    codes: tuple[str, ...]
    says: str


@dataclass(frozen=True)
class Pattern:
    """A whole term that starts with ``start`` and goes on as ``rest`` says: ``"anything"``,
    ``"words"`` (nothing, or a space and anything) or ``"letters"`` (anything but a space)."""

    start: str
    rest: str
    says: str


@dataclass(frozen=True)
class Dates:
    """A date of ``field`` from ``low`` to ``high``, both YYYYMMDD and included."""

    field: str
    low: int
    high: int
    says: str


@dataclass(frozen=True)
class Pmids:
    """PMIDs from ``low`` to ``high``, both included."""

    low: int
    high: int
    says: str


@dataclass(frozen=True)
class Nothing:
    """No citation: a term that the warehouse cannot hold."""

    says: str


@dataclass(frozen=True)
class Gist:
    """Any of ``stems`` (of the words ``typed``, in order): the more and the rarer, the nearer."""

    stems: tuple[str, ...]
    typed: tuple[str, ...]

    @property
    def says(self) -> str:
        """How it is shown: PubMed has nothing like it."""
        return f"nearest to: {' '.join(self.typed)}"


@dataclass(frozen=True)
class Both:
    """All of ``parts``."""

    parts: tuple["Plan", ...]


@dataclass(frozen=True)
class Either:
    """Any of ``parts``."""

    parts: tuple["Plan", ...]


@dataclass(frozen=True)
class Except:
    """``base`` (None: every citation) without ``less``."""

    base: "Plan | None"
    less: "Plan"


Leaf = Words | Near | Codes | Pattern | Dates | Pmids | Nothing | Gist
Plan = Leaf | Both | Either | Except


def both(parts: "list[Plan]") -> "Plan":
    """All of ``parts``, one alone as it is."""
    return parts[0] if len(parts) == 1 else Both(tuple(parts))


def either(parts: "list[Plan]") -> "Plan":
    """Any of ``parts``, one alone as it is."""
    return parts[0] if len(parts) == 1 else Either(tuple(parts))


def says(plan: "Plan") -> str:
    """The plan written as PubMed writes its query details."""
    if isinstance(plan, Both):
        return " AND ".join(_inside(part) for part in plan.parts)
    if isinstance(plan, Either):
        return " OR ".join(_inside(part) for part in plan.parts)
    if isinstance(plan, Except):
        base = "all[Filter]" if plan.base is None else _inside(plan.base)
        return f"{base} NOT {_inside(plan.less)}"
    return plan.says


def _inside(plan: "Plan") -> str:
    text = says(plan)
    return f"({text})" if isinstance(plan, Both | Either | Except) else text


def leaves(plan: "Plan") -> list[Leaf]:
    """Every leaf in order."""
    if isinstance(plan, Both | Either):
        return [leaf for part in plan.parts for leaf in leaves(part)]
    if isinstance(plan, Except):
        return [*(leaves(plan.base) if plan.base else []), *leaves(plan.less)]
    return [plan]
