"""A day recomputes what the day can have changed, and ends as one load of everything does."""

from pathlib import Path
from typing import Any

import pytest

from etl.jobs import refresh as job
from etl.jobs.refresh import refresh
from etl.jobs.request import Request
from etl.store.home import Home, open_home
from etl.store.snapshot import current
from etl.store.views import connect
from etl.text import extract
from tests.pubmed_xml import GUIDELINE, RCT, REVIEW, article, deletes, write

PREPRINT = ("D000076942", "Preprint")
UPDATE_OF = (
    '<CommentsCorrectionsList><CommentsCorrections RefType="UpdateOf"><RefSource>medRxiv'
    "</RefSource><PMID>{}</PMID></CommentsCorrections></CommentsCorrectionsList>"
)
COHORT = ("D015331", "Cohort Studies")


def days() -> list[list[str]]:
    """Five files whose effects reach citations of earlier files."""
    many = [
        article(n, f"study {n}", types=[RCT], year=2010, cites=[n + 1]) for n in range(100, 160)
    ]
    return [
        [
            *many,
            article(1, "old cohort", headings=[COHORT], year=2005),
            article(2, "a preprint", types=[PREPRINT]),
        ],
        [article(3, "new guideline", types=[GUIDELINE], year=2025, cites=[1, 101])],
        [article(4, "its article", corrections=UPDATE_OF.format(2))],
        [article(100, "revised into a review", types=[REVIEW], year=2010), deletes(103, 104)],
        [article(3, "no longer a guideline", year=2025, cites=[1, 101]), article(103, "again")],
    ]


# Journal metrics are worked out once a month, so facts keep the month's; every other column is
# what a load of everything gives.
MONTHLY = "exclude (journal_coi_share, journal_cites_per_document)"


def tables(home: Home) -> dict[str, list[tuple[Any, ...]]]:
    shown = {
        "citations": "exclude (seq)",
        "citation_signals": "",
        "citation_links": "",
        "citation_trials": "",
        "evidence_facts": MONTHLY,
        "graded": "",
    }
    with connect(home, current(home)) as con:
        return {
            name: con.execute(f"select * {columns} from {name} order by all").fetchall()
            for name, columns in shown.items()
        }


def test_day_by_day_ends_as_one_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "FULL_SHARE", 1.1)
    folder = tmp_path / "pubmed"
    folder.mkdir()
    daily = open_home(tmp_path / "daily")
    for number, elements in enumerate(days(), 1):
        write(folder / f"pubmed26n{number:04d}.xml.gz", *elements)
        refresh(daily, Request(pubmed=(str(folder),)))
    whole = open_home(tmp_path / "whole")
    refresh(whole, Request(pubmed=(str(folder),)))
    assert tables(daily) == tables(whole)


def test_a_late_file_takes_its_own_place(tmp_path: Path) -> None:
    folder = tmp_path / "pubmed"
    folder.mkdir()
    paths = [
        write(folder / f"pubmed26n{number:04d}.xml.gz", *elements)
        for number, elements in enumerate(days(), 1)
    ]
    late = paths[1].rename(tmp_path / paths[1].name)
    home = open_home(tmp_path / "late")
    refresh(home, Request(pubmed=(str(folder),)))
    refresh(home, Request(pubmed=(str(folder), str(late))))
    late.rename(paths[1])
    whole = open_home(tmp_path / "whole")
    refresh(whole, Request(pubmed=(str(folder),)))
    assert tables(home) == tables(whole)


def words_of(home: Home) -> dict[int, tuple[int | None, str]]:
    query = "select pmid, sample_size, extractor_version from citation_signals"
    with connect(home, current(home)) as con:
        return {pmid: (n, version) for pmid, n, version in con.execute(query).fetchall()}


def test_new_extractors_read_the_words_again_and_late_files_still_find_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(n: int) -> str:
        return f"In this trial {n} patients were randomised to salt or sand."

    first = write(tmp_path / "a.xml", article(1, types=[RCT], abstract=said(120)))
    late = tmp_path / "b.xml"
    late.write_text("<PubmedArticleSet>")
    third = write(
        tmp_path / "c.xml",
        article(2, types=[RCT], abstract=said(130), version=2),
        article(3, types=[RCT], abstract=said(140)),
    )
    home = open_home(tmp_path / "home")
    files = (str(first), str(late), str(third))
    assert refresh(home, Request(pubmed=files)).exit_code == 3
    for module in (extract, job):
        monkeypatch.setattr(module, "EXTRACTOR_VERSION", "next")
    refresh(home, Request(pubmed=files))
    assert words_of(home) == {1: (120, "next"), 2: (130, "next"), 3: (140, "next")}
    # the late file revises 1, comes before what was said of 3, and has an older version of 2
    write(
        late,
        *(article(n, types=[RCT], abstract=said(200 + n)) for n in (1, 2, 3)),
    )
    refresh(home, Request(pubmed=files))
    assert {pmid: n for pmid, (n, _) in words_of(home).items()} == {1: 201, 2: 130, 3: 140}


def test_a_new_rule_version_grades_all_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "pubmed"
    folder.mkdir()
    write(folder / "a.xml", *days()[0])
    home = open_home(tmp_path / "home")
    refresh(home, Request(pubmed=(str(folder),)))
    assert refresh(home, Request(pubmed=(str(folder),))).changed is False
    monkeypatch.setattr(job, "RULE_VERSION", "another")
    assert refresh(home, Request(pubmed=(str(folder),))).changed is True
    snapshot = current(home)
    assert snapshot is not None
    assert snapshot.versions["rules"] == "another"
