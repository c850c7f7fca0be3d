"""What the reading of one query looks things up in, and what it has to tell."""

from collections.abc import Callable
from dataclasses import dataclass, field

from etl.errors import QueryError
from warehouse.query.place import fault
from warehouse.query.vocabulary import Vocabulary


def no_frequency(field: str, term: str) -> int:
    """The index is not at hand: nothing is known to occur."""
    return 0


@dataclass
class Context:
    """What expansion looks things up in, and what it has to tell the user.

    ``frequency(field, term)`` counts citations that hold a term of the index. ``mapped`` lists
    what a term was taken for, ``ignored`` operands that cannot be searched here.
    """

    query: str
    vocabulary: Vocabulary
    frequency: Callable[[str, str], int] = no_frequency
    notices: list[str] = field(default_factory=list)
    mapped: list[tuple[str, str]] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Tell the user ``text``, once."""
        if text not in self.notices:
            self.notices.append(text)

    def fault(self, at: int, message: str) -> QueryError:
        """An error that marks place ``at``."""
        return fault(self.query, at, message)
