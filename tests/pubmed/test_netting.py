"""Several records and deletes of one PMID in one file; rows are the same however it is cut."""

import itertools
import random
from pathlib import Path

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from etl.sources.pubmed.netting import Netting
from etl.sources.pubmed.parse import parse_bytes, parse_file, to_table, winners
from etl.sources.pubmed.stream import RecordStream
from tests.pubmed.xml import article, article_set, delete

Op = tuple[str, int, int]
OPS = st.lists(st.tuples(st.sampled_from(["put", "delete"]), st.integers(1, 4), st.integers(1, 3)))


def _replay(ops: list[Op]) -> tuple[dict[int, tuple[str, int]], list[int]]:
    """Outcome by PMID and ordinals of the rows that live, the plain way."""
    held: dict[int, tuple[int, int]] = {}
    deleted: dict[int, int] = {}
    ordinal = 0
    for op, pmid, version in ops:
        if op == "delete":
            held.pop(pmid, None)
            deleted[pmid] = version
            continue
        if pmid not in held or version >= held[pmid][0]:
            held[pmid] = (version, ordinal)
            deleted.pop(pmid, None)
        ordinal += 1
    outcome = {pmid: ("put", version) for pmid, (version, _) in held.items()}
    outcome |= {pmid: ("delete", version) for pmid, version in deleted.items()}
    return outcome, sorted(ordinal for _, ordinal in held.values())


@given(OPS)
def test_netting_is_a_replay(ops: list[Op]) -> None:
    net = Netting()
    for op, pmid, version in ops:
        (net.put if op == "put" else net.delete)(pmid, version)
    outcome, living = _replay(ops)
    touched = net.touched().to_pylist()
    assert {t["pmid"]: (t["op"], t["version"]) for t in touched} == outcome
    assert [t["pmid"] for t in touched] == sorted(outcome)
    assert sorted(set(range(net.rows)) - set(net.losers)) == living
    assert len(net.losers) == len(set(net.losers))


def test_the_highest_version_wins_then_the_later_record(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(
        article_set(
            article(2, 1, title="old"),
            article(2, 2, title="second"),
            article(1, 1, title="first"),
            article(2, 2, title="third"),
            article(2, 1, title="late but low"),
            article(3, title="gone"),
            article(4, title="back"),
            delete(3, 4, 9),
            article(4, title="again"),
        )
    )
    table, parsed = to_table(path, 7)
    assert list(zip(table["pmid"].to_pylist(), table["title"].to_pylist(), strict=True)) == [
        (1, "first"), (2, "third"), (4, "again"),
    ]  # fmt: skip
    assert set(table["seq"].to_pylist()) == {7}
    assert set(table["source_file"].to_pylist()) == {"a.xml"}
    assert parsed.touched.to_pylist() == [
        {"pmid": 1, "op": "put", "version": 1},
        {"pmid": 2, "op": "put", "version": 2},
        {"pmid": 3, "op": "delete", "version": 1},
        {"pmid": 4, "op": "put", "version": 1},
        {"pmid": 9, "op": "delete", "version": 1},
    ]
    assert parsed.losers == (0, 1, 4, 5, 6)
    assert (parsed.citations, parsed.books, parsed.deletes) == (8, 0, 3)


def test_unknown_elements_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(article_set(article(1, inside="<Mood/><Mood/>", after="<New>1</New>"), "<X/>"))
    assert to_table(path, 1)[1].unknown_elements == {
        "Article/Mood": 2, "MedlineCitation/New": 1, "/X": 1,
    }  # fmt: skip


XML = article_set(
    *(article(n, title=f"Title <i>{n}</i> <b>µ</b>") for n in range(1, 30)),
    article(3, 2, title="later"),
    delete(5),
)
WHOLE = parse_bytes(XML)


@given(st.lists(st.integers(1, len(XML) - 1), max_size=40))
def test_rows_do_not_depend_on_where_the_bytes_are_cut(cuts: list[int]) -> None:
    edges = [0, *sorted(set(cuts)), len(XML)]
    chunks = [XML[a:b] for a, b in itertools.pairwise(edges)]
    seen = [(element.tag, element.findtext(".//PMID")) for element in RecordStream(chunks, "a.xml")]
    whole = [(element.tag, element.findtext(".//PMID")) for element in RecordStream([XML], "a.xml")]
    assert seen == whole
    assert len(seen) == 31


def test_rows_do_not_depend_on_batches_or_repeats(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    body = XML[XML.index(b"<PubmedArticle>") : XML.rindex(b"</PubmedArticleSet>")]
    path.write_bytes(b"<PubmedArticleSet>" + body * 3 + b"</PubmedArticleSet>")
    for rows in (1, 7, random.Random(1).randint(8, 90), 5000):
        tables: list[pa.Table] = []
        parsed = parse_file(path, 0, tables.append, batch_rows=rows)
        found = winners(tables, parsed)
        assert found.drop_columns(["source_file"]).equals(WHOLE.drop_columns(["source_file"]))
