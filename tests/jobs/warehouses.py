"""Small deliveries to load, and the whole content of a warehouse to compare."""

from pathlib import Path

import pyarrow as pa

from etl.store.home import Home
from etl.store.schema import TABLES
from etl.store.snapshot import current
from etl.store.views import connect
from tests.pubmed_xml import RCT, REVIEW, article, deletes, write


def deliveries(folder: Path, files: int, records: int = 40) -> Path:
    """Files that revise and delete records of the ones before them."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, files + 1):
        delivery(folder / f"pubmed26n{number:04d}.xml.gz", number, records)
    return folder


def delivery(path: Path, number: int, records: int = 40) -> Path:
    first = number * records
    words = f"We randomised {100 + number} patients in a multicentre trial. " * 3
    own = [
        article(p, f"Trial {p} of file {number}", types=[RCT if p % 2 else REVIEW], abstract=words)
        for p in range(first, first + records)
    ]
    revised = article(first - 1, f"revised by {number}", types=[RCT], abstract=words)
    return write(path, *own, revised, deletes(first - 2))


def content(home: Home) -> dict[str, pa.Table]:
    """All rows of all tables of the committed snapshot, in one order."""
    snapshot = current(home)
    assert snapshot is not None
    with connect(home, snapshot) as con:
        return {
            name: con.sql(f"select * from {name} order by all").to_arrow_table() for name in TABLES
        }


def assert_same(one: Home, other: Home) -> None:
    mine, theirs = content(one), content(other)
    assert mine["citations"].num_rows > 0
    for name, rows in mine.items():
        assert rows.equals(theirs[name]), name
