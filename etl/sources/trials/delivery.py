"""What every kind of delivery offers: its tables, and the rows of one as text columns."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa


@dataclass(frozen=True)
class Rows:
    """Rows of the delivered table ``table``.

    ``delivered`` names all its columns in order; ``batches`` hold those of the wanted columns
    that it has, every one as text, null where the delivery says so.
    """

    table: str
    delivered: Sequence[str]
    batches: Iterator[pa.Table]


@dataclass
class Notices:
    """Things that were loaded although they differ from what is known; one line each."""

    lines: list[str] = field(default_factory=list)

    def add(self, line: str) -> None:
        if line not in self.lines:
            self.lines.append(line)


class Delivery(Protocol):
    """A dump, a flat export or a live database, open for reading."""

    kind: str
    label: str  # how messages name it: never holds a password

    @property
    def snapshot_date(self) -> str | None:
        """ISO date of the snapshot, null when the delivery does not say."""

    def tables(self) -> frozenset[str]:
        """Names of the delivered tables, without schema."""

    def read(self, wanted: Mapping[str, Sequence[str]]) -> Generator[Rows]:
        """The rows of the tables in ``wanted`` (all of them delivered), in any order.

        ``wanted`` gives the columns to read of each. Use up the batches of one table before the
        next. Iterating raises ``SourceError`` when the rows end too early.
        """
        ...

    def losses(self) -> Sequence[str]:
        """What this kind of delivery is known to lose, as notices."""
