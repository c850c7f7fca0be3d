"""Puts and deletes of one file, in document order -> one outcome a PMID."""

from dataclasses import dataclass, field

import pyarrow as pa

TOUCHED = pa.schema(
    [
        pa.field("pmid", pa.int64(), nullable=False),
        pa.field("op", pa.string(), nullable=False),
        pa.field("version", pa.int16(), nullable=False),
    ]
)


@dataclass
class Netting:
    """Higher version wins, then the later record; a later delete wins over both."""

    rows: int = 0
    losers: list[int] = field(default_factory=list)  # ordinals of overtaken rows
    _held: dict[int, tuple[int, int]] = field(default_factory=dict)  # pmid -> version, ordinal
    _deleted: dict[int, int] = field(default_factory=dict)  # pmid -> version

    def put(self, pmid: int, version: int) -> None:
        """The next row is this record's."""
        ordinal = self.rows
        self.rows += 1
        held = self._held.get(pmid)
        if held is not None and held[0] > version:
            self.losers.append(ordinal)
            return
        if held is not None:
            self.losers.append(held[1])
        self._held[pmid] = (version, ordinal)
        self._deleted.pop(pmid, None)

    def delete(self, pmid: int, version: int) -> None:
        """The PMID goes, in all its versions."""
        held = self._held.pop(pmid, None)
        if held is not None:
            self.losers.append(held[1])
        self._deleted[pmid] = version

    def touched(self) -> pa.Table:
        """``pmid, op (put or delete), version``, sorted by PMID."""
        outcome = [(pmid, "put", version) for pmid, (version, _) in self._held.items()]
        outcome += [(pmid, "delete", version) for pmid, version in self._deleted.items()]
        columns = zip(*sorted(outcome), strict=True) if outcome else ((), (), ())
        return pa.table(
            [pa.array(c, f.type) for c, f in zip(columns, TOUCHED, strict=True)], schema=TOUCHED
        )
