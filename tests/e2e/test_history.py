"""Any history of days ends as one load of everything: nothing a day can reach is left stale."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from etl.jobs import index
from etl.jobs import refresh as job
from etl.jobs.derive import Working
from etl.jobs.refresh import refresh
from etl.jobs.request import Request
from etl.store.home import open_home
from tests.e2e.test_daily import tables
from tests.pubmed_xml import GUIDELINE, RCT, REVIEW, article, deletes, write
from tests.trials.invented import flat_zip

PREPRINT = ("D000076942", "Preprint")
PLAIN = ("D016428", "Journal Article")
CORRECTED = ("D016439", "Corrected and Republished Article")
KINDS = (PLAIN, PREPRINT, PREPRINT, GUIDELINE, RCT, REVIEW, CORRECTED)
# Two near-equal titles, a third that is less alike, and a short one.
TITLES = (
    "Early mobilisation and delirium after cardiac surgery: a randomised comparison of two wards",
    "Early mobilization and delirium after cardiac surgery: a randomised comparison of two wards",
    "Early mobilisation and delirium after cardiac surgery: a randomised comparison of three units",
    "Early mobilisation",
)
RELATIONS = ("UpdateIn", "UpdateOf", "RepublishedIn", "RetractionIn", "CommentOn")
NCTS = ("NCT00000001", "NCT00000002")
PMIDS = st.integers(1, 9)


@dataclass(frozen=True)
class Record:
    pmid: int
    kind: tuple[str, str]
    title: str
    author: str
    year: int
    relation: tuple[str, int] | None
    cites: frozenset[int]
    nct: str

    @property
    def xml(self) -> str:
        corrections = ""
        if self.relation:
            corrections = (
                "<CommentsCorrectionsList><CommentsCorrections "
                f'RefType="{self.relation[0]}"><RefSource>Inv J</RefSource>'
                f"<PMID>{self.relation[1]}</PMID></CommentsCorrections></CommentsCorrectionsList>"
            )
        return article(
            self.pmid,
            self.title,
            types=[self.kind],
            year=self.year,
            corrections=corrections,
            cites=sorted(self.cites),
            abstract=f"Registered as {self.nct}." if self.nct else "",
            authors=[self.author],
        )


@dataclass(frozen=True)
class Registry:
    enrollments: tuple[int, ...]
    facilities: tuple[int, ...]
    references: frozenset[tuple[int, str, str]]

    def write(self, path: Path) -> Path:
        studies = [
            {"nct_id": n, "enrollment": str(e), "enrollment_type": "ACTUAL", "brief_title": "x"}
            for n, e in zip(NCTS, self.enrollments, strict=True)
        ]
        calculated = [
            {"nct_id": n, "number_of_facilities": str(f)}
            for n, f in zip(NCTS, self.facilities, strict=True)
        ]
        references = [
            {"nct_id": n, "pmid": str(p), "reference_type": kind}
            for p, n, kind in sorted(self.references)
        ]
        return flat_zip(
            path,
            {
                "studies": studies,
                "calculated_values": calculated,
                "study_references": references,
            },
        )


@dataclass(frozen=True)
class Day:
    puts: tuple[Record, ...]
    gone: frozenset[int]
    registry: Registry | None


records = st.builds(
    Record,
    PMIDS,
    st.sampled_from(KINDS),
    st.sampled_from(TITLES),
    st.sampled_from(["Okafor", "Lindqvist"]),
    st.sampled_from([2014, 2022, 2024]),
    st.none() | st.tuples(st.sampled_from(RELATIONS), PMIDS),
    st.frozensets(PMIDS, max_size=3),
    st.sampled_from(["", *NCTS]),
)
registries = st.builds(
    Registry,
    st.tuples(*[st.sampled_from([50, 1200])] * 2),
    st.tuples(*[st.sampled_from([1, 7])] * 2),
    st.frozensets(
        st.tuples(PMIDS, st.sampled_from(NCTS), st.sampled_from(["RESULT", "DERIVED"])), max_size=4
    ),
)


def day(puts: int) -> st.SearchStrategy[Day]:
    return st.builds(
        Day,
        st.lists(records, min_size=1, max_size=puts, unique_by=lambda r: r.pmid).map(tuple),
        st.frozensets(PMIDS, max_size=2),
        st.none() | registries,
    )


histories = st.tuples(day(9), st.lists(day(3), min_size=1, max_size=4)).map(lambda h: [h[0], *h[1]])


@pytest.fixture(scope="module", autouse=True)
def by_day_without_index() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job, "FULL_SHARE", 1e9)
        patch.setattr(index, "bring_up_to_date", lambda work, changed: None)
        yield


def play(folder: Path, history: list[Day]) -> None:
    """The history day by day, and its files with the last registry at once."""
    files = folder / "pubmed"
    files.mkdir()
    daily, whole = open_home(folder / "daily"), open_home(folder / "whole")
    registry: str | None = None
    for number, now in enumerate(history, 1):
        gone = now.gone - {r.pmid for r in now.puts}
        write(files / f"pubmed26n{number:04d}.xml", *(r.xml for r in now.puts), deletes(*gone))
        if now.registry:
            registry = str(now.registry.write(folder / f"{number:08d}_export_ctgov.zip"))
        report = refresh(daily, Request(pubmed=(str(files),), aact=registry))
        assert not report.failed
    refresh(whole, Request(pubmed=(str(files),), aact=registry))
    assert tables(daily) == tables(whole)


@settings(max_examples=4, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(histories)
def test_any_history_ends_as_one_load(history: list[Day]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        play(Path(folder), history)


def record(pmid: int, **given_fields: object) -> Record:
    plain = Record(pmid, PLAIN, TITLES[0], "Okafor", 2024, None, frozenset(), "")
    return Record(**{**plain.__dict__, **given_fields})


def days(*puts_and_gone: tuple[list[Record], set[int]]) -> list[Day]:
    return [Day(tuple(puts), frozenset(gone), None) for puts, gone in puts_and_gone]


REGISTRY = Registry(
    (50, 1200), (1, 7), frozenset({(1, NCTS[0], "DERIVED"), (2, NCTS[0], "DERIVED")})
)
SECOND = Registry((1200, 50), (7, 1), frozenset({(1, NCTS[1], "RESULT"), (3, NCTS[1], "RESULT")}))

HISTORIES = {
    "a later article fits a preprint": days(
        ([record(1, kind=PREPRINT), record(9, title=TITLES[3])], set()),
        ([record(2, title=TITLES[1])], set()),
        ([record(3)], set()),
    ),
    "the best article goes, the next takes its place": days(
        ([record(1, kind=PREPRINT), record(2), record(3, title=TITLES[1])], set()),
        ([record(9)], {2}),
    ),
    "the preprint goes": days(
        ([record(1, kind=PREPRINT), record(2)], set()),
        ([record(9, author="Lindqvist")], {1}),
    ),
    "an article states what was probable of another": days(
        ([record(1, kind=PREPRINT), record(2), record(3, title=TITLES[3])], set()),
        ([record(3, title=TITLES[3], relation=("UpdateOf", 1))], set()),
        ([record(3, title=TITLES[3])], set()),
    ),
    "a stated article goes": days(
        ([record(1, kind=PREPRINT, relation=("UpdateIn", 2)), record(2)], set()),
        ([record(9)], {2}),
        ([record(2)], set()),
    ),
    "a guideline cites and no longer cites": days(
        ([record(1, kind=RCT, year=2014), record(2, kind=RCT, year=2014)], set()),
        ([record(3, kind=GUIDELINE, cites=frozenset({1, 2}))], set()),
        ([record(3, kind=GUIDELINE, cites=frozenset({1}))], set()),
        ([record(9)], {3}),
    ),
    "a preprint turns out to be an article": days(
        ([record(1, kind=PREPRINT), record(2), record(3, kind=PREPRINT)], set()),
        ([record(1)], set()),
    ),
    "a republication turns out to be a correction": days(
        ([record(1, relation=("RepublishedIn", 2)), record(2, title=TITLES[3])], set()),
        ([record(2, title=TITLES[3], kind=CORRECTED)], set()),
        ([record(9)], {2}),
    ),
}

REGISTERED = {
    "a second paper of a trial comes": [
        Day((record(1, kind=RCT),), frozenset(), REGISTRY),
        Day((record(2, kind=RCT),), frozenset(), None),
        Day((record(9),), frozenset({2}), None),
    ],
    "a new delivery of the registry": [
        Day((record(1, kind=RCT, nct=NCTS[1]), record(2), record(3)), frozenset(), REGISTRY),
        Day((record(9),), frozenset(), SECOND),
        Day((record(2, kind=RCT),), frozenset({3}), None),
    ],
}


def moved(record: Record, by: int) -> Record:
    """The same record among PMIDs and authors of its own."""
    relation = record.relation and (record.relation[0], record.relation[1] + by)
    cites = frozenset(pmid + by for pmid in record.cites)
    author = f"{record.author}{chr(97 + by // 100)}"
    return replace(record, pmid=record.pmid + by, relation=relation, cites=cites, author=author)


def together(histories: list[list[Day]]) -> list[Day]:
    """Several histories without a registry at the same time; the n-th has PMIDs from 100 n on."""
    puts: dict[int, list[Record]] = {}
    gone: dict[int, set[int]] = {}
    for place, history in enumerate(histories, 1):
        for number, now in enumerate(history):
            puts.setdefault(number, []).extend(moved(r, 100 * place) for r in now.puts)
            gone.setdefault(number, set()).update(p + 100 * place for p in now.gone)
    return [Day(tuple(puts[n]), frozenset(gone[n]), None) for n in sorted(puts)]


def test_what_reaches_other_records(tmp_path: Path) -> None:
    play(tmp_path, together(list(HISTORIES.values())))


@pytest.mark.parametrize("name", REGISTERED)
def test_what_reaches_other_papers_of_a_trial(tmp_path: Path, name: str) -> None:
    play(tmp_path, REGISTERED[name])


def test_a_warehouse_that_lacks_the_narrow_tables_gets_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacking(work: Working, todo: Any) -> None:
        for table in ("title_keys", "guideline_references"):
            work.tables.pop(table)

    with monkeypatch.context() as patch:
        patch.setattr(index, "bring_up_to_date", lacking)
        files = tmp_path / "pubmed"
        files.mkdir()
        guideline = record(3, kind=GUIDELINE, cites=frozenset({2}), title=TITLES[3])
        old = record(2, kind=RCT, year=2014, title=TITLES[3])
        write(files / "1.xml", record(1, kind=PREPRINT).xml, old.xml, guideline.xml)
        home = open_home(tmp_path / "home")
        refresh(home, Request(pubmed=(str(files),)))
    write(files / "2.xml", record(4).xml, deletes(3))
    refresh(home, Request(pubmed=(str(files),)))
    whole = open_home(tmp_path / "whole")
    refresh(whole, Request(pubmed=(str(files),)))
    assert tables(home) == tables(whole)
