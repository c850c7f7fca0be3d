"""Invented warehouses of any size, made by DuckDB straight into the store.

The rows have the shares and the widths of PubMed where a refresh looks at them; the words mean
nothing. Nothing is parsed, so that ten million citations take minutes.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import duckdb
import pyarrow as pa

from etl.jobs.derive import Working, derive_all
from etl.jobs.grade import RULE_VERSION
from etl.store import index
from etl.store.home import Home, open_home, prepare
from etl.store.schema import TABLES, Column
from etl.store.snapshot import EMPTY, Snapshot, commit
from etl.store.tables import replace, write_file
from etl.store.views import bare, connect
from etl.text.extract import EXTRACTOR_VERSION
from tests.pubmed_xml import GUIDELINE, RCT, REVIEW, article, deletes, write

FILE_ROWS = 1_000_000
BATCH_ROWS = 20_000
INDEXED = 20_000  # citations in the small index of a warehouse
PREPRINT = ("D000076942", "Preprint")
PLAIN = ("D016428", "Journal Article")


def warehouse(folder: Path, rows: int, width: int, as_of_year: int, month: str) -> Home:
    """A committed warehouse of ``rows`` citations (PMIDs 1 to ``rows``), derived tables and all.

    ``width`` is the length of an abstract. Its index holds only the first INDEXED citations.
    """
    work = citations_only(folder, rows, width, as_of_year)
    derive_all(work, lambda what: None)
    _small_index(work)
    versions = {
        "rules": RULE_VERSION,
        "extractor": EXTRACTOR_VERSION,
        "as_of_year": str(as_of_year),
        "metrics_month": month,
    }
    commit(work.home, Snapshot(0, "", work.snapshot.tables, {}, {}, versions))
    return work.home


def citations_only(folder: Path, rows: int, width: int, as_of_year: int) -> Working:
    """A home with citations and signals, not committed: what ``derive_all`` begins with."""
    home = open_home(folder)
    prepare(home)
    work = Working(home, EMPTY, as_of_year)
    for table in ("citations", "citation_signals"):
        files = [
            write_file(home, table, _rows(home, table, span, rows, width), 1, f"syn{span[0]:09d}")
            for span in _spans(rows)
        ]
        work.tables[table] = replace(home, table, files)
    return work


def _spans(rows: int) -> list[tuple[int, int]]:
    return [(low, min(low + FILE_ROWS, rows + 1)) for low in range(1, rows + 1, FILE_ROWS)]


def _rows(
    home: Home, table: str, span: tuple[int, int], total: int, width: int
) -> Iterator[pa.Table]:
    low, high = span
    with bare(home) as con:
        _prose(con)
        for start in range(low, high, BATCH_ROWS):
            bounds = {"low": start, "high": min(start + BATCH_ROWS, high)}
            if table == "citations":
                text = Path(__file__).with_name("synthetic_citations.sql").read_text("utf-8")
                bounds |= {"total": total, "width": width, "seq": 1}
            else:
                text = (
                    "SELECT r.pmid::BIGINT AS pmid, 1::SMALLINT AS version, 1::BIGINT AS seq "
                    "FROM range($low, $high) AS r(pmid)"
                )
            yield filled(table, con.sql(text, params=bounds).to_arrow_table())


def _prose(con: duckdb.DuckDBPyConnection) -> None:
    draw = random.Random(1)
    words = " ".join(f"w{draw.randrange(9000):04d}" for _ in range(34_000))
    con.execute("CREATE TEMP TABLE prose AS SELECT $words AS words", {"words": words[:200_000]})


def filled(table: str, made: pa.Table) -> pa.Table:
    """``made`` with the other declared columns of ``table``, all of them empty."""
    columns = {
        c.name: made.column(c.name) if c.name in made.column_names else _blank(c, made.num_rows)
        for c in TABLES[table].columns
    }
    return pa.table(columns)


@cache
def _blank(column: Column, rows: int) -> pa.Array:
    return pa.repeat(pa.scalar(_empty(column), column.type), rows)


def _empty(column: Column) -> object:
    if column.nullable:
        return None
    if column.codes:
        return "none" if "none" in column.codes else column.codes[0]
    if pa.types.is_list(column.type):
        return []
    if pa.types.is_boolean(column.type):
        return False
    return "synthetic" if pa.types.is_string(column.type) else 0


def _small_index(work: Working) -> None:
    with connect(work.home, work.snapshot) as con:
        kept = f"SELECT * FROM citations WHERE pmid <= {INDEXED}"
        few = con.sql(kept).to_arrow_table()
        con.execute("DROP VIEW citations")
        con.register("citations", few)
        index.update(work.home, con, work.next_id, None, None, tables=work.snapshot.tables)


def update_file(path: Path, records: int, held: int, seed: int = 1) -> Path:
    """A PubMed update file: 60 % revisions all over PMIDs 1 to ``held``, 40 % new, 50 deletes."""
    draw = random.Random(seed)
    revised = draw.sample(range(1, held + 1), records * 6 // 10)
    new = range(held + 1, held + 1 + records - len(revised))
    gone = draw.sample(range(1, held + 1), 50)
    taken = set(revised)
    elements = [_record(draw, pmid, held) for pmid in (*revised, *new)]
    return write(path, *elements, deletes(*(p for p in gone if p not in taken)))


def _record(draw: random.Random, pmid: int, held: int) -> str:
    types = [PLAIN, *_kind(draw)]
    nct = f" NCT{draw.randrange(500_000):08d}" if draw.random() < 0.03 else ""
    people = f" A total of {draw.randrange(20, 3000)} patients were enrolled and followed."
    return article(
        pmid,
        " ".join(f"t{draw.randrange(40_000)}" for _ in range(12)),
        types=types,
        headings=[(f"D9{draw.randrange(30_000):05d}", f"Heading {n}") for n in range(10)],
        abstract=" ".join(f"w{draw.randrange(9000):04d}" for _ in range(150)) + people + nct,
        year=draw.randrange(2020 if PREPRINT in types else 1990, 2027),
        corrections=_corrections(draw, held),
        cites=draw.sample(range(1, held + 1), 50 if GUIDELINE in types else draw.randrange(40)),
        nlm_id=f"J{draw.randrange(30_000):07d}",
        authors=[f"Name{draw.randrange(400_000)}" for _ in range(5)],
    )


def _kind(draw: random.Random) -> Sequence[tuple[str, str]]:
    place = draw.random()
    for share, kind in ((0.03, PREPRINT), (0.05, RCT), (0.052, GUIDELINE), (0.14, REVIEW)):
        if place < share:
            return [kind]
    return []


def _corrections(draw: random.Random, held: int) -> str:
    if draw.random() > 0.06:
        return ""
    kind = draw.choice(["CommentIn", "CommentOn", "ErratumIn", "UpdateOf", "UpdateIn"])
    return (
        f'<CommentsCorrectionsList><CommentsCorrections RefType="{kind}"><RefSource>Inv J'
        f"</RefSource><PMID>{draw.randrange(1, held + 1)}</PMID></CommentsCorrections>"
        "</CommentsCorrectionsList>"
    )
