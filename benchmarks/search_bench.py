"""Search on synthetic citations: latency, index build and update, and SQLite FTS5 beside it.

Run: ``python benchmarks/search_bench.py [--citations 1000000] [--folder DIR]``. Words follow
Zipf's law, so that frequent words are as frequent as in abstracts; the seed is fixed.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa

from benchmarks import fts5
from etl.store.home import open_home, prepare
from etl.store.index import open_index, update
from etl.store.index_search import SearchIndex
from etl.store.snapshot import EMPTY, commit
from warehouse.local_search import Asked, _restricted, _run, search_index
from warehouse.query.explain import understand

HERE = Path(__file__).resolve().parent
CLAIM_WORDS = 9  # words of a question; SciFact's claims have about as many without stop words

# every column that the index reads and that synthetic citations leave empty
SYNTHETIC = """
create or replace table citations as
with numbers as (select range as pmid from range($low, $high)),
texts as (
    select pmid,
        [cast(floor(pow(30000, random())) as integer) for i in range(12)] as t,
        [cast(floor(pow(30000, random())) as integer) for i in range(150)] as a
    from numbers
)
select pmid, 1::smallint as version, 'article' as record_type, 'MEDLINE' as status,
    array_to_string(['w' || x for x in t], ' ') as title,
    array_to_string(['w' || x for x in a], ' ') as abstract,
    (1970 + pmid % 57)::smallint as year, (1970 + pmid % 57)::varchar as publication_date,
    'Journal ' || pmid % 5000 as journal, 'J ' || pmid % 5000 as journal_abbreviation,
    ['Journal Article', 'Review'][1:1 + pmid % 2] as publication_types,
    ['D016428', 'D016454'][1:1 + pmid % 2] as publication_type_uis,
    [{ui: 'D' || lpad((x % 20000)::varchar, 6, '0'), name: 'heading ' || x % 20000,
      major: x % 3 = 0, qualifiers: [{ui: 'Q', name: 'drug therapy', major: false}]}
     for x in t[1:8]] as mesh_terms,
    ['Smith ' || chr(65 + (pmid % 26)::integer), 'Jones AB'] as authors, ['eng'] as languages
