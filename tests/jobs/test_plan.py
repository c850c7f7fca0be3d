"""The place of each delivered file in the order of application."""

from pathlib import Path

from etl.jobs.plan import Failure, plan, remember
from tests.pubmed_xml import article, write


def names(planned: object) -> list[str]:
    return [p.file.name for p in planned.todo]  # type: ignore[attr-defined]


def test_nlm_numbers_order_files_and_other_names_follow_what_stands_before(tmp_path: Path) -> None:
    for name in ("pubmed26n0002.xml", "pubmed26n0001.xml", "b.xml", "a.xml"):
        write(tmp_path / name, article(1, name))
    given = [tmp_path / n for n in ("pubmed26n0002.xml", "b.xml", "pubmed26n0001.xml", "a.xml")]
    planned = plan(given, {})
    assert names(planned)[:2] == ["pubmed26n0001.xml", "pubmed26n0002.xml"]
    assert names(planned)[2:] == ["b.xml", "a.xml"]


def test_an_applied_file_is_skipped_until_its_bytes_change(tmp_path: Path) -> None:
    path = write(tmp_path / "pubmed26n0001.xml", article(1))
    first = plan([path], {})
    known = remember({}, first.todo, [])
    assert plan([path], known).skipped == ("pubmed26n0001.xml",)
    write(path, article(1, "corrected"))
    again = plan([path], known)
    assert again.todo[0].seq == first.todo[0].seq + 1


def test_a_copy_elsewhere_of_an_applied_file_is_skipped(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xml", article(1))
    known = remember({}, plan([path], {}).todo, [])
    (tmp_path / "copy").mkdir()
    copy = write(tmp_path / "copy" / "a.xml", article(1))
    assert plan([copy], known).skipped == ("a.xml",)


def test_a_failed_file_keeps_its_place(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{n}.xml", article(n)) for n in (1, 2, 3)]
    first = plan(paths, {})
    broken = first.todo[1]
    known = remember(
        {}, [first.todo[0], first.todo[2]], [Failure(broken.file.name, "cut", broken.seq)]
    )
    again = plan(paths, known)
    assert [(p.file.name, p.seq) for p in again.todo] == [("2.xml", broken.seq)]
