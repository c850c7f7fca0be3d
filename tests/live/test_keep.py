"""Live records in the warehouse: their place, their grades, what hinders, what replaces them."""

import os
import shutil
from pathlib import Path

import pyarrow as pa
import pytest

import sql
from etl.jobs import live as job
from etl.jobs import refresh as refresh_job
from etl.jobs.live import keep
from etl.jobs.overlay import overlay
from etl.jobs.plan import ROOM, live_place
from etl.jobs.refresh import Request, refresh
from etl.sources.pubmed.parse import parse_bytes
from etl.store.home import Home, open_home
from etl.store.lock import refresh_lock
from etl.store.snapshot import current
from etl.store.views import connect
from tests.e2e.test_daily import COHORT, days, tables
from tests.live.eutils import article_set
from tests.pubmed_xml import GUIDELINE, RCT, article, write
from warehouse.gaps import watermark
from warehouse.grade import grades
from warehouse.search import search_pmids

UPDATE_OF = (
    '<CommentsCorrectionsList><CommentsCorrections RefType="UpdateOf"><RefSource>medRxiv'
    "</RefSource><PMID>{}</PMID></CommentsCorrections></CommentsCorrectionsList>"
)


def load(home: Home, folder: Path, number: int, *elements: str) -> None:
    folder.mkdir(exist_ok=True)
    path = write(folder / f"pubmed26n{number:04d}.xml.gz", *elements)
    report = refresh(home, Request(pubmed=(str(path),)))
    assert not report.failed, report.failed


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loaded")
    records = [article(n, f"old study {n}", types=[RCT]) for n in range(1, 40)]
    load(open_home(folder / "home"), folder / "pubmed", 1, *records)
    return folder


@pytest.fixture
def home(loaded: Path, tmp_path: Path) -> Home:
    shutil.copytree(loaded, tmp_path, dirs_exist_ok=True)
    return open_home(tmp_path / "home")


def fetched(*elements: str) -> tuple[pa.Table, list[bytes]]:
    xml = article_set(elements)
    return parse_bytes(xml), [xml]


def titles(home: Home) -> dict[int, str]:
    with connect(home, current(home)) as con:
        return dict(con.execute("select pmid, title from citations").fetchall())


TRIAL = article(
    500, "fetched zoledronate trial", types=[RCT], year=2026,
    abstract="We randomised 1,200 patients to zoledronate or placebo.",
)  # fmt: skip


def test_kept_records_answer_like_all_others(home: Home) -> None:
    before = current(home)
    assert before is not None
    kept = keep(home, *fetched(TRIAL))
    assert kept.why == "" and kept.snapshot is not None and kept.snapshot.id == before.id + 1
    (row,) = grades(home, [500])
    assert (row["found"], row["grade"], row["sample_size"]) == (True, "A", 1200)
    assert search_pmids("zoledronate", home=home.root)[0][0] == 500
    assert kept.snapshot.watermarks == before.watermarks
    assert kept.snapshot.versions == before.versions
    assert len(list((home.raw / "live").iterdir())) == 1


def test_kept_twice_is_one_commit(home: Home) -> None:
    keep(home, *fetched(TRIAL))
    first = current(home)
    assert first is not None
    again = keep(home, *fetched(TRIAL))
    assert again.snapshot is not None and again.snapshot.id == first.id


def test_the_next_file_of_nlm_replaces_them(home: Home, tmp_path: Path) -> None:
    keep(home, *fetched(TRIAL, article(501, "fetched only")))
    load(home, tmp_path / "pubmed", 2, article(500, "delivered in bulk", types=[GUIDELINE]))
    found = titles(home)
    assert found[500] == "delivered in bulk" and found[501] == "fetched only"
    assert grades(home, [500])[0]["design"] == "guideline"
    now = current(home)
    assert now is not None and now.watermarks["pubmed_file"] == "pubmed26n0002.xml.gz"


def test_an_older_file_that_comes_late_does_not(home: Home, tmp_path: Path) -> None:
    load(home, tmp_path / "pubmed", 2, article(60, "second file"))
    keep(home, *fetched(article(60, "newer, fetched"), article(61, "fetched")))
    assert titles(home)[60] == "second file"  # held already: nothing is fetched over it
    again = write(tmp_path / "pubmed" / "pubmed26n0001.xml.gz", article(61, "redelivered"))
    refresh(home, Request(pubmed=(str(again),)))
    assert titles(home)[61] == "fetched"


def test_gaps_in_nlms_numbers_are_still_seen(home: Home, tmp_path: Path) -> None:
    keep(home, *fetched(TRIAL))
    path = write(tmp_path / "pubmed" / "pubmed26n0003.xml.gz", article(70))
    report = refresh(home, Request(pubmed=(str(path),)))
    assert [f.name for f in report.failed] == ["pubmed26n0002.xml.gz"]


def test_a_file_of_another_name_counts_as_later(home: Home, tmp_path: Path) -> None:
    keep(home, *fetched(TRIAL))
    path = write(tmp_path / "own.xml", article(500, "given by hand"))
    refresh(home, Request(pubmed=(str(path),)))
    assert titles(home)[500] == "given by hand"