from texts
"""


def columns(con: duckdb.DuckDBPyConnection) -> None:
    """Give the synthetic tables every declared column."""
    from etl.store.duck_types import duck_type, quoted
    from etl.store.schema import TABLES

    made = {
        row[0] for row in con.execute("select column_name from (describe citations)").fetchall()
    }
    missing = [c for c in TABLES["citations"].columns if c.name not in made]
    nulls = ", ".join(
        f"{'[]' if pa.types.is_list(c.type) else 'null'}::{duck_type(c.type)} as {quoted(c.name)}"
        for c in missing
    )
    con.execute("alter table citations rename to made")
    con.execute(f"create or replace view citations as select *, {nulls} from made")
    for name, table in TABLES.items():
        if name not in ("citations", "graded"):
            empty = ", ".join(
                f"null::{duck_type(c.type)} as {quoted(c.name)}" for c in table.columns
            )
            con.execute(f"create or replace view {quoted(name)} as select {empty} where false")


def graded(con: duckdb.DuckDBPyConnection) -> None:
    """Grades in about the shares of PubMed: half ungraded."""
    con.execute(
        """create or replace table graded as select pmid, year, 'rct' as design,
        case when pmid % 100 < 3 then 'A' when pmid % 100 < 8 then 'B' when pmid % 100 < 18 then 'C'
             when pmid % 100 < 42 then 'D' when pmid % 100 < 92 then 'ungraded' else 'excluded' end
             as grade,
        'x' as grade_label, 'x' as grade_base, 'x' as grade_rationale, []::varchar[] as rules,
        []::varchar[] as signals_up, []::varchar[] as signals_down, false as inferred,
        false as is_preprint, false as is_retracted, null::bigint as superseded_by,
        []::varchar[] as nct_ids, null::bigint as sample_size, 'none' as sample_size_source,
        null::varchar as sample_size_evidence from made"""
    )


def timed(action: Callable[[], object]) -> float:
    """Seconds that ``action`` takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def percentiles(name: str, seconds: list[float]) -> None:
    """Print p50 and p95 in milliseconds."""
    ordered = sorted(seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    print(f"{name}: p50 {statistics.median(ordered) * 1e3:.1f} ms, p95 {p95 * 1e3:.1f} ms")


def ratios(name: str, theirs: list[float], ours: list[float]) -> None:
    """Print how many times longer theirs took: at the median, at p95, over all queries."""
    p95 = sorted(theirs)[int(len(theirs) * 0.95)] / sorted(ours)[int(len(ours) * 0.95)]
    median = statistics.median(theirs) / statistics.median(ours)
    print(f"{name}: median {median:.1f} x, p95 {p95:.1f} x, all {sum(theirs) / sum(ours):.1f} x")


def pairs(count: int) -> list[tuple[str, str]]:
    """Two-word queries from frequent to rare."""
    import random

    rnd = random.Random(7)
    return [
        (f"w{int(30000 ** rnd.uniform(0.3, 0.9))}", f"w{int(30000 ** rnd.uniform(0.3, 0.9))}")
        for _ in range(count)
    ]


def search_times(index: SearchIndex, queries: list[tuple[str, str]]) -> list[float]:
    """Seconds a query: two words, top 100 with counts by grade."""
    asked = [Asked(f"{a} {b}", "all", 100, False, True, None, False) for a, b in queries]
    for one in asked[:5]:
        search_index(index, one)
    return [timed(lambda one=one: search_index(index, one)) for one in asked]


def process_times(root: Path, queries: list[tuple[str, str]]) -> list[float]:
    """Seconds a whole `evidence search` process: first answers, nothing from the cache."""
    command = [sys.executable, "-c", "from cli.main import main; main()", "search"]
    options = ["--home", str(root), "--no-cache", "--since", "all"]

    def ask(a: str, b: str) -> None:
        typed = [*command, *options, f"{a} {b}"]
        subprocess.run(typed, stdout=subprocess.DEVNULL, cwd=HERE.parent, check=True)

    return [timed(lambda a=a, b=b: ask(a, b)) for a, b in queries]


def main() -> None:
    """Build, update, search, compare; one line a figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--citations", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--sqlite", action="store_true", help="compare with SQLite FTS5")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as scratch:
        run(Path(scratch), given.citations, given.queries, given.sqlite)


def bare_times(index: SearchIndex, queries: list[tuple[str, str]]) -> list[float]:
    """The same without what results show: 100 PMIDs, best grade first, and counts by grade."""

    def ask(one: Asked) -> None:
        _run(index, _restricted(understand(index, one.query)[0], one, "all"), one)

    asked = [Asked(f"{a} {b}", "all", 100, False, False, None, False) for a, b in queries]
    return [timed(lambda one=one: ask(one)) for one in asked]


def question_times(index: SearchIndex, count: int) -> list[float]:
    """Seconds a question of nine words that nothing holds in full, the 200 nearest."""
    words = [word for pair in pairs(count * CLAIM_WORDS) for word in pair]
    texts = [" ".join(words[i::count][:CLAIM_WORDS]) + " nowhere" for i in range(count)]
    asked = [Asked(text, "all", 200, False, True, (2000, 9999), False) for text in texts]
    return [timed(lambda one=one: search_index(index, one)) for one in asked]


def run(root: Path, count: int, asked: int, compare: bool) -> None:
    """All figures for ``count`` citations."""
    home = open_home(root)
    prepare(home)
    snapshot = commit(home, EMPTY)
    con = duckdb.connect(str(root / "rows.duckdb"))
    con.execute("select setseed(0.5)")
    con.execute(SYNTHETIC, {"low": 1, "high": count + 1})
    columns(con)
    graded(con)
    built = timed(lambda: update(home, con, snapshot.id, None, None))
    print(f"build: {count:,} citations in {built:.1f} s, {count / built:,.0f} a second")
    index = open_index(home, snapshot, con)
    size = sum(f.stat().st_size for f in index.folder.rglob("*"))
    print(f"size: {size / count:,.0f} bytes a citation")
    queries = pairs(asked)
    ours = search_times(index, queries)
    percentiles("search, two words, top 100, counts by grade", ours)
    percentiles("question of nine words, the 200 nearest", question_times(index, asked))
    percentiles("search as a whole process, 200 rows as a table", process_times(root, queries[:15]))
    if compare:
        theirs, their_bare = fts5.times(con, root / "fts.sqlite", queries)
        percentiles("SQLite FTS5, the same two words", theirs)
        ratios("FTS5 / ours", theirs, ours)
        ratios("FTS5 / ours, PMIDs and counts alone", their_bare, bare_times(index, queries))
    changed = pa.array(range(1, count, 33))[: max(1, count * 3 // 100)]
    day = timed(lambda: update(home, con, snapshot.id + 1, changed, snapshot.id))
    print(f"update: {len(changed):,} changed in {day:.1f} s, 1/{built / day:.1f} of a build")
    con.close()


if __name__ == "__main__":
    sys.exit(main())