def test_many_small_fetches_use_up_no_room() -> None:
    known = {"files": {"pubmed26n0001.xml.gz": [{"seq": 2600001 * ROOM}]}}
    for _ in range(2 * ROOM):
        known["live"] = {"seq": live_place(known)}  # type: ignore[assignment]
    assert 2600001 * ROOM < live_place(known) < 2600002 * ROOM


def test_a_locked_home_is_no_error(home: Home) -> None:
    with refresh_lock(home):
        kept = keep(home, *fetched(TRIAL))
    assert kept.snapshot is None and "another refresh holds" in kept.why
    assert 500 not in titles(home)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_home_is_no_error(home: Home) -> None:
    folders = [home.root, *(p for p in home.root.rglob("*") if p.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        kept = keep(home, *fetched(TRIAL))
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert kept.snapshot is None and "permission denied" in kept.why


def test_a_disk_that_refuses_is_no_error(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    (home.raw / "live").write_text("a file stands where a folder must be")
    kept = keep(home, *fetched(TRIAL))
    assert kept.snapshot is None and "a file stands where a folder must be" in kept.why
    assert 500 not in titles(home)


def test_other_rules_are_not_mixed_in(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "RULE_VERSION", "99.0.0")
    kept = keep(home, *fetched(TRIAL))
    assert kept.snapshot is None and "run evidence refresh" in kept.why


def test_in_memory_and_kept_give_the_same_grades(home: Home) -> None:
    rows, xml = fetched(
        TRIAL,
        article(501, "a preprint of it", types=[("D000076942", "Preprint")]),
        article(502, "its article", types=[RCT], corrections=UPDATE_OF.format(501)),
        article(503, "guideline", types=[GUIDELINE], cites=[502]),
        article(
            504,
            "Zoledronate: a randomized controlled trial",
            types=[],
            year=2026,
            abstract="In this randomized controlled trial 80 patients were randomly assigned.",
        ),
    )
    snapshot = current(home)
    asked = pa.table({"place": range(5), "pmid": range(500, 505)})
    year = int(snapshot.versions["as_of_year"]) if snapshot else 2026
    with overlay(home, snapshot, rows, year) as con:
        con.register("asked", asked)
        in_memory = con.sql(sql.load("answers/grades")).to_arrow_table().to_pylist()
    assert keep(home, rows, xml).why == ""
    with connect(home, current(home)) as con:
        con.register("asked", asked)
        stored = con.sql(sql.load("answers/grades")).to_arrow_table().to_pylist()
    assert in_memory == stored
    assert stored[4]["inferred"] and stored[1]["superseded_by"] == 502


def test_guidelines_of_the_warehouse_count_for_records_in_memory(
    tmp_path: Path, home: Home
) -> None:
    rows, xml = fetched(
        *(article(n, f"old cohort {n}", headings=[COHORT], year=2005) for n in (600, 601))
    )

    def signals(at: Home) -> list[list[str]]:
        with overlay(at, current(at), rows, 2026) as con:
            found = con.sql("select signals_down from graded order by pmid").fetchall()
        return [down for (down,) in found]

    assert signals(home) == [[], []]  # no guideline is held: not known
    guideline = article(50, "guideline", types=[GUIDELINE], year=2024, cites=[600])
    load(home, tmp_path / "pubmed", 2, guideline)
    assert signals(home) == [[], ["S-4"]]
    assert keep(home, rows, xml).why == ""
    assert [row["signals_down"] for row in grades(home, [600, 601])] == [[], ["S-4"]]


def test_live_records_then_nlms_files_end_as_one_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was fetched between the files, all of it is what the files alone give."""
    monkeypatch.setattr(refresh_job, "FULL_SHARE", 1.1)
    folder = tmp_path / "pubmed"
    folder.mkdir()
    daily, whole = open_home(tmp_path / "daily"), open_home(tmp_path / "whole")
    files = days()
    for number, elements in enumerate(files, 1):
        write(folder / f"pubmed26n{number:04d}.xml.gz", *elements)
        refresh(daily, Request(pubmed=(str(folder),)))
        following = files[number] if number < len(files) else []
        early = [e for e in following if not e.startswith("<DeleteCitation>")]
        if early:
            assert keep(daily, *fetched(*early)).why == ""
    refresh(whole, Request(pubmed=(str(folder),)))
    assert tables(daily) == tables(whole)


def test_the_watermark_is_the_last_day_of_entry_of_nlms_files(tmp_path: Path) -> None:
    def dated(pmid: int, day: int) -> str:
        history = (
            '<History><PubMedPubDate PubStatus="entrez"><Year>2026</Year><Month>3</Month>'
            f"<Day>{day}</Day></PubMedPubDate></History>"
        )
        return article(pmid).replace("<PubmedData>", f"<PubmedData>{history}")

    place = open_home(tmp_path / "home")
    load(place, tmp_path / "pubmed", 1, dated(1, 20), dated(2, 4))
    load(place, tmp_path / "pubmed", 2, dated(3, 11))
    assert keep(place, *fetched(dated(4, 29))).why == ""
    now = current(place)
    assert now is not None and now.watermarks["pubmed_date"] == "2026-03-20"
    assert str(watermark(now)) == "2026-03-20"
